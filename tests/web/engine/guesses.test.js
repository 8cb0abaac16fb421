// SPDX-License-Identifier: MIT
import fc from 'fast-check';
import { GuessPolicy } from '../../../build/web/engine/guess-policy.js';
import { PromptLookup } from '../../../build/web/engine/prompt-lookup.js';

function lookup(tokens) {
  const text = new PromptLookup();
  for (const token of tokens) text.push(token);
  return text;
}

describe('a lookup', () => {
  test('finds what followed the last three tokens when they stood there last', () => {
    const text = lookup([1, 2, 3, 4, 9, 1, 2, 3, 5, 6, 7, 1, 2, 3]);
    expect(text.guess(7)).toEqual([5, 6, 7, 1, 2, 3]);
    expect(text.guess(2)).toEqual([5, 6]);
    text.push(4);
    expect(text.guess(3)).toEqual([9, 1, 2]);
  });

  test('finds nothing for what was not said, or too short a text', () => {
    expect(lookup([]).guess(5)).toEqual([]);
    expect(lookup([1, 2, 3]).guess(5)).toEqual([]);
    expect(lookup([1, 2, 3, 4, 5, 6, 2, 3, 5]).guess(5)).toEqual([]);
  });

  test('gives what the text itself has at such a place, in any text', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2), { maxLength: 60 }), fc.nat(7), (tokens, most) => {
        const places = [];
        for (let at = 3; at < tokens.length; at++) {
          if (tokens.slice(at - 3, at).join() === tokens.slice(-3).join()) places.push(at);
        }
        const place = places.at(-1);
        const expected = place === undefined ? [] : tokens.slice(place, place + most);
        expect(lookup(tokens).guess(most)).toEqual(expected);
      }),
    );
  });
});

describe('a policy', () => {
  /** Guesses made and milliseconds for each token, where a row more costs so much of a pass. */
  function run(rowCost, isRight, kind = 'said', tokens = 2000) {
    const policy = new GuessPolicy(7);
    let [guessed, ms] = [0, 0];
    for (let token = 0; token < tokens; ) {
      const count = policy.plan(Array(7).fill(kind)).count;
      let right = 0;
      while (right < count && isRight(token + right)) right++;
      const took = 10 * (1 + rowCost * count);
      policy.learn(Array(count).fill(kind), right, took);
      guessed += count;
      ms += took;
      token += right + 1;
    }
    return { guessed, msPerToken: ms / tokens };
  }

  test('guesses as much as it may where all is right and a row costs little', () => {
    const { msPerToken } = run(0.1, () => true);
    // Eight tokens for 1.7 passes are 2.1 ms each.
    expect(msPerToken).toBeLessThan(2.3);
  });

  test('costs no more than a few in a hundred where all is wrong', () => {
    expect(run(0.3, () => false).msPerToken).toBeLessThan(10.3);
  });

  test('gives up where a row costs as much as a pass', () => {
    const { guessed, msPerToken } = run(1, () => true);
    expect(guessed).toBeLessThan(100);
    expect(msPerToken).toBeLessThan(10.3);
  });

  test('does not wait to see that what must follow does', () => {
    const policy = new GuessPolicy(7);
    policy.learn([], 0, 10);
    expect(policy.plan(['only', 'only', 'only']).count).toBe(3);
    expect(policy.plan(['only', 'only', 'said', 'said', 'said']).count).toBeGreaterThan(2);
    for (let i = 0; i < 30; i++) policy.learn(['only', 'said'], 1, 14);
    expect(policy.plan(['only', 'said', 'only']).count).toBe(1);
    expect(policy.plan(['only', 'longest']).count).toBe(2);
  });

  test('notices that a text begins to repeat itself', () => {
    const { msPerToken } = run(0.2, (token) => token >= 1000);
    expect(msPerToken).toBeLessThan(7.5);
  });

  test('guesses nothing before it knows what a token takes', () => {
    expect(new GuessPolicy(7).plan(Array(7).fill('only')).count).toBe(0);
  });
});
