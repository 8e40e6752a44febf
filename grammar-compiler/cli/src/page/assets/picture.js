'use strict';
// The picture: moving, zooming, choosing; and the surroundings of one state, drawn here.

class Picture {
  constructor(canvas, choose) {
    this.canvas = canvas;
    this.choose = choose;
    this.whole = canvas.querySelector('svg');
    this.chosen = null;
    if (this.whole) this.use(this.whole);
    canvas.addEventListener('wheel', event => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1 / 1.15 : 1.15, event);
    }, { passive: false });
    canvas.addEventListener('pointerdown', event => this.drag(event));
    canvas.addEventListener('click', event => {
      const node = event.target.closest('[data-state]');
      if (node && !this.moved) this.choose(Number(node.dataset.state));
    });
  }

  use(svg) {
    this.svg = svg;
    this.canvas.replaceChildren(svg);
    svg.full = svg.full || svg.getAttribute('viewBox').split(' ').map(Number);
    svg.removeAttribute('width');
    svg.removeAttribute('height');
    svg.setAttribute('preserveAspectRatio', 'xMidYMid meet');
    this.view = this.readable(svg.full);
    this.show();
  }

  // All of it, if that can be read; else the part around the start, or the middle.
  readable([x, y, w, h]) {
    const box = this.canvas.getBoundingClientRect(), least = 0.8;
    if (!box.width || Math.max(w / box.width, h / box.height) * least <= 1) return [x, y, w, h];
    const rectOf = selector => this.svg.querySelector(selector + ' rect');
    const rect = rectOf('.node.middle') || rectOf('.node.start') || rectOf('.node'), width = box.width / least, height = box.height / least;
    const top = rect ? Number(rect.getAttribute('y')) + 19 - height / 2 : y;
    return [w <= width ? x + (w - width) / 2 : x, h <= height ? y + (h - height) / 2 : Math.max(y, Math.min(top, y + h - height)), width, height];
  }

  show() { this.svg.setAttribute('viewBox', this.view.map(n => n.toFixed(1)).join(' ')); }
  fit() { this.view = this.svg.full.slice(); this.show(); }

  // Pixels on the screen to units of the picture.
  scale() {
    const box = this.canvas.getBoundingClientRect();
    return Math.max(this.view[2] / box.width, this.view[3] / box.height);
  }

  zoom(factor, event) {
    const box = this.canvas.getBoundingClientRect(), [x, y, w, h] = this.view;
    const px = event ? (event.clientX - box.left) / box.width : 0.5, py = event ? (event.clientY - box.top) / box.height : 0.5;
    this.view = [x + w * px * (1 - factor), y + h * py * (1 - factor), w * factor, h * factor];
    this.show();
  }

  drag(down) {
    const [x, y] = this.view, scale = this.scale();
    this.moved = false;
    const move = event => {
      const dx = event.clientX - down.clientX, dy = event.clientY - down.clientY;
      if (Math.abs(dx) + Math.abs(dy) > 4) this.moved = true;
      this.view[0] = x - dx * scale;
      this.view[1] = y - dy * scale;
      this.show();
    };
    const up = () => { removeEventListener('pointermove', move); removeEventListener('pointerup', up); };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
  }

  // Marks a state and its arrows, and brings it into view.
  mark(state) {
    this.chosen = state;
    if (!this.svg) return;
    const all = selector => this.svg.querySelectorAll(selector);
    all('.chosen').forEach(e => e.classList.remove('chosen'));
    all('.near').forEach(e => e.classList.remove('near'));
    all(`[data-state="${state}"]`).forEach(e => e.classList.add('chosen'));
    all(`[data-from="${state}"], [data-to="${state}"]`).forEach(e => e.classList.add('near'));
    all('.automaton').forEach(e => e.classList.add('focused'));
    const rect = this.svg.querySelector(`[data-state="${state}"] rect`);
    if (!rect) return;
    const cx = Number(rect.getAttribute('x')), cy = Number(rect.getAttribute('y')), [x, y, w, h] = this.view;
    if (cx < x || cx > x + w || cy < y || cy > y + h) { this.view = [cx - w / 2, cy - h / 2, w, h]; this.show(); }
  }

  // Marks where a walk stands.
  stand(states) {
    if (!this.svg) return;
    this.svg.querySelectorAll('.here').forEach(e => e.classList.remove('here'));
    for (const state of states) this.svg.querySelectorAll(`[data-state="${state}"]`).forEach(e => e.classList.add('here'));
  }

  // What leads to a state on the left, what it leads to on the right.
  around(automaton, state) {
    const MOST = 22, column = states => states.slice(0, MOST);
    const before = column(automaton.into(state).filter(s => s !== state)), after = column(automaton.next(state).filter(s => s !== state));
    const rows = Math.max(before.length, after.length, 1), height = 60 * rows + 60, width = 900;
    const at = (index, count) => height / 2 + (index - (count - 1) / 2) * 60;
    const parts = [], escape = text => text.replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
    const node = (id, x, y) => {
      const rules = automaton.rulesOf(id).join(' '), cut = shortenedTo(rules, 19);
      const start = (id === automaton.tables.start ? ' start' : '') + (id === state ? ' middle' : '');
      parts.push(`<g class="node${start}" data-state="${id}"><title>state ${id}: ${escape(rules)}</title><rect x="${x - 70}" y="${y - 19}" width="140" height="38" rx="9"/><text x="${x}" y="${y - 2}" class="id">${id}</text><text x="${x}" y="${y + 12}" class="rule">${escape(cut)}</text></g>`);
    };
    const arrow = (from, to, x1, y1, x2, y2) => {
      const lines = automaton.between(from, to), title = `${from} → ${to}\n` + lines.join('\n');
      const first = lines[0] || '', more = lines.length > 1 ? ` (+${lines.length - 1})` : '';
      const text = shortenedTo(first, 26) + more, near = from === state || to === state ? ' near' : '';
      // Beside the other state, towards this one: there is room for a label between their boxes.
      const [lx, ly, anchor] = from === state ? [x2 - 8, y2 - 6, 'end'] : [x1 + 8, y1 - 6, 'start'];
      parts.push(`<g class="arrow${near}" data-from="${from}" data-to="${to}"><title>${escape(title)}</title><path d="M${x1} ${y1}C${x1 + 120} ${y1} ${x2 - 120} ${y2} ${x2} ${y2}"/><text x="${lx}" y="${ly}" style="text-anchor: ${anchor}">${escape(text)}</text></g>`);
    };
    const middle = height / 2;
    before.forEach((s, i) => arrow(s, state, 150, at(i, before.length), 380, middle));
    after.forEach((s, i) => arrow(state, s, 520, middle, 750, at(i, after.length)));
    before.forEach((s, i) => node(s, 80, at(i, before.length)));
    after.forEach((s, i) => node(s, 820, at(i, after.length)));
    node(state, 450, middle);
    if (automaton.next(state).includes(state)) parts.push(`<g class="arrow near"><path d="M430 ${middle - 19}C415 ${middle - 50} 485 ${middle - 50} 470 ${middle - 19}"/></g>`);
    const left = automaton.into(state).length - before.length, right = automaton.next(state).length - after.length;
    if (left > 1 || right > 1) parts.push(`<text x="450" y="${height - 10}">not all are drawn: see the tables</text>`);
    const box = document.createElement('div');
    // What is drawn stands in the middle where nothing leads to the state, or away from it.
    const from = before.length === 0 && after.length ? 190 : before.length && after.length === 0 ? -190 : 0;
    box.innerHTML = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${from} 0 ${width} ${height}"><g class="automaton focused">${parts.join('')}</g></svg>`;
    this.use(box.firstChild);
    this.mark(state);
  }
}
