'use strict';
// What the tables say of states and frames: edges with their conditions, who leads where, who pushes what.

class Automaton {
  constructor(tables, data) {
    this.tables = tables;
    this.data = data;
    this.known = new Map();
    this.pushedBy = Array.from({ length: tables.frameCount }, () => new Set());
    this.askedBy = Array.from({ length: tables.frameCount }, () => new Set());
    this.before = Array.from({ length: tables.stateCount }, () => new Set());
    for (let state = 0; state < tables.stateCount; state++) {
      for (const edge of this.edges(state)) {
        this.before[edge.next].add(state);
        if (edge.push) this.pushedBy[edge.push].add(state);
        for (const [, first, last, isRest] of edge.conditions) for (let frame = first; frame <= last && !isRest; frame++) this.askedBy[frame].add(state);
      }
    }
  }

  rulesOf(state) { return [...new Set(this.data.states[state][1].map(rule => this.data.names[rule]))]; }

  // The edges of a state: {symbols, conditions: [[depth, first frame, last frame, whether no run is longer]], pop, push, next, again}.
  edges(state) {
    if (this.known.has(state)) return this.known.get(state);
    const groups = new Map();
    for (let cls = 0; cls < this.tables.classCount; cls++) {
      const edge = this.tables.edge(state, cls);
      if (!edge) continue;
      const key = edge.to !== undefined ? 's' + edge.to : 'p' + edge.program;
      if (!groups.has(key)) groups.set(key, { edge, classes: new Set() });
      groups.get(key).classes.add(cls);
    }
    const edges = [];
    for (const { edge, classes } of groups.values()) {
      const symbols = showClasses(this.tables, classes);
      if (edge.to !== undefined) edges.push({ symbols, conditions: [], pop: 0, push: 0, next: edge.to, again: false });
      else this.paths(edge.program, [], symbols, edges);
    }
    this.known.set(state, edges);
    return edges;
  }

  paths(program, conditions, symbols, out) {
    const node = this.tables.program(program);
    if (node.leaf) { for (const a of node.leaf) out.push({ symbols, conditions, ...a }); return; }
    const rest = Math.max(...node.branches.map(([first, last]) => last - first));
    for (const [first, last, branch] of node.branches) this.paths(branch, [...conditions, [node.depth, first, last, last - first === rest]], symbols, out);
  }

  next(state) { return [...new Set(this.edges(state).map(e => e.next))].sort((a, b) => a - b); }
  into(state) { return [...this.before[state]].sort((a, b) => a - b); }
  between(from, to) { return this.edges(from).filter(e => e.next === to).map(e => (e.symbols + '  ' + operations(e)).trim()); }
}

// A run of frames.
function showFrames(first, last) {
  const name = frame => frame ? 'f' + frame : 'the bottom';
  return name(first) + (last > first ? ' to ' + name(last) : '');
}

// Condition and operations of an edge.
function operations(edge) {
  const parts = [];
  edge.conditions.forEach(([depth, first, last], i) => parts.push((i ? 'and ' : 'if ') + showFrames(first, last) + (depth ? ' at ' + depth : '')));
  if (edge.pop) parts.push('pop ' + edge.pop);
  if (edge.push) parts.push('push f' + edge.push);
  if (edge.again) parts.push('read again');
  return parts.join(' ');
}
