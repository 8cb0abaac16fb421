// SPDX-License-Identifier: MIT

import { table } from '../../tools/story/report.mjs';
import {
  answerRight,
  callRight,
  editFaults,
  fieldRight,
  fieldsRight,
  overlappingSentence,
  requestRight,
} from '../../tools/story/score.mjs';
import { brokenOff, mentions, repeated, sentences } from '../../tools/story/words.mjs';

const story =
  'Mrs. Finch had a blue hen. "Lay an egg!" she said every day. One day the hen laid a golden egg ' +
  'behind the barn. Mrs. Finch gave it to her son Tom.';

describe('an answer', () => {
  const wanted = { accept: ['barn', 'behind the barn'], reject: ['house'] };

  test.each([
    ['It was behind the barn.', true],
    ['The BARN!', true],
    ["At the barn's door", true],
    ['It was behind the barns.', false],
    ['It was behind the house, near the barn.', false],
    ['In a barnyard', false],
    ['', false],
    [`${'So it was that '.repeat(10)} behind the barn.`, false],
  ])('%j is right: %p', (text, right) => {
    expect(answerRight(text, wanted)).toBe(right);
  });

  test('has all that it must have', () => {
    const both = { accept: ['Tom'], all: ['egg'], reject: [] };
    expect(answerRight('Tom has the egg.', both)).toBe(true);
    expect(answerRight('Tom has it.', both)).toBe(false);
  });

  test('may be long where a story is asked for, and anything where nothing is', () => {
    const long = `${'Once more and again '.repeat(12)} Tom ran.`;
    expect(answerRight(long, { accept: ['Tom'], reject: [], long: true })).toBe(true);
    expect(answerRight('Nice!', { accept: [], reject: [] })).toBe(true);
    expect(answerRight(' ', { accept: [], reject: [] })).toBe(false);
  });

  test('phrases are words next to each other', () => {
    expect(mentions('Under the old oak tree.', 'oak tree')).toBe(true);
    expect(mentions('A tree, an oak', 'oak tree')).toBe(false);
  });
});

test('the floor copies the sentence that shares most words with the question', () => {
  expect(overlappingSentence(story, 'Where did the hen lay the golden egg?')).toMatch(/^One day/);
  expect(overlappingSentence(story, 'Who is the son of Mrs. Finch?')).toMatch(/her son Tom\.$/);
  // Small words count for nothing: the first of all.
  expect(overlappingSentence(story, 'Who was it for?')).toBe('Mrs. Finch had a blue hen.');
});

describe('JSON', () => {
  const fields = {
    name: ['Finch', 'Mrs Finch'],
    eggs: [1],
    colours: { items: [['blue'], ['gold']] },
  };
  const good = { name: 'Mrs. Finch', eggs: 1, colours: ['gold', 'blue'] };

  test('is right field by field', () => {
    expect(fieldsRight(JSON.stringify(good), fields)).toEqual(['name', 'eggs', 'colours']);
    expect(fieldsRight(JSON.stringify({ ...good, eggs: 2 }), fields)).toEqual(['name', 'colours']);
    expect(fieldsRight('{"name": "Finch"', fields)).toEqual([]);
    expect(fieldsRight('null', fields)).toEqual([]);
  });

  test.each([
    ['the barn', ['barn'], true],
    ['A Barn.', ['barn'], true],
    ['old barn', ['barn'], false],
    ['barns', ['barn'], false],
    ['', ['barn'], false],
    ['1', [1], false],
    [['blue'], { items: [['blue'], ['gold']] }, false],
    [['blue', 'blue'], { items: [['blue'], ['gold']] }, false],
    [['blue', 'gold', 'red'], { items: [['blue'], ['gold']] }, false],
    ['blue', { items: [['blue']] }, false],
  ])('%j for %j: %p', (value, field, right) => {
    expect(fieldRight(value, field)).toBe(right);
  });
});

describe('a call', () => {
  const call = (sides, count) => ({ name: 'roll_dice', arguments: { sides, count } });

  test('has the name, all arguments and no others', () => {
    const swapped = { name: 'roll_dice', arguments: { count: 2, sides: 6 } };
    expect(callRight([call(6, 2)], swapped)).toBe(true);
    expect(callRight([call(2, 6)], call(6, 2))).toBe(false);
    expect(callRight([{ name: 'roll_dice', arguments: { sides: 6 } }], call(6, 2))).toBe(false);
    const more = { name: 'roll_dice', arguments: { sides: 6, count: 2, again: true } };
    expect(callRight([more], call(6, 2))).toBe(false);
    expect(callRight([{ ...call(6, 2), name: 'pick_name' }], call(6, 2))).toBe(false);
  });

  test('comes once, or not where none is expected', () => {
    expect(callRight([call(6, 2), call(6, 2)], call(6, 2))).toBe(false);
    expect(callRight([], call(6, 2))).toBe(false);
    expect(callRight([], null)).toBe(true);
    expect(callRight([call(6, 2)], null)).toBe(false);
  });
});

