// SPDX-License-Identifier: MIT
import fc from 'fast-check';
import { choicesOf, has } from '../../../build/web/engine/choices.js';
import { Habits } from '../../../build/web/engine/habits.js';

/** A mask of 1000 tokens. */
function maskOf(ids) {
  const mask = new Int32Array(32);
  for (const id of ids) mask[id >> 5] |= 1 << (id & 31);
  return mask;
}
const choices = (...ids) => choicesOf(maskOf(ids));

describe('the choices of a mask', () => {
  test('are its tokens in order, where these are few', () => {
    const few = fc.uniqueArray(fc.nat(999), { maxLength: 64 });
    fc.assert(
      fc.property(few, (ids) => {
        expect(choices(...ids)?.ids).toEqual([...ids].sort((a, b) => a - b));
        for (const id of ids) expect(has(maskOf(ids), id)).toBe(true);
        expect(has(maskOf(ids), (ids[0] ?? 0) + 1)).toBe(ids.includes((ids[0] ?? 0) + 1));
      }),
    );
    expect(choicesOf(maskOf(Array.from({ length: 65 }, (_, i) => 7 * i)))).toBeUndefined();
  });
});

describe('habits', () => {
  test('are what was taken among the same choices, behind the same token if it was there', () => {
    const habits = new Habits();
    expect(habits.guess(choices(1, 2), 9)).toBeUndefined();
    habits.learn(choices(1, 2), 9, 2);
    habits.learn(choices(1, 2), 8, 1);
    expect(habits.guess(choices(1, 2), 9)).toMatchObject({ id: 2 });
    expect(habits.guess(choices(1, 2), 8)).toMatchObject({ id: 1 });
    expect(habits.guess(choices(1, 2), 7)).toBeDefined();
    expect(habits.guess(choices(1, 3), 9)).toBeUndefined();
  });

  test('are surer the more often they were right, and give way where they are not', () => {
    const habits = new Habits();
    const likely = () => habits.guess(choices(1, 2), 9);
    habits.learn(choices(1, 2), 9, 2);
    const once = likely().likely;
    for (let i = 0; i < 20; i++) habits.learn(choices(1, 2), 9, 2);
    expect(likely().likely).toBeGreaterThan(Math.max(once, 0.98));
    for (let i = 0; i < 3; i++) habits.learn(choices(1, 2), 9, 1);
    expect(likely()).toMatchObject({ id: 2 });
    for (let i = 0; i < 3; i++) habits.learn(choices(1, 2), 9, 1);
    expect(likely()).toMatchObject({ id: 1 });
    // What is never the same is no habit.
    for (let i = 0; i < 60; i++) habits.learn(choices(1, 2, 3, 4, 5), 9, 1 + (i % 5));
    expect(habits.guess(choices(1, 2, 3, 4, 5), 9).likely).toBeLessThan(0.55);
  });

  test('of long ago are forgotten, however many texts there were', () => {
    const habits = new Habits();
    habits.learn(choices(1, 2), 9, 2);
    for (let i = 0; i < 20_000; i++) habits.learn(choices(3, 4), i, 3);
    expect(habits.guess(choices(1, 2), 9)).toBeUndefined();
    expect(habits.guess(choices(3, 4), 19_999)).toMatchObject({ id: 3 });
    expect(habits.guess(choices(3, 4), 1)).toMatchObject({ id: 3 });
  });
});
