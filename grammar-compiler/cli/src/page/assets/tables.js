'use strict';
// Tables of a grammar and of a vocabulary, read as the runtime reads them. LAYOUT has the numbers of maskwright_core::layout, by its names.

function fromBase64(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

const { header: HEADER, section: SECTION, state: STATE, edge: EDGE, program: PROGRAM, mask: MASK, set: SET, token: TOKEN, vocabulary: VOCABULARY } = LAYOUT;
const { BITMAP, ACCEPT, REJECT, LEVELS } = SET;
const KINDS = { [BITMAP]: 'bitmap', [ACCEPT]: 'list', [REJECT]: 'all but a list', [LEVELS]: 'difference' };

// Where a frame leads.
function leadsTo(runs, frame) { return runs.find(([, last]) => frame <= last)[2]; }

class Tables {
  constructor(bytes, vocabulary) {
    const words = new Uint32Array(bytes.buffer, 0, bytes.length >> 2);
    const section = i => {
      const [offset, length] = words.subarray(HEADER.SECTIONS + 2 * i);
      return words.subarray(offset, offset + length);
    };
    this.vocabSize = words[HEADER.VOCAB_SIZE];
    this.stateCount = words[HEADER.STATES];
    this.frameCount = words[HEADER.FRAMES];
    this.maxStacks = words[HEADER.MAX_STACKS];
    this.start = words[HEADER.START];
    this.classCount = words[HEADER.CLASSES];
    this.endClass = words[HEADER.END_CLASS];
    this.proved = words[HEADER.STACKS_PROVED] === 1;
    this.classWords = section(SECTION.Classes);
    this.stateWords = section(SECTION.States);
    this.edges = section(SECTION.Edges);
    this.programs = section(SECTION.Programs);
    this.masks = section(SECTION.Masks);
    this.setIndex = section(SECTION.SetIndex);
    this.sets = section(SECTION.Sets);
    this.eos = section(SECTION.Eos);
    this.tokens = section(SECTION.Tokens);
    this.maskWords = Math.ceil(this.vocabSize / 32);
    this.blocks = Math.ceil(this.vocabSize / SET.BLOCK);
    this.vocabulary = vocabulary;
    this.read = new Map();
  }

  classOf(byte) { return this.classWords[byte >> 2] >>> (8 * (byte & 3)) & 255; }

  // What a meta-class map takes a class as.
  takenAs(map, cls) {
    const at = (map - 1) * this.classCount + cls, word = this.classWords[64 + (at >> 2)];
    return map === 0 || word === undefined ? cls : word >>> (8 * (at & 3)) & 255;
  }

  state(id) {
    const at = STATE.STATE_WORDS * id, base = this.stateWords[at + STATE.BASE], last = this.stateWords[at + STATE.MASK];
    return { base, parent: this.stateWords[STATE.STATE_WORDS * this.stateCount + id], mask: last & STATE.MASK_OFFSET, need: last >>> STATE.NEED_SHIFT };
  }

  // null if the class is refused, else {to} or {program}.
  edge(state, cls) {
    const { base, parent } = this.state(state);
    for (const row of [base, parent]) {
      if (row === undefined) continue;
      const taken = this.takenAs(row >>> STATE.MAP_SHIFT, cls), entry = this.edges[(row & STATE.ROW_OFFSET) + taken];
      if (entry === undefined || entry >>> EDGE.CLASS_SHIFT !== taken) continue;
      const payload = entry & EDGE.PAYLOAD;
      if (entry & EDGE.PROGRAM) return { program: payload };
      return payload === EDGE.REFUSE ? null : { to: payload };
    }
    return null;
  }

  // The branches of a look, as runs of frames: [first frame, last frame, where to]. The first one's target lies at `at`, `pairs` of (frame, target) after it.
  runs(words, at, pairs) {
    const runs = [];
    let first = 0, to = words[at];
    for (let i = 0; i < pairs; i++) {
      const next = words[at + 1 + 2 * i];
      if (next > first) runs.push([first, next - 1, to]);
      first = next;
      to = words[at + 2 + 2 * i];
    }
    return [...runs, [first, this.frameCount - 1, to]];
  }

  // What lies at a program: {depth, branches: runs of frames} or {leaf: [alternative]}.
  program(at) {
    const head = this.programs[at], count = head & PROGRAM.COUNT;
    if (head & PROGRAM.LOOK) return { depth: head >>> PROGRAM.DEPTH_SHIFT, branches: this.runs(this.programs, at + 1, count) };
    const leaf = [];
    for (let i = 0; i < count; i++) {
      const [first, second] = this.programs.subarray(at + 1 + 2 * i);
      const [next, again, pop] = [first & PROGRAM.NEXT, (first & PROGRAM.AGAIN) !== 0, first >>> PROGRAM.POP_SHIFT];
      leaf.push({ next, again, pop, push: second & PROGRAM.FRAME, reserve: second >>> PROGRAM.RESERVE_SHIFT });
    }
    return { leaf };
  }

  // Every way in which a stack can take a class. Frames have the top last; 0 is the bottom.
  ways(state, frames, cls) {
    const edge = this.edge(state, cls);
    if (!edge) return [];
    if (edge.to !== undefined) return [{ state: edge.to, frames, reserve: 0 }];
    let node = this.program(edge.program);
    while (!node.leaf) {
      const frame = frames[frames.length - 1 - node.depth] || 0;
      node = this.program(leadsTo(node.branches, frame));
    }
    return node.leaf.flatMap(a => {
      if (a.pop > frames.length) return [];
      const kept = frames.slice(0, frames.length - a.pop);
      if (a.again) return kept.length < frames.length ? this.ways(a.next, kept, cls) : [];
      return [{ state: a.next, frames: a.push ? [...kept, a.push] : kept, reserve: a.reserve }];
    });
  }

  // All stacks after a class: {stacks} or {error}.
  step(stacks, cls, depth) {
    let next = [], deep = false;
    for (const stack of stacks) {
      for (const moved of this.ways(stack.state, stack.frames, cls)) {
        if (moved.frames.length + moved.reserve > depth) { deep = true; continue; }
        const same = s => s.state === moved.state && s.frames.length === moved.frames.length && s.frames.every((f, i) => f === moved.frames[i]);
        if (next.some(same)) continue;
        // Past a cap, stacks that could not be finished make room; then the first ones stay.
        if (next.length >= this.maxStacks) {
          next = this.finishable(next, depth);
          if (!this.finishable([moved], depth).length) { deep = true; continue; }
        }
        if (next.length < this.maxStacks) next.push(moved);
      }
    }
    if (next.length) return { stacks: next };
    return { error: deep ? 'more frames than there is room for' : 'not allowed by the grammar' };
  }

  // The stacks that can be finished with so many frames.
  finishable(stacks, depth) {
    return stacks.filter(stack => {
      const need = this.state(stack.state).need;
      return need !== STATE.NEVER && need <= depth - stack.frames.length;
    });
  }

  isComplete(stacks, depth) {
    return stacks.some(s => this.ways(s.state, s.frames, this.endClass).some(m => m.frames.length + m.reserve <= depth));
  }

  // A mask node: {sets: [{id, headroom}], look: null or runs of frames}.
  node(at) {
    const head = this.masks[at], count = head & MASK.SETS, sets = [];
    for (let i = 0; i < count; i++) {
      const word = this.masks[at + 1 + i];
      sets.push({ id: word & MASK.SET, headroom: word >>> MASK.HEADROOM_SHIFT });
    }
    if (!(head & MASK.LOOK)) return { sets, look: null };
    return { sets, look: this.runs(this.masks, at + 1 + count, head >>> MASK.CHILDREN_SHIFT & MASK.MAX_CHILDREN) };
  }

  // The ids of the lists at `at`, and where they end.
  list(at) {
    const ids = [];
    if (this.sets[at] & SET.FINE) {
      const total = this.sets[at] & ~SET.FINE, blocks = Math.ceil(this.vocabSize / SET.FINE_BLOCK), lows = at + 1 + Math.ceil(blocks / 4);
      const byte = (from, i) => this.sets[from + (i >> 2)] >>> (i & 3) * 8 & 0xff;
      for (let block = 0; block < blocks; block++) {
        for (let left = byte(at + 1, block); left > 0; left--) ids.push(block * SET.FINE_BLOCK + byte(lows, ids.length));
      }
      return { ids, end: lows + Math.ceil(total / 4) };
    }
    for (let block = 0; block < this.blocks; block++) {
      const count = this.sets[at++];
      for (let i = 0; i < count; i++) ids.push(block * SET.BLOCK + (this.sets[at + (i >> 1)] >>> (i & 1 ? 16 : 0) & 0xffff));
      at += Math.ceil(count / 2);
    }
    return { ids, end: at };
  }

  // A set: its kind, its bits, and the number of ids in lists.
  set(id) {
    if (this.read.has(id)) return this.read.get(id);
    const at = this.setIndex[id], head = this.sets[at], kind = head & SET.KIND, planes = head >>> SET.PLANES_SHIFT & SET.PLANES, least = head >>> SET.LEAST_SHIFT;
    let bits = new Uint32Array(this.maskWords), listed = 0;
    const put = (ids, on) => {
      listed += ids.length;
      for (const i of ids) { if (on) bits[i >> 5] |= 1 << (i & 31); else bits[i >> 5] &= ~(1 << (i & 31)); }
    };
    if (kind === BITMAP) bits = this.sets.slice(at + 1, at + 1 + this.maskWords);
    if (kind === ACCEPT) put(this.list(at + 1).ids, true);
    if (kind === REJECT) {
      bits.fill(0xffffffff);
      if (this.vocabSize % 32) bits[this.maskWords - 1] = 2 ** (this.vocabSize % 32) - 1;
      put(this.list(at + 1).ids, false);
    }
    const bases = kind !== LEVELS ? [] : Array.from(this.sets.slice(at + 1, at + 1 + planes));
    if (bases.length) {
      // The ids whose level is at least `least`; the planes hold its bits, low ones first.
      bits.fill(0xffffffff);
      bases.forEach((base, bit) => this.set(base).bits.forEach((word, i) => {
        if (least >>> bit & 1) bits[i] &= word; else bits[i] |= word;
      }));
      const added = this.list(at + 1 + bases.length);
      put(added.ids, true);
      put(this.list(added.end).ids, false);
    }
    const set = { id, kind: KINDS[kind], bases, least, bits, listed, count: countBits(bits) };
    this.read.set(id, set);
    return set;
  }

  // The mask of stacks: the union of the sets on one walk down each; with a cap on stacks, without the tokens that would be refused.
  mask(stacks, depth) {
    const mask = this.union(stacks, depth);
    if (!this.proved) this.retain(mask, stacks, depth);
    return mask;
  }

  // Takes those tokens out of a mask within which the stacks that could take them are dropped for others.
  retain(mask, stacks, depth) {
    for (const id of idsOf(mask, Infinity)) {
      if (!this.wouldAccept(stacks, id, depth)) mask[id >> 5] &= ~(1 << (id & 31));
    }
  }

  // Whether a token of the mask would be accepted. After the end or one byte no stack has been dropped for another.
  wouldAccept(stacks, id, depth) {
    const meaning = this.meaning(stacks, id, depth);
    return meaning !== null && (meaning.length < 2 || this.accepts(stacks, meaning, depth));
  }

  // Whether stacks are left that can be finished after these classes.
  accepts(stacks, classes, depth) {
    let next = stacks;
    for (const cls of classes) {
      next = this.step(next, cls, depth).stacks;
      if (!next) return false;
    }
    return this.finishable(next, depth).length > 0;
  }

  // The classes of a token as these stacks take it: of the lead and the symbol of a terminal, or of the bytes; none for the end, and null if the token has no meaning here.
  meaning(stacks, id, depth) {
    const bytes = Array.from(this.vocabulary.bytes(id), byte => this.classOf(byte)), ends = this.eos.includes(id);
    if (this.tokens.length) {
      const { cls, isText } = this.listed(id), hasText = isText && bytes.length > 0;
      const mayBeText = hasText && stacks.some(s => this.ways(s.state, s.frames, bytes[0]).length);
      const mayEnd = ends && this.isComplete(stacks, depth);
      // An id without bytes is a terminal only if it has an entry of its own.
      if (cls !== TOKEN.NO_CLASS && !mayBeText && !mayEnd && (!isText || hasText)) return [this.tokens[0] & TOKEN.LEAD, cls];
      if (!isText && !ends) return null;
    }
    if (ends) return [];
    return bytes.length ? bytes : null;
  }

  // The class of a token's symbol, or NO_CLASS, and whether the token is text as well.
  listed(id) {
    const head = this.tokens[0], limits = head >>> TOKEN.LIMITS_SHIFT & TOKEN.LIMITS;
    const entry = this.tokens.subarray(1 + limits).find(entry => entry >>> TOKEN.ID_SHIFT === id);
    if (entry === undefined) return { cls: head >>> TOKEN.OTHERS_SHIFT & TOKEN.NO_CLASS, isText: true };
    return { cls: entry & TOKEN.NO_CLASS, isText: (entry & TOKEN.IS_TEXT) !== 0 };
  }

  // The sets on one walk down each stack.
  union(stacks, depth) {
    const mask = new Uint32Array(this.maskWords);
    for (const { state, frames } of stacks) {
      const room = depth - frames.length;
      let at = this.state(state).mask, below = frames.length - 1;
      while (at !== MASK.NO_NODE) {
        const node = this.node(at);
        for (const { id, headroom } of node.sets) if (headroom <= room) unite(mask, this.set(id).bits);
        if (!node.look || below < -1) break;
        const frame = below >= 0 ? frames[below] : 0;
        at = leadsTo(node.look, frame);
        below -= 1;
      }
    }
    return mask;
  }

  // The steps of a text: raw stacks, those that can be finished, or an error.
  walk(bytes, depth) {
    const first = [{ state: this.start, frames: [] }];
    const steps = [{ byte: null, raw: first, stacks: this.finishable(first, depth) }];
    for (const byte of bytes) {
      const { stacks, error } = this.step(steps[steps.length - 1].raw, this.classOf(byte), depth);
      if (error) { steps.push({ byte, error, raw: [], stacks: [] }); break; }
      steps.push({ byte, raw: stacks, stacks: this.finishable(stacks, depth) });
    }
    return steps;
  }
}

function unite(to, from) { for (let i = 0; i < to.length; i++) to[i] |= from[i]; }

function countBits(words) {
  let count = 0;
  for (let word of words) {
    word -= word >>> 1 & 0x55555555;
    word = (word & 0x33333333) + (word >>> 2 & 0x33333333);
    count += Math.imul(word + (word >>> 4) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

// The ids of a mask, at most `most` of them.
function idsOf(mask, most) {
  const ids = [];
  for (let at = 0; at < mask.length && ids.length < most; at++) {
    for (let rest = mask[at]; rest !== 0 && ids.length < most; rest &= rest - 1) ids.push(32 * at + 31 - Math.clz32(rest & -rest));
  }
  return ids;
}

// FNV-1a of a mask's words, byte by byte.
function hashOf(mask) {
  let hash = 0x811c9dc5;
  for (const word of mask) {
    for (let shift = 0; shift < 32; shift += 8) hash = Math.imul(hash ^ word >>> shift & 255, 0x01000193);
  }
  return hash >>> 0;
}

class Vocabulary {
  constructor(bytes) {
    const words = new Uint32Array(bytes.buffer, 0, bytes.length >> 2);
    this.size = words[VOCABULARY.VOCAB_SIZE];
    const blocks = Math.floor(this.size / VOCABULARY.BLOCK) + 1, halves = Math.floor(this.size / 2) + 1;
    this.blocks = words.subarray(VOCABULARY.HEADER_WORDS, VOCABULARY.HEADER_WORDS + blocks);
    this.relative = new Uint16Array(bytes.buffer, 4 * (VOCABULARY.HEADER_WORDS + blocks), 2 * halves);
    this.data = bytes.subarray(4 * (VOCABULARY.HEADER_WORDS + blocks + halves));
  }
  offset(id) { return this.blocks[Math.floor(id / VOCABULARY.BLOCK)] + this.relative[id]; }
  bytes(id) { return this.data.subarray(this.offset(id), this.offset(id + 1)); }
}
