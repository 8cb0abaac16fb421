// SPDX-License-Identifier: MIT
// Fetched when a session's state is first looked at.
import type { WasmStateLayer } from '../wasm/glue.js';
import type { Wasm } from '../wasm/wasm.js';
import type { TextMachine } from './prefill.js';
import type { LayerState, SessionState, StateRequest, TokenTrace } from './session-state.js';

type Place = (floats: number) => Float32Array;

/**
 * A text's state as it is now. Changes nothing of it.
 *
 * @throws RangeError for a layer or a head that there is not; ModelError `out_of_memory`
 */
export function readState({ wasm, session }: TextMachine, request: StateRequest): SessionState {
  const all = wasm.module.stateLayersOf(session);
  const chosen = chosenLayers(all, request);
  const traces = chosen.map((index) => wasm.module.traceOf(session, index) >>> 0);
  const lay = (place: Place) =>
    chosen.map((index, i) =>
      layerOf(all[index] as WasmStateLayer, request, traces[i] !== 0, place),
    );
  let floats = 0;
  lay((count) => {
    floats += count;
    return NONE;
  });
  // One buffer, which a worker can hand over as it is.
  const buffer = new Float32Array(floats);
  let at = 0;
  const layers = lay((count) => {
    at += count;
    return buffer.subarray(at - count, at);
  });
  const largest = Math.max(0, ...chosen.map((index) => sizeOf(all[index] as WasmStateLayer)));
  wasm.withBlock(Math.max(1, largest) * 4, (address) => {
    for (const [i, index] of chosen.entries()) {
      const layer = layers[i] as LayerState;
      for (const [row, head] of headsOf(layer, request).entries()) {
        layer.norms[row] = wasm.module.readState(session, index, head, address);
        const size = layer.keyDim * layer.valueDim;
        layer.values?.set(view(wasm, address, size), row * size);
      }
    }
  });
  for (const [i, index] of chosen.entries()) {
    const declared = all[index] as WasmStateLayer;
    const layer = layers[i] as LayerState;
    if (!layer.last) continue;
    for (const [row, head] of headsOf(layer, request).entries()) {
      const from = (traces[i] as number) + 4 * head * declared.traceFloats;
      fillTrace(layer.last, row, view(wasm, from, declared.traceFloats), declared);
    }
  }
  return { tokens: session.position(), layers };
}

const NONE = new Float32Array(0);

const sizeOf = ({ keyDim, valueDim }: WasmStateLayer) => keyDim * valueDim;

// Good until the memory grows.
const view = ({ module }: Wasm, address: number, floats: number) =>
  module.HEAPF32.subarray(address >>> 2, (address >>> 2) + floats);

const headsOf = ({ heads }: LayerState, { head }: StateRequest) =>
  head === undefined ? [...Array(heads).keys()] : [head];

function chosenLayers(all: WasmStateLayer[], { layer, head }: StateRequest): number[] {
  const chosen = [...all.keys()].filter(
    (index) => layer === undefined || all[index]?.layer === layer,
  );
  if (layer !== undefined && chosen.length === 0) {
    const there = all.length === 0 ? 'no layer' : `only ${all.map((of) => of.layer).join(', ')}`;
    throw new RangeError(`layer ${layer} has no state to read: ${there} of this model has one`);
  }
  for (const index of chosen) {
    const { heads, layer: of } = all[index] as WasmStateLayer;
    if (head === undefined || head < heads) continue;
    throw new RangeError(`head ${head} is not in layer ${of}, which has ${heads}`);
  }
  return chosen;
}

// What there is of a layer, each array at its place.
function layerOf(
  declared: WasmStateLayer,
  { head, values = true }: StateRequest,
  isTraced: boolean,
  place: Place,
): LayerState {
  const { layer, mixer, heads, keyDim, valueDim, traceFloats } = declared;
  const rows = head === undefined ? heads : 1;
  const found: LayerState = { layer, mixer, heads, keyDim, valueDim, norms: place(rows) };
  if (values) found.values = place(rows * keyDim * valueDim);
  if (!isTraced || traceFloats === 0) return found;
  const last: TokenTrace = {
    queryNorms: place(rows),
    keyNorms: place(rows),
    valueNorms: place(rows),
    writeNorms: place(rows),
  };
  if (declared.decays) last.decay = place(rows * (declared.decaysChannels ? keyDim : 1));
  if (declared.hasBeta) last.beta = place(rows);
  if (values) {
    last.keys = place(rows * keyDim);
    last.writes = place(rows * valueDim);
    if (declared.erasesApart) {
      last.eraseKeys = place(rows * keyDim);
      last.erases = place(rows * valueDim);
    }
  }
  return { ...found, last };
}

// As cpp/kernels/linear_recurrence/trace.h lays it out.
function fillTrace(
  last: TokenTrace,
  row: number,
  trace: Float32Array,
  { keyDim, valueDim, decaysChannels, erasesApart }: WasmStateLayer,
): void {
  const [beta = 0, queryNorm = 0, valueNorm = 0, decay = 0] = trace;
  let at = 4;
  const take = (count: number) => {
    at += count;
    return trace.subarray(at - count, at);
  };
  const key = take(keyDim);
  const write = take(valueDim);
  const eraseKey = take(erasesApart ? keyDim : 0);
  const erase = take(erasesApart ? valueDim : 0);
  last.queryNorms[row] = queryNorm;
  last.keyNorms[row] = Math.sqrt(dot(key, key));
  last.valueNorms[row] = valueNorm;
  // |k uᵀ + b eᵀ|², of which the middle term is that of both.
  last.writeNorms[row] = Math.sqrt(
    Math.max(
      0,
      dot(key, key) * dot(write, write) +
        2 * dot(key, eraseKey) * dot(write, erase) +
        dot(eraseKey, eraseKey) * dot(erase, erase),
    ),
  );
  if (last.beta) last.beta[row] = beta;
  if (decaysChannels) last.decay?.set(take(keyDim), row * keyDim);
  else if (last.decay) last.decay[row] = decay;
  last.keys?.set(key, row * keyDim);
  last.writes?.set(write, row * valueDim);
  last.eraseKeys?.set(eraseKey, row * keyDim);
  last.erases?.set(erase, row * valueDim);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < b.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
