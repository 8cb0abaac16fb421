// SPDX-License-Identifier: MIT
// Byte-level byte-pair encoding straight from its definition, as slow as it is plain: GPT-2's byte
// alphabet, then the lowest-ranked pair anywhere, leftmost first, again and again.

export const ALPHABET = (() => {
  const printable = [];
  for (let b = 33; b <= 126; b++) printable.push(b);
  for (let b = 161; b <= 172; b++) printable.push(b);
  for (let b = 174; b <= 255; b++) printable.push(b);
  const chars = new Array(256);
  let extra = 0;
  for (let b = 0; b < 256; b++) {
    chars[b] = String.fromCodePoint(printable.includes(b) ? b : 256 + extra++);
  }
  return chars;
})();

export const toAlphabet = (text) =>
  Array.from(new TextEncoder().encode(text), (b) => ALPHABET[b]).join('');

export function encodeWord(word, ids, ranks, ignoreMerges) {
  const text = toAlphabet(word);
  if (ignoreMerges && ids.has(text)) return [ids.get(text)];
  const pieces = [...text];
  for (;;) {
    let best = Infinity;
    let at = -1;
    for (let i = 0; i + 1 < pieces.length; i++) {
      const rank = ranks.get(`${pieces[i]} ${pieces[i + 1]}`) ?? Infinity;
      if (rank < best) [best, at] = [rank, i];
    }
    if (at < 0) return pieces.map((piece) => ids.get(piece));
    pieces.splice(at, 2, pieces[at] + pieces[at + 1]);
  }
}

/** Numbers in [0, 1) that are the same in every run. */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/** A vocabulary of the 256 bytes and random merges that prefer what `samples` contain. */
export function makeVocabulary(samples, size, random) {
  const tokens = [...ALPHABET];
  const merges = [];
  const known = new Set(tokens);
  const words = samples.map((word) => [...toAlphabet(word)]);
  for (let tries = 0; tokens.length < size && tries < size * 50; tries++) {
    let left;
    let right;
    if (random() < 0.9) {
      const word = words[Math.floor(random() * words.length)];
      const from = Math.floor(random() * word.length);
      const text = word.slice(from, from + 2 + Math.floor(random() * 6)).join('');
      const cuts = [];
      for (let cut = 1; cut < text.length; cut++) {
        if (known.has(text.slice(0, cut)) && known.has(text.slice(cut))) cuts.push(cut);
      }
      if (cuts.length === 0) continue;
      const cut = cuts[Math.floor(random() * cuts.length)];
      [left, right] = [text.slice(0, cut), text.slice(cut)];
    } else {
      left = tokens[Math.floor(random() * tokens.length)];
      right = tokens[Math.floor(random() * tokens.length)];
    }
    if (merges.includes(`${left} ${right}`)) continue;
    merges.push(`${left} ${right}`);
    if (known.has(left + right)) continue;
    known.add(left + right);
    tokens.push(left + right);
  }
  return { tokens, merges };
}
