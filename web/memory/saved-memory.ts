// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import type { WasmMemory as Handle, RuleFacts, WasmMemoryShape } from '../wasm/memory-glue.js';
import type { MemoryHome } from './home.js';
import { checkLength } from './inputs.js';
import type { MemoryOptions } from './options.js';
import type { Numbers } from './rules.js';
import type { CheckedMemory } from './settings.js';

/** That a memory counts. */
export const MOST_TOKENS = 2 ** 31 - 1;

const kSaved = { magic: 'fwmemory', version: 1, name: 'memory' };

/** What a saved memory says of itself; its arrays are the state's and, as `settings.`, its own. */
interface SavedMemory {
  rule: string;
  shape: WasmMemoryShape;
  /** Numbers, flags and choices. */
  settings: Record<string, number | boolean | string>;
  /** That it has seen. */
  tokens: number;
}

/** The arrays that make up a memory's state, by their names. */
interface States {
  readonly stateNames: string[];
  getState(name: string): Float32Array;
  setState(name: string, values: Numbers): void;
}

/** Everything that `openMemory` needs, as bytes. */
export function saveMemory(
  home: MemoryHome,
  memory: States,
  handle: Handle,
  { rule, shape, settings }: CheckedMemory,
  facts: RuleFacts,
): Uint8Array {
  const arrays = new Map<string, Float32Array>();
  const plain: SavedMemory['settings'] = {};
  for (const [name, value] of settings) {
    const { flag } = facts.settings.find((setting) => setting.name === name) ?? {};
    if (typeof value === 'object') arrays.set(`settings.${name}`, Float32Array.from(value));
    else plain[name] = flag ? value === 1 : value;
  }
  for (const name of memory.stateNames) arrays.set(name, memory.getState(name));
  for (let i = 0; i < handle.pages(); i++) {
    arrays.set(`heads.${i}`, home.wasm.floats(handle.page(i), handle.pageFloats()));
  }
  const saved: SavedMemory = { rule, shape, settings: plain, tokens: handle.position() };
  return home.encode(kSaved, saved, arrays);
}

/**
 * How a saved memory was made, and what makes such a one what it was.
 *
 * @throws ModelError `invalid_header`, `truncated`, `integrity`; `fill` RangeError for what does not fit
 * such a memory, ModelError `out_of_memory`
 */
export function openMemory(
  home: MemoryHome,
  bytes: Uint8Array,
): { options: MemoryOptions; fill: (memory: States, handle: Handle) => void } {
  const { rule, shape, settings, tokens, arrays } = home.decode<SavedMemory>(kSaved, bytes);
  if (typeof settings !== 'object') throw new TypeError('its settings are none');
  const own = [...arrays].flatMap(([name, array]) =>
    name.startsWith('settings.') ? [[name.slice('settings.'.length), array]] : [],
  );
  const options = { rule, ...shape, ...settings, ...Object.fromEntries(own) };
  const fill = (memory: States, handle: Handle) => {
    for (const name of memory.stateNames) memory.setState(name, arrays.get(name) ?? []);
    if (!(Number.isInteger(tokens) && tokens >= 0 && tokens <= MOST_TOKENS)) {
      throw new RangeError(`tokens cannot be ${tokens}`);
    }
    const count = handle.pageFloats() > 0 ? Math.ceil(tokens / home.wasm.module.pageTokens) : 0;
    const pages: Float32Array[] = [];
    // Before memory is asked for what is not there.
    for (let i = 0; i < count; i++) {
      const page = arrays.get(`heads.${i}`) ?? new Float32Array(0);
      checkLength(page, `heads.${i}`, handle.pageFloats());
      pages.push(page);
    }
    if (!home.run(() => handle.reservePages(tokens))) throw outOfMemory();
    for (const [i, page] of pages.entries()) {
      home.wasm.module.HEAPF32.set(page, handle.page(i) >>> 2);
    }
    handle.setPosition(tokens);
  };
  return { options: options as unknown as MemoryOptions, fill };
}

export function outOfMemory(): ModelError {
  return new ModelError('out_of_memory', 'the WebAssembly memory has no room for this');
}
