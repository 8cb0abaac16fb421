// SPDX-License-Identifier: MIT

/** @import { Tool, ToolCall } from 'fastweights' */

const NAMES = {
  girl: ['Lily', 'Mia', 'Nora', 'Ada', 'Ruth'],
  boy: ['Oliver', 'Pip', 'Tom', 'Emil', 'Hugo'],
  animal: ['Rusty', 'Snowball', 'Bramble', 'Pebble', 'Moss'],
};

/** What the model may call. @type {readonly Tool[]} */
export const TOOLS = [
  {
    name: 'roll_dice',
    description: 'Rolls dice and says what they show.',
    parameters: {
      type: 'object',
      properties: {
        count: { type: 'integer', minimum: 1, maximum: 5 },
        sides: { type: 'integer', minimum: 2, maximum: 100 },
      },
      required: ['count', 'sides'],
    },
  },
  {
    name: 'pick_name',
    description: 'Picks a name for somebody in a story.',
    parameters: {
      type: 'object',
      properties: { of: { enum: Object.keys(NAMES) } },
      required: ['of'],
    },
  },
];

/** @type {<Item>(items: readonly Item[]) => Item} */
const anyOf = (items) => items[Math.floor(Math.random() * items.length)];

/** @param {unknown} value */
function whole(value) {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= 1000) return number;
  throw new RangeError(`${JSON.stringify(value)} is no whole number from 1 to 1000`);
}

/** @type {Record<string, (given: ToolCall['arguments']) => unknown>} */
const RUNS = {
  roll_dice({ count = 1, sides = 6 }) {
    const most = whole(sides);
    return Array.from({ length: whole(count) }, () => 1 + Math.floor(Math.random() * most));
  },
  pick_name({ of }) {
    return anyOf(NAMES[/** @type {keyof NAMES} */ (of)] ?? Object.values(NAMES).flat());
  },
};

/**
 * Does what a call asks for.
 *
 * @param {ToolCall} call
 * @returns {string} the result, or in words why there is none, as the model is told it
 */
export function run({ name, arguments: given }) {
  if (!Object.hasOwn(RUNS, name)) return `error: this page has no tool called ${name}`;
  try {
    return JSON.stringify(RUNS[name](given));
  } catch (error) {
    return `error: ${/** @type {Error} */ (error).message}`;
  }
}
