'use strict';
// The page: what is chosen, the text that is walked, the tables below.

const find = id => document.getElementById(id);
const data = JSON.parse(find('data').textContent);
const vocabulary = new Vocabulary(fromBase64(data.vocabulary));
const tables = new Tables(fromBase64(data.tables), vocabulary);
const automaton = new Automaton(tables, data);
const panel = new Panel(find('panel'), automaton, vocabulary, state => choose(state));
const picture = new Picture(find('canvas'), state => choose(state));
// With a cap on stacks a mask takes long, since each of its tokens is tried.
const STEPS = tables.proved ? 400 : 60, TOKENS = 600;
let state = tables.start, around = !picture.whole, steps = [], at = 0;

function choose(next) {
  state = next;
  panel.show(state);
  if (around) picture.around(automaton, state); else picture.mark(state);
  find('whole').classList.toggle('on', !around);
  find('around').classList.toggle('on', around);
}

function depth() { return Math.max(1, Math.min(65535, Number(find('depth').value) || 32)); }

function showStack(frames) { return frames.length ? [...frames].reverse().map(f => 'f' + f).join(' ') : '—'; }

function walk() {
  const bytes = new TextEncoder().encode(find('text').value);
  steps = tables.walk(bytes, depth());
  const from = Math.max(0, steps.length - STEPS);
  const rows = steps.slice(from).map((step, i) => row(step, from + i));
  find('steps').tBodies[0].replaceChildren(...rows);
  stand(steps.length - 1, true);
  const box = find('steps').parentElement;
  box.scrollTop = box.scrollHeight;
  const last = steps[steps.length - 1];
  const verdict = find('verdict');
  const where = `after ${plural(steps.length - 1, 'byte')}`;
  if (last.error) { verdict.className = 'bad'; verdict.textContent = `byte ${steps.length - 2} is refused: ${last.error}`; }
  else if (!last.stacks.length) { verdict.className = 'bad'; verdict.textContent = `${where}: no tokens finish the text from here with ${depth()} frames`; }
  else if (tables.isComplete(last.stacks, depth())) { verdict.className = 'good'; verdict.textContent = `${where}: a sentence; the text may end here`; }
  else { verdict.className = ''; verdict.textContent = `${where}: the beginning of a sentence`; }
}

function row(step, index) {
  const mask = tables.mask(step.stacks, depth());
  const stacks = step.raw.length ? step.raw : [{ state: null, frames: [] }];
  const cells = [
    make('td', { className: 'number' }, String(index)),
    make('td', { className: 'mono' }, step.byte === null ? '' : showByte(step.byte)),
    make('td', {}, step.error ? make('span', { className: 'bad' }, step.error) : stacks.flatMap(s => [panel.link(s.state), ' '])),
    make('td', { className: 'mono' }, step.error ? '' : stacks.map(s => showStack(s.frames)).join(' / ')),
    make('td', { className: 'number' }, countBits(mask).toLocaleString('en')),
    make('td', {}, panel.examples(mask, 8)),
  ];
  return make('tr', { onclick: event => { if (!event.target.closest('a')) stand(index, true); } }, cells);
}

// Shows the mask after so many bytes.
function stand(index, follow) {
  at = index;
  const from = Math.max(0, steps.length - STEPS);
  [...find('steps').tBodies[0].rows].forEach((r, i) => r.classList.toggle('chosen', from + i === at));
  picture.stand(steps[at].raw.map(s => s.state));
  if (follow && steps[at].raw.length) choose(steps[at].raw[0].state);
  showTokens();
}

function showTokens() {
  const mask = tables.mask(steps[at].stacks, depth()), wanted = find('filter').value;
  const all = idsOf(mask, Infinity), shown = [];
  let matching = 0;
  for (const id of all) {
    if (wanted && !showToken(vocabulary.bytes(id)).includes(wanted.replace(/ /g, '␣'))) continue;
    matching += 1;
    if (shown.length < TOKENS) { const token = panel.token(id); token.append(make('small', {}, String(id))); shown.push(token); }
  }
  find('where').textContent = `after ${plural(at, 'byte')}: ${all.length.toLocaleString('en')} of ${plural(tables.vocabSize, 'token')}` + (wanted ? `, ${matching.toLocaleString('en')} of them contain it` : '');
  if (matching > shown.length) shown.push(make('span', { className: 'hint' }, ` and ${(matching - shown.length).toLocaleString('en')} more`));
  find('tokens').replaceChildren(...shown);
}

function fillTables() {
  sortable(find('rules'), [
    { title: 'rule', value: r => r[0], show: r => make('span', { className: 'mono' }, r[0]) },
    { title: 'states', value: r => r[1], number: true },
    { title: 'bytes', value: r => r[2], number: true, show: r => r[2].toLocaleString('en') },
  ], data.rules, 2, true);
  sortable(find('states'), [
    { title: 'state', value: s => s, number: true, show: s => panel.link(s) },
    { title: 'rules', value: s => automaton.rulesOf(s).join(' ') },
    { title: 'edges', value: s => automaton.edges(s).length, number: true },
    { title: 'bytes', value: s => data.states[s][0], number: true, show: s => data.states[s][0].toLocaleString('en') },
  ], data.states.map((_, s) => s), 3, true);
  sortable(find('frames'), [
    { title: 'frame', value: f => f, number: true, show: f => 'f' + f },
    { title: 'pushed in', value: f => automaton.pushedBy[f].size, show: f => panel.links([...automaton.pushedBy[f]]) },
    { title: 'told apart in', value: f => automaton.askedBy[f].size, show: f => panel.links([...automaton.askedBy[f]]) },
  ], automaton.pushedBy.map((_, f) => f).slice(1), 0, false);
}

// For tests: what the page says of the prefixes of texts, as the runtime would: [tokens, hash of the mask] or null.
function check(texts) {
  return texts.map(text => tables.walk(new TextEncoder().encode(text), depth()).map(step => {
    if (step.error || !step.stacks.length) return null;
    const mask = tables.mask(step.stacks, depth());
    return [countBits(mask), hashOf(mask)];
  }));
}

find('whole').disabled = !picture.whole;
if (!picture.whole) {
  find('whole').title = `${plural(data.states.length, 'state')} are too many to be drawn at once`;
  find('hint').textContent = find('whole').title + ': click a state to go on from there';
}
find('whole').onclick = () => { around = false; picture.use(picture.whole); choose(state); };
find('around').onclick = () => { around = true; choose(state); };
find('closer').onclick = () => picture.zoom(1 / 1.3);
find('farther').onclick = () => picture.zoom(1.3);
find('fit').onclick = () => picture.fit();
find('text').value = data.text;
find('text').oninput = walk;
find('depth').oninput = walk;
find('filter').oninput = showTokens;
fillTables();
choose(state);
walk();