describe('an edit', () => {
  const edit = { story: 'hen', ask: '', leastWords: 4, mostWords: 8, says: [['hen', 'egg']] };

  test('keeps to its words, their number and that of sentences', () => {
    expect(editFaults('The hen laid gold.', story, edit)).toEqual([]);
    expect(editFaults('The hens lay gold.', story, edit)).toEqual(['does not say hen or egg']);
    expect(editFaults('A hen!', story, edit)).toEqual(['too short']);
    expect(editFaults('One day the hen laid a very golden egg.', story, edit)).toEqual([
      'too long',
    ]);
    const one = { ...edit, mostSentences: 1 };
    expect(editFaults('A hen. It laid.', story, one)).toEqual(['too many sentences']);
    expect(editFaults('The hen loves Tom.', story, { ...edit, saysNot: ['tom'] })).toEqual([
      'says tom',
    ]);
  });

  test('is in the first person where the narrator is, not somebody in quotes', () => {
    const own = { story: 'hen', ask: '', leastWords: 1, firstPerson: true };
    expect(editFaults('I laid an egg.', story, own)).toEqual([]);
    expect(editFaults("I'm a hen.", story, own)).toEqual([]);
    expect(editFaults('"I laid an egg," said the hen.', story, own)).toEqual([
      'not in first person',
    ]);
  });

  test('is new where it must be', () => {
    const ending = { story: 'hen', ask: '', leastWords: 4, fresh: 0.5 };
    const kept = 'One day the hen laid a golden egg';
    expect(editFaults(`${kept} again.`, story, ending)).toEqual(['copied']);
    expect(
      editFaults(`${kept} and Tom ate it with salt and a lot of bread.`, story, ending),
    ).toEqual([]);
  });
});

test('a requested story has every wish, and is no list of them', () => {
  const request = { ask: '', must: [['hen'], ['egg', 'eggs']] };
  const long = 'and then they went on to the next farm '.repeat(8);
  expect(requestRight(`The hen had eggs ${long}`, request)).toEqual({ had: 2, right: true });
  expect(requestRight(`The hen slept ${long}`, request)).toEqual({ had: 1, right: false });
  expect(requestRight('The hen had eggs.', request)).toEqual({ had: 2, right: false });
});

test('a sentence ends at its mark, but not behind a title or before its own end', () => {
  expect(sentences(story)).toHaveLength(4);
  expect(sentences('"Stop!" cried the man. He ran.\nThe end')).toEqual([
    '"Stop!" cried the man.',
    'He ran.',
    'The end',
  ]);
});

test('counts runs of four words that come again', () => {
  expect(repeated('one two three four five')).toEqual({ repeated: 0, of: 2 });
  expect(repeated('One two three four. One two three four!')).toEqual({ repeated: 1, of: 5 });
  expect(repeated('too short')).toEqual({ repeated: 0, of: 0 });
});

test.each([
  [story, false, 0],
  ['The Hen\n\nIt slept.', false, 0],
  ['She said:\n"Good night!"', false, 0],
  ['It was dark, and then...', false, 0],
  ['It was his. What is it for?', false, 0],
  ['It was dark and the hen', false, 1],
  ['It was dark and the hen', true, 0],
  ['The hen went all the way home to sleep in\n\nThen it slept.', true, 1],
  ['They went to the. Then they slept.', false, 1],
  ['They saw the Then they slept.', false, 1],
  ['A hen slept because.\nTom saw a She flew', false, 3],
])('of %j (cut: %p) %p sentences are broken off', (text, cut, broken) => {
  expect(brokenOff(text, cut)).toBe(broken);
});

test('the table has what was asked, beside what is right without a model', () => {
  const heldout = {
    stories: [{ id: 'hen', title: '', text: story }],
    questions: [
      {
        story: 'hen',
        kind: 'where',
        ask: 'Where was the golden egg?',
        accept: ['barn'],
        reject: [],
      },
      { story: 'hen', kind: 'who', ask: 'Who laid a golden egg?', accept: ['Tom'], reject: [] },
    ],
    calls: { tools: [], tasks: [] },
    ...{ extractions: [], talks: [], edits: [], requests: [] },
  };
  const [where, who] = heldout.questions.map(({ kind }) => ({ kind, ask: '', texts: [''] }));
  const answers = [
    { ...where, right: true },
    { ...who, right: true },
  ];
  const shown = table({ ...heldout }, { answers: [...answers] }, undefined);
  expect(shown).toContain('| answers | 100.0 % | 2 of 2 | 50.0 % |');
  expect(shown).toContain('| - who | 100.0 % | 1 of 1 | 0.0 % |');
  const requests = [{ right: true, ask: '', texts: ['Tom sat. Tom sat in the'], had: 1, of: 2 }];
  const second = table(heldout, { requests }, { tokens: 9, perplexity: 2, bitsPerByte: 1 });
  expect(second).toContain('| - wishes in them | 50.0 % | 1 of 2 |  |');
  expect(second).toContain('| 166.67 | 1 in 6 words |');
  expect(second).toContain('| perplexity of the stories | 2.0 | 9 tokens |  |');
});
