// SPDX-License-Identifier: MIT
import { split } from '../../../build/web/text/hub-splits.js';

// The example of Hugging Face's documentation of SplitDelimiterBehavior, and its opposites.
test.each([
  ['removed', false, ['the', 'final', 'countdown']],
  ['isolated', false, ['the', '-', 'final', '-', '-', 'countdown']],
  ['merged_with_previous', false, ['the-', 'final-', '-', 'countdown']],
  ['merged_with_next', false, ['the', '-final', '-', '-countdown']],
  ['contiguous', false, ['the', '-', 'final', '--', 'countdown']],
  ['removed', true, ['-', '-', '-']],
  ['isolated', true, ['the', '-', 'final', '-', '-', 'countdown']],
  ['merged_with_previous', true, ['the', '-final', '-', '-countdown']],
  ['merged_with_next', true, ['the-', 'final-', '-', 'countdown']],
  ['contiguous', true, ['the', '-', 'final', '--', 'countdown']],
])('%s, inverted: %s', (behavior, invert, words) => {
  expect(split('the-final--countdown', { pattern: /-/gu, behavior, invert })).toEqual(words);
});

test('an empty match cuts', () => {
  const how = { pattern: /(?=😀)/gu, behavior: 'isolated', invert: false };
  expect(split('a😀😀b', how)).toEqual(['a', '😀', '😀b']);
});
