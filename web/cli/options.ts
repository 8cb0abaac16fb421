// SPDX-License-Identifier: MIT
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { loadModel } from '../index.js';
import type { Model } from '../model.js';
import { KV_TYPES, type KvType, WEIGHT_FORMS, type WeightForm } from '../options.js';
import type { Build, WasmOptions } from '../wasm/builds.js';

/** The command line itself is wrong; the usage is shown with it. */
export class CommandLineError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;

const SHARED = {
  model: { type: 'string' },
  json: { type: 'boolean', default: false },
  build: { type: 'string' },
  threads: { type: 'string' },
  weights: { type: 'string' },
  speculate: { type: 'boolean', default: false },
  kv: { type: 'string' },
} as const satisfies Options;

/** The values of a command's own options and of those that all commands share. */
export function readOptions<T extends Options>(args: string[], own: T) {
  try {
    const { values } = parseArgs({ args, options: { ...SHARED, ...own }, strict: true });
    return values as Record<string, string | boolean | undefined> & { json: boolean };
  } catch (error) {
    throw new CommandLineError((error as Error).message);
  }
}

/** A text option that must be there. */
export function required(values: Record<string, unknown>, name: string): string {
  const value = values[name];
  if (typeof value !== 'string') throw new CommandLineError(`--${name} is missing`);
  return value;
}

/** A numeric option, or undefined when it is not given. */
export function number(values: Record<string, unknown>, name: string): number | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  if (Number.isNaN(parsed))
    throw new CommandLineError(`--${name} must be a number, not '${value}'`);
  return parsed;
}

/** A numeric option that must be a whole number of at least `low`. */
export function whole(
  values: Record<string, unknown>,
  name: string,
  low: number,
): number | undefined {
  const value = number(values, name);
  if (value !== undefined && !(Number.isInteger(value) && value >= low)) {
    throw new CommandLineError(`--${name} must be a whole number of at least ${low}`);
  }
  return value;
}

/** The build that --build names. */
export function wasmOptions(values: Record<string, unknown>): WasmOptions {
  const { build } = values;
  if (build !== undefined && build !== 'simd128' && build !== 'relaxed') {
    throw new CommandLineError(`--build must be simd128 or relaxed, not '${build}'`);
  }
  return { build: build as Build | undefined };
}

/** The form of matrices that --weights names. */
export function weightsOption({ weights }: Record<string, unknown>): WeightForm | undefined {
  return oneOf('weights', WEIGHT_FORMS, weights);
}

/** How keys and values are kept that --kv names. */
export function kvOption({ kv }: Record<string, unknown>): KvType | undefined {
  return oneOf('kv', KV_TYPES, kv);
}

function oneOf<T>(name: string, names: readonly T[], value: unknown): T | undefined {
  if (value === undefined) return undefined;
  const found = names.find((one) => one === value);
  if (found !== undefined) return found;
  throw new CommandLineError(`--${name} must be one of ${names.join(', ')}, not '${value}'`);
}

/** Loads --model; Ctrl-C ends a load cleanly. */
export async function openModel(
  values: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Model> {
  const source = required(values, 'model');
  return loadModel(source, {
    worker: false,
    wasm: wasmOptions(values),
    weights: weightsOption(values),
    kv: kvOption(values),
    threads: whole(values, 'threads', 1),
    speculate: values.speculate === true || undefined,
    draft: values.draft as string | undefined,
    signal,
  });
}

/** Prints the one object of --json. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
