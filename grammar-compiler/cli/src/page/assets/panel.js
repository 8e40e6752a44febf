'use strict';
// What is shown of one state: its mask and how it is stored, its edges, what leads to it.

class Panel {
  constructor(element, automaton, vocabulary, choose) {
    Object.assign(this, { element, automaton, vocabulary, choose });
    this.tables = automaton.tables;
  }

  link(state) { return make('a', { textContent: String(state), onclick: () => this.choose(state) }); }
  links(states) { return states.length ? states.slice(0, 60).flatMap(s => [this.link(s), ' ']).concat(states.length > 60 ? ['…'] : []) : ['none']; }

  token(id) {
    const end = this.tables.eos.includes(id), bytes = this.vocabulary.bytes(id);
    if (end) return make('span', { className: 'token', title: 'token ' + id }, 'end of text');
    const text = showToken(bytes);
    return make('span', { className: 'token', title: `token ${id}: ${text}` }, ...shortened(text));
  }

  // Some tokens of a mask, from the first ones on, evenly.
  examples(mask, most) {
    const ids = idsOf(mask, 40 * most), stride = Math.max(1, Math.floor(ids.length / most));
    return ids.filter((_, i) => i % stride === 0).slice(0, most).map(id => this.token(id));
  }

  show(state) {
    const { automaton, tables } = this, record = tables.state(state), [bytes] = automaton.data.states[state];
    const need = record.need === STATE.NEVER ? 'cannot be finished by tokens: a text may only pass through it' : record.need ? plural(record.need, 'more frame') + ' needed to finish' : 'no more frames needed to finish';
    const children = [
      make('h2', {}, 'State ' + state + (state === tables.start ? ' (start)' : '')),
      make('p', { className: 'hint' }, automaton.rulesOf(state).join(', ') || 'no rule', ' · ', plural(bytes, 'byte'), ' of the tables · ', need),
      make('h3', {}, 'Mask'), this.node(record.mask, 0, new Set()),
      make('h3', {}, 'Edges'), this.edges(state),
      make('h3', {}, 'Comes from'), make('p', {}, this.links(automaton.into(state))),
    ];
    this.element.replaceChildren(...children);
    this.element.scrollTop = 0;
  }

  // A node of the mask tree, and below it what further frames add.
  node(at, level, seen) {
    const node = this.tables.node(at), items = [];
    for (const { id, headroom } of node.sets) {
      const set = this.tables.set(id);
      const room = headroom ? `, if there is room for ${plural(headroom, 'more frame')}` : '';
      const base = set.bases.length > 1 ? `the tokens of level ${set.least} and up in planes ${set.bases.join(', ')}` : `set ${set.bases[0]}`;
      const stored = set.kind === 'difference' ? `difference of ${set.listed} to ${base}` : set.kind === 'bitmap' ? `bitmap of ${this.tables.maskWords} words` : `${set.kind} of ${set.listed}`;
      items.push(make('li', {}, make('b', {}, plural(set.count, 'token')), room, make('span', { className: 'hint' }, ` · set ${id}, ${stored}`), make('div', {}, this.examples(set.bits, level ? 8 : 24))));
    }
    if (!node.sets.length) items.push(make('li', { className: 'hint' }, level ? 'nothing more' : 'nothing, whatever lies on the stack'));
    if (node.look) items.push(...this.children(node.look, level, seen));
    return make('ul', { className: 'tree' }, items);
  }

  children(look, level, seen) {
    const groups = new Map();
    for (const [first, last, child] of look) groups.set(child, [...(groups.get(child) || []), look.length > 1 ? showFrames(first, last) : 'any frame']);
    return [...groups].filter(([child]) => child !== MASK.NO_NODE).map(([child, frames]) => {
      const where = level ? `and ${level} below it` : 'and on top';
      const title = `${where}: ${frames.join(', ')}`;
      if (seen.has(child)) return make('li', {}, title, make('span', { className: 'hint' }, ' · as above, a frame further down'));
      const deeper = new Set(seen).add(child);
      if (level < 1) return make('li', {}, title, this.node(child, level + 1, deeper));
      const more = make('a', { textContent: 'show' });
      const item = make('li', {}, title, ' ', more);
      more.onclick = () => more.replaceWith(this.node(child, level + 1, deeper));
      return item;
    });
  }

  edges(state) {
    const rows = this.automaton.edges(state).map(edge => make('tr', {},
      make('td', { className: 'mono' }, edge.symbols), make('td', {}, operations(edge)), make('td', { className: 'number' }, this.link(edge.next))));
    return make('table', {}, make('thead', {}, make('tr', {}, ...['bytes', 'condition, stack', 'to'].map((t, i) => make('th', { className: i === 2 ? 'number' : '' }, t)))), make('tbody', {}, rows));
  }
}

// A table whose columns sort it. Columns: {title, value: row → number or string, show: row → node, number}.
function sortable(table, columns, rows, by, down) {
  let column = by;
  const body = make('tbody', {});
  const draw = () => {
    const value = columns[column].value, sign = down ? -1 : 1;
    const sorted = [...rows].sort((a, b) => (value(a) < value(b) ? -sign : value(a) > value(b) ? sign : 0));
    body.replaceChildren(...sorted.slice(0, 1000).map(row => make('tr', {}, columns.map(c => make('td', { className: c.number ? 'number' : '' }, c.show ? c.show(row) : String(c.value(row)))))));
    if (sorted.length > 1000) body.append(make('tr', {}, make('td', { className: 'hint', colSpan: columns.length }, `and ${sorted.length - 1000} more`)));
    heads.forEach((head, i) => { head.textContent = columns[i].title + (i === column ? (down ? ' ↓' : ' ↑') : ''); });
  };
  const heads = columns.map((c, i) => make('th', { className: 'sort' + (c.number ? ' number' : ''), onclick: () => { down = i === column ? !down : c.number === true; column = i; draw(); } }));
  table.replaceChildren(make('thead', {}, make('tr', {}, heads)), body);
  draw();
}
