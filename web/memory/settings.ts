// SPDX-License-Identifier: MIT

import { nearest } from '../option-names.js';
import { number, whole } from '../options.js';
import type {
  RuleFacts,
  SettingFacts,
  WasmMemories,
  WasmMemoryShape,
} from '../wasm/memory-glue.js';
import type { MemoryOptions } from './options.js';
import type { Numbers } from './rules.js';

/** A rule, its size and its settings, checked; those not given are the rule's own. */
export interface CheckedMemory {
  rule: string;
  shape: WasmMemoryShape;
  settings: [name: string, value: number | string | Numbers][];
}

const MAX_HEADS = 1024;
const MAX_DIM = 1024;
const SIZES = ['rule', 'heads', 'keyHeads', 'keyDim', 'valueDim', 'wasm'];

/** @throws TypeError unless `values` are numbers in an array; `name` is what the caller calls it */
export function checkNumbers(values: unknown, name: string): asserts values is Numbers {
  if (values instanceof Float32Array || Array.isArray(values)) return;
  throw new TypeError(`${name} must be a Float32Array or an array of numbers`);
}

/**
 * Checks what a memory is made from against what its rule takes.
 *
 * @throws TypeError or RangeError naming the option
 */
export function checkMemory(
  wasm: WasmMemories,
  options: MemoryOptions,
): { checked: CheckedMemory; facts: RuleFacts } {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('options must be an object');
  }
  const { rule } = options;
  const size: { heads?: number; keyHeads?: number; keyDim: number; valueDim: number } = options;
  for (const name of ['keyDim', 'valueDim'] as const) {
    if (size[name] === undefined) throw new TypeError(`${name} must be given`);
  }
  const heads = whole(size, 'heads', 1, 1, MAX_HEADS);
  const shape = {
    heads,
    keyHeads: whole(size, 'keyHeads', heads, 1, heads),
    keyDim: whole(size, 'keyDim', 0, 1, MAX_DIM),
    valueDim: whole(size, 'valueDim', 0, 1, MAX_DIM),
  };
  const facts = wasm.memoryRule(String(rule), shape);
  if (!facts.known) {
    throw new TypeError(`rule must be one of ${wasm.memoryRuleNames().join(', ')}, not '${rule}'`);
  }
  const given = options as unknown as Record<string, unknown>;
  const settings: CheckedMemory['settings'] = [];
  for (const [name, value] of Object.entries(given)) {
    if (SIZES.includes(name) || value === undefined) continue;
    const setting = facts.settings.find((candidate) => candidate.name === name);
    if (!setting) {
      const near = nearest(name, [...SIZES, ...facts.settings.map((known) => known.name)]);
      throw new TypeError(`the rule ${rule} has no setting '${name}'; the nearest is ${near}`);
    }
    settings.push([name, checkSetting(setting, value, given)]);
  }
  checkShape(rule, shape, facts, given);
  return { checked: { rule, shape, settings }, facts };
}

function checkSetting(
  { name, least, most, whole: isWhole, flag, choices, floats }: SettingFacts,
  value: unknown,
  given: Record<string, unknown>,
): number | string | Numbers {
  if (choices.length > 0) {
    if (choices.includes(value as string)) return value as string;
    throw new TypeError(`${name} must be one of ${choices.join(', ')}, not '${value}'`);
  }
  if (flag) {
    if (typeof value === 'boolean') return Number(value);
    throw new TypeError(`${name} must be true or false`);
  }
  if (floats === 0) {
    const numbers = given as Record<string, number>;
    return (isWhole ? whole : number)(numbers, name, 0, least, most);
  }
  checkNumbers(value, name);
  if (value.length !== floats) {
    throw new RangeError(`${name} must have ${floats} numbers, not ${value.length}`);
  }
  // Weights of feature maps have no limits.
  const limited = least < most;
  for (const [i, x] of value.entries()) {
    if (Number.isFinite(x) && !(limited && (x < least || x > most))) continue;
    const range = limited ? `between ${least} and ${most}` : 'a finite number';
    throw new RangeError(`${name}[${i}] must be ${range}, not ${x}`);
  }
  return value;
}

// What holds between sizes and settings.
function checkShape(
  rule: string,
  { heads, keyHeads, keyDim, valueDim }: WasmMemoryShape,
  { groups, pads, square, maps }: RuleFacts,
  given: Record<string, unknown>,
): void {
  if (heads % keyHeads !== 0) {
    throw new RangeError(`heads must be a multiple of keyHeads, not ${heads} of ${keyHeads}`);
  }
  if (!groups && keyHeads !== heads) {
    throw new RangeError(
      `the rule ${rule} has a key head for each head: keyHeads must be ${heads}`,
    );
  }
  const iterated = typeof given.iterations === 'number' && given.iterations > 1;
  if ((square || iterated) && keyDim !== valueDim) {
    const who = square ? `the rule ${rule}` : `iterations of the rule ${rule}`;
    throw new RangeError(`${who} need keyDim = valueDim, not ${keyDim} and ${valueDim}`);
  }
  const map = maps.find(({ name }) => name === given.featureMap);
  if (keyDim % 4 !== 0 || valueDim % 4 !== 0) {
    if (!pads) throw new RangeError(`the rule ${rule} takes dimensions that are multiples of 4`);
    if (map && !map.pads && keyDim % 4 !== 0) {
      throw new RangeError(`featureMap ${map.name} takes a keyDim that is a multiple of 4`);
    }
  }
  if (map?.name === 'dpfp' && Number(given.nu ?? 1) >= keyDim) {
    throw new RangeError(`nu must be below keyDim, ${keyDim}`);
  }
  const needed = [
    ...(map?.weight ? ['queryWeight', 'keyWeight'] : []),
    ...(map?.bias ? ['queryBias', 'keyBias'] : []),
  ];
  for (const name of needed) {
    if (given[name] === undefined) throw new TypeError(`featureMap ${map?.name} needs ${name}`);
  }
}
