// SPDX-License-Identifier: MIT

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { kHeldoutFolder, readHeldout } from '../../tools/story/heldout.mjs';
import { answerRight, editFaults, fieldsRight } from '../../tools/story/score.mjs';
import { brokenOff, mentions, repeated, words } from '../../tools/story/words.mjs';

const heldout = await readHeldout();
const { stories, questions, extractions, calls, talks, edits, requests } = heldout;
const ajv = new Ajv2020();
const textOf = (id) => stories.find((story) => story.id === id).text;
const kMostBytes = 250_000;

/** Every value of a list, in the place of one: all JSON that is right. */
function goodValues(field) {
  return Array.isArray(field) ? field : [field.items.map(([first]) => first)];
}

test('the files are small and have what they are said to have', async () => {
  const names = await readdir(kHeldoutFolder);
  const sizes = await Promise.all(names.map((name) => stat(join(kHeldoutFolder, name))));
  expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(kMostBytes);
  expect(
    [stories, questions, extractions, calls.tasks, talks, edits, requests].map((l) => l.length),
  ).toEqual([40, 240, 60, 60, 10, 30, 30]);
});

test('stories are short, plain, and each has its own name', () => {
  expect(new Set(stories.map(({ id }) => id)).size).toBe(stories.length);
  for (const { id, text } of stories) {
    const length = text.split(/\s+/).length;
    expect([id, length >= 90 && length <= 200]).toEqual([id, true]);
    expect(text).toMatch(/^[ -~\n]+$/);
  }
});

test('no sentence of a story is broken off; where it is cut within one, one is', () => {
  for (const { id, text: whole } of stories) {
    // One is a letter: its signature is no sentence.
    const text = whole.replace(/\n\nLove, Felix$/, '');
    expect([id, brokenOff(text, false)]).toEqual([id, 0]);
    const cut = text.slice(0, text.lastIndexOf(' ')).replace(/[^\w]+$/, '');
    expect([id, brokenOff(cut, false), brokenOff(cut, true)]).toEqual([id, 1, 0]);
    expect([id, repeated(text).repeated < 5]).toEqual([id, true]);
  }
});

test('each story has six questions, of every kind', () => {
  for (const { id } of stories) {
    const kinds = questions.filter(({ story }) => story === id).map(({ kind }) => kind);
    expect([id, ...kinds]).toEqual([id, 'who', 'what', 'where', 'why', 'free', 'free']);
  }
});

test('every accepted answer is right, none stands in its question, one stands in the story', () => {
  const wrong = questions.filter(({ story, ask, accept, reject }) => {
    const known = accept.some((answer) => mentions(textOf(story), answer));
    const told = accept.some((answer) => mentions(ask, answer));
    const right = accept.every((answer) => answerRight(answer, { accept: [answer], reject }));
    return accept.length === 0 || !right || told || !known;
  });
  expect(wrong).toEqual([]);
});

test('the JSON that is asked for is of its schema, with each accepted value', () => {
  for (const { ask, schema, fields } of extractions) {
    const validate = ajv.compile(schema);
    const first = Object.entries(fields).map(([key, field]) => [key, goodValues(field)[0]]);
    for (const [key, field] of Object.entries(fields)) {
      expect(ask).toContain(`"${key}"`);
      for (const value of goodValues(field)) {
        const whole = { ...Object.fromEntries(first), [key]: value };
        // Names of colours and days are told apart by case in a schema alone.
        const written = enumerated(schema, whole);
        expect([ask, validate(written)]).toEqual([ask, true]);
        expect([ask, ...fieldsRight(JSON.stringify(written), fields)]).toEqual([
          ask,
          ...Object.keys(fields),
        ]);
      }
    }
  }
});

function enumerated(schema, value) {
  const entries = Object.entries(value).map(([key, one]) => {
    const options = schema.properties[key].enum ?? [one];
    return [key, options.find((option) => String(option).toLowerCase() === String(one)) ?? one];
  });
  return Object.fromEntries(entries);
}

test('expected calls are of their tools', () => {
  const schemas = Object.fromEntries(
    calls.tools.map(({ name, parameters }) => [name, ajv.compile(parameters)]),
  );
  for (const { ask, call } of calls.tasks) {
    if (call) expect([ask, schemas[call.name](call.arguments)]).toEqual([ask, true]);
  }
  expect(calls.tasks.filter(({ call }) => call === null)).toHaveLength(18);
});

test('talks have two turns, about a story that there is', () => {
  for (const { story, turns } of talks) {
    expect(turns).toHaveLength(2);
    for (const { accept, all = [], reject } of turns) {
      const best = [accept[0] ?? 'Nice', ...all].join(' ');
      expect(answerRight(best, { accept, all, reject })).toBe(true);
      if (story) expect(accept.some((answer) => mentions(textOf(story), answer))).toBe(true);
    }
  }
});

test('no edit is right that changes nothing', () => {
  for (const edit of edits) {
    const text = textOf(edit.story);
    expect([edit.ask, editFaults(text, text, edit).length > 0]).toEqual([edit.ask, true]);
  }
});

test('a request asks for what must be in its story', () => {
  for (const { ask, must } of requests) {
    for (const any of must) {
      const stems = any.map((word) => word.slice(0, 3));
      const asked = words(ask).some((word) => stems.some((stem) => word.startsWith(stem)));
      expect([ask, any, asked]).toEqual([ask, any, true]);
    }
  }
});
