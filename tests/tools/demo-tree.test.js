// SPDX-License-Identifier: MIT
// The demo's conversations: a tree, and what becomes of it when it is stored.
import fc from 'fast-check';
import { Tree } from '../../demo/talk/tree.js';
import { readTree, storeTree } from '../../demo/talk/tree-file.js';
import { rowsOf } from '../../demo/talk/tree-view.js';

/** A tree as a page makes it: questions, answers, and answers that part from others. */
function grown(steps) {
  const tree = new Tree();
  for (const [where, words, pieces] of steps) {
    const turns = [tree.root, ...tree.turns()];
    const place = turns[where % turns.length];
    const isAnswer = place.role === 'assistant' && place !== tree.root;
    if (isAnswer && pieces > 0 && place.ends.length > 0) {
      tree.current = tree.fork(place, pieces % place.ends.length);
      tree.current.add(words);
      continue;
    }
    if (place !== tree.root && !isAnswer) {
      tree.current = tree.add(place, 'assistant', pieces > 5 ? 'So ' : '');
      for (const word of words.split(' ')) tree.current.add(word);
      tree.current.cost = { backMs: 1, again: pieces, seed: 3, finishReason: 'stop' };
    } else tree.current = tree.ask(place, words);
  }
  return tree;
}

const growing = fc.array(
  fc.tuple(fc.nat(50), fc.constantFrom('a', 'b c', 'd e f', ''), fc.nat(9)),
  { maxLength: 25 },
);

test('a stored tree is the same again, and adds nothing to itself', () => {
  fc.assert(
    fc.property(growing, (steps) => {
      const tree = grown(steps);
      const stored = JSON.stringify(storeTree(tree));
      const read = readTree(JSON.parse(stored));
      expect(JSON.stringify(storeTree(read))).toBe(stored);
      const merged = new Tree();
      merged.merge(read);
      const size = [...merged.turns()].length;
      merged.merge(readTree(JSON.parse(stored)));
      expect([...merged.turns()]).toHaveLength(size);
      expect(merged.current.path.map(({ text }) => text)).toEqual(
        tree.current.path.map(({ text }) => text),
      );
    }),
  );
});

test('what was stored by anybody is a tree, or an error that says what is wrong', () => {
  fc.assert(
    fc.property(growing, fc.nat(), fc.jsonValue(), (steps, place, value) => {
      const stored = JSON.parse(JSON.stringify(storeTree(grown(steps))));
      const turns = stored.turns.length;
      if (turns > 0) {
        const turn = stored.turns[place % turns];
        const keys = Object.keys(turn);
        turn[keys[place % keys.length]] = value;
      } else stored.turns = value;
      let read;
      try {
        read = readTree(stored);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
        expect(error.message).toMatch(/the conversation/);
        return;
      }
      for (const { text, ends, given, lead } of read.turns()) {
        for (const end of [...ends, given, lead]) {
          expect(end).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(text.length);
        }
      }
    }),
  );
});

test('a branch begins a lane of its own, and what follows it stays there', () => {
  const tree = new Tree();
  const first = tree.ask(tree.root, 'first');
  const one = tree.add(first, 'assistant', '');
  one.add('One');
  one.add(' two');
  const two = tree.fork(one, 1);
  expect(two.text).toBe('One');
  const after = tree.ask(two, 'after');
  const third = tree.ask(one, 'third');
  expect([...rowsOf(tree.root)]).toEqual([
    { turn: first, lane: 0 },
    { turn: one, lane: 0 },
    { turn: third, lane: 0 },
    { turn: two, lane: 1 },
    { turn: after, lane: 1 },
  ]);
  // The same question is the same place; messages of a session find their way along it.
  expect(tree.ask(two, 'after')).toBe(after);
  expect(tree.adopt(after.path.map(({ message }) => message))).toBe(after);
  tree.remove(two);
  expect(tree.current).toBe(first);
});
