// SPDX-License-Identifier: MIT
import type { InputFacts } from '../wasm/memory-glue.js';
import type { Numbers } from './rules.js';
import { checkNumbers } from './settings.js';

/**
 * Checks what tokens bring.
 *
 * @param known the inputs of the rule, whose name is for people
 * @param tokens by default as many as the first input holds
 * @returns the inputs in the rule's order; undefined for an optional one that is not given
 * @throws TypeError or RangeError naming the input
 */
export function checkInputs(
  known: readonly InputFacts[],
  rule: string,
  inputs: unknown,
  tokens: number | undefined,
): { tokens: number; values: (Numbers | undefined)[] } {
  if (typeof inputs !== 'object' || inputs === null) {
    throw new TypeError('inputs must be an object of arrays');
  }
  const given = inputs as Record<string, unknown>;
  for (const name of Object.keys(given)) {
    if (known.some((input) => input.name === name)) continue;
    const names = known.map((input) => input.name).join(', ');
    throw new TypeError(`the rule ${rule} has no input '${name}' (it has: ${names})`);
  }
  const first = known[0] as InputFacts;
  const numbers = given[first.name];
  checkGiven(numbers, first.name, rule);
  const count = tokens ?? numbers.length / first.floats;
  if (tokens !== undefined) checkTokens(tokens);
  else if (!Number.isInteger(count) || count === 0) {
    throw new RangeError(
      `${first.name} must have a multiple of ${first.floats} numbers, not ${numbers.length}`,
    );
  }
  const values = known.map(({ name, floats, optional }) => {
    const value = given[name];
    if (value === undefined && optional) return undefined;
    checkGiven(value, name, rule);
    checkLength(value, name, count * floats, count);
    return value;
  });
  return { tokens: count, values };
}

/**
 * The inputs of a token that writes a key and a value.
 *
 * @param write under `key` and `value`, and gates by name
 * @throws TypeError or RangeError naming what is wrong or missing
 */
export function inputsOfWrite(
  known: readonly InputFacts[],
  rule: string,
  write: unknown,
): Record<string, Numbers> {
  if (typeof write !== 'object' || write === null) {
    throw new TypeError('a write must be an object of arrays');
  }
  const given = { ...write } as Record<string, Numbers | undefined>;
  const ofRole = (role: InputFacts['role']) => known.find((input) => input.role === role);
  for (const role of ['key', 'value'] as const) {
    const value = given[role];
    delete given[role];
    if (value === undefined) continue;
    const input = ofRole(role);
    if (!input) throw new TypeError(`the rule ${rule} makes its own ${role}`);
    checkLength(value, role, input.floats);
    given[input.name] = value;
  }
  const key = given[ofRole('key')?.name ?? ''];
  for (const { name, role, floats, absent, likeKey } of known) {
    if (given[name] !== undefined) continue;
    if (role === 'key' || role === 'value') throw new TypeError(`${role} must be given`);
    given[name] =
      likeKey && key ? key : new Float32Array(floats).fill(role === 'gate' ? absent : 0);
  }
  return given as Record<string, Numbers>;
}

/** @throws TypeError or RangeError unless it is a number of tokens */
export function checkTokens(tokens: unknown): void {
  if (typeof tokens !== 'number') throw new TypeError('tokens must be a number');
  if (Number.isInteger(tokens) && tokens >= 1) return;
  throw new RangeError(`tokens must be a whole number from 1, not ${tokens}`);
}

/** @throws TypeError or RangeError unless they are so many numbers; `tokens` is for people */
export function checkLength(
  value: unknown,
  name: string,
  floats: number,
  tokens?: number,
): asserts value is Numbers {
  checkNumbers(value, name);
  if (value.length === floats) return;
  const why = tokens === undefined ? '' : ` for ${tokens} ${tokens === 1 ? 'token' : 'tokens'}`;
  throw new RangeError(`${name} must have ${floats} numbers${why}, not ${value.length}`);
}

function checkGiven(value: unknown, name: string, rule: string): asserts value is Numbers {
  if (value === undefined) throw new TypeError(`the rule ${rule} needs the input '${name}'`);
  checkNumbers(value, name);
}
