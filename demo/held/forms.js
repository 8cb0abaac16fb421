// SPDX-License-Identifier: MIT
import { TOOLS } from './tools.js';

/**
 * @import { Constraint, Tool } from 'fastweights'
 *
 * One way to hold an answer to a form.
 * @typedef {object} Form
 * @property {string} label of the text that states it
 * @property {{ name: string, text: string, prompt: string }[]} examples the first one is shown first
 * @property {(text: string) => Constraint | readonly Tool[]} read throws an Error in words
 */

/** @param {unknown} value */
const pretty = (value) => JSON.stringify(value, null, 2);

/** @type {(text: string, what: string) => any} */
function parsed(text, what) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(`${what} is not JSON yet: ${/** @type {Error} */ (error).message}`);
  }
}

const CREATURE = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 20 },
    kind: { enum: ['fox', 'bear', 'owl', 'robot'] },
    age: { type: 'integer', minimum: 1, maximum: 120 },
    likes: { type: 'array', items: { type: 'string', maxLength: 16 }, minItems: 1, maxItems: 3 },
  },
  required: ['name', 'kind', 'age', 'likes'],
  additionalProperties: false,
};

const MEETING = {
  type: 'object',
  properties: {
    day: { type: 'string', format: 'date' },
    place: { enum: ['at the river', 'on the hill', 'in the forest'] },
    brings: { oneOf: [{ type: 'string', maxLength: 20 }, { type: 'null' }] },
  },
  required: ['day', 'place', 'brings'],
  additionalProperties: false,
};

const STORY_GRAMMAR = `root ::= opening " " hero " who " deed "."
opening ::= "Once there was" | "Long ago there lived"
hero ::= "a " size " " animal
size ::= "small" | "big" | "very " size
animal ::= "fox" | "bear" | "owl"
deed ::= [a-z ]{8,40}`;

/** @type {Record<string, Form>} */
export const FORMS = {
  schema: {
    label: 'JSON schema',
    examples: [
      { name: 'A creature', text: pretty(CREATURE), prompt: 'Describe a brave fox named Lily.' },
      { name: 'A meeting', text: pretty(MEETING), prompt: 'When and where do the friends meet?' },
      { name: 'Any JSON', text: '{ "type": "object" }', prompt: 'Describe a mouse.' },
    ],
    read: (text) => ({ type: 'json_schema', schema: parsed(text, 'The schema') }),
  },
  regex: {
    label: 'Regular expression, which the whole answer matches',
    examples: [
      { name: 'A date', text: String.raw`\d{4}-(0[1-9]|1[0-2])-\d\d`, prompt: 'When was that?' },
      {
        name: 'Two sentences',
        text: String.raw`([A-Z][a-z ,]{10,60}\. ?){2}`,
        prompt: 'Write a story about a mouse named Oliver.',
      },
      { name: 'Shouting', text: '[A-Z ]{4,30}!', prompt: 'What did the bear say?' },
    ],
    read: (text) => ({ type: 'regex', pattern: text }),
  },
  choice: {
    label: 'The answers to choose from, one a line',
    examples: [
      { name: 'Mood', text: 'happy\nsad\nneither', prompt: 'Lily found her lamp. How is she?' },
      {
        name: 'Heroes',
        text: 'a fox\na bear\na robot\nthe old lighthouse keeper',
        prompt: 'Who is the story about?',
      },
    ],
    read: (text) => ({
      type: 'choice',
      options: text.split('\n').filter((line) => line !== ''),
    }),
  },
  grammar: {
    label: 'Grammar, in GBNF',
    examples: [
      { name: 'A sentence', text: STORY_GRAMMAR, prompt: 'Begin a story.' },
      {
        name: 'Sums',
        text: 'root ::= sum "=" digits\nsum ::= digits ("+" digits)+\ndigits ::= [1-9] [0-9]{0,2}',
        prompt: 'How many lamps are there?',
      },
    ],
    read: (text) => ({ type: 'grammar', grammar: text }),
  },
  tools: {
    label: 'The tools; this page runs those called roll_dice and pick_name',
    examples: [
      { name: 'Both tools', text: pretty(TOOLS), prompt: 'Roll a die with six sides!' },
      { name: 'Only the dice', text: pretty(TOOLS.slice(0, 1)), prompt: 'Roll two dice.' },
    ],
    read(text) {
      const tools = parsed(text, 'The list of tools');
      if (Array.isArray(tools)) return tools;
      throw new TypeError('The tools must be a list: [ { "name": … } ]');
    },
  },
};
