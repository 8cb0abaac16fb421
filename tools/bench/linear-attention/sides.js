// SPDX-License-Identifier: MIT
//
// The same calls to both sides, each with the arrays that its user has: both copy them to their
// heaps and results back.

import { onnxModel } from '../../onnx/model.js';
import { kDim, kHeads } from './rules.js';

/**
 * @import { MemoryOptions } from 'fastweights'
 * @import { Value } from '../../onnx/model.js'
 * @import { SharedRule } from './rules.js'
 *
 * @typedef {ReturnType<typeof import('./rules.js').sharedInputs>} Inputs
 *
 * One side with an empty state.
 *
 * @typedef {object} Side
 * @property {() => Promise<Float32Array> | Float32Array} run takes the tokens in, after those of runs
 *     before, and gives what they read, [tokens, heads * dim]
 * @property {() => Float32Array} state [heads, dim, dim]
 * @property {() => Promise<void> | void} end
 */

/**
 * @param {typeof import('fastweights').AssociativeMemory} AssociativeMemory
 * @param {SharedRule} rule
 * @param {number} tokens
 * @param {Inputs} inputs
 * @returns {Promise<Side>}
 */
export async function ours(AssociativeMemory, rule, tokens, inputs) {
  const { q, k, v, g, decay, beta } = inputs;
  const options = {
    rule: rule.rule,
    ...{ heads: kHeads, keyDim: kDim, valueDim: kDim },
    ...(rule.constant && { decay }),
  };
  const memory = await AssociativeMemory.create(/** @type {MemoryOptions} */ (options));
  const given = {
    q,
    k,
    v,
    ...(rule.decays && !rule.constant && { g }),
    ...(rule.beta && { beta }),
  };
  return {
    run: () => (tokens === 1 ? memory.step(given) : memory.forward(given)),
    state: () => memory.state,
    end: () => memory.dispose(),
  };
}

/**
 * @param {any} ort onnxruntime-web
 * @param {SharedRule} rule
 * @param {number} tokens
 * @param {Inputs} inputs
 * @returns {Promise<Side>}
 */
export async function theirs(ort, rule, tokens, inputs) {
  const session = await ort.InferenceSession.create(modelOf(rule), {
    executionProviders: ['wasm'],
  });
  const channels = kHeads * kDim;
  /** @type {(values: Float32Array, shape: number[]) => any} */
  const tensor = (values, shape) => new ort.Tensor('float32', values, shape);
  const { q, k, v, g, beta } = inputs;
  let state = tensor(new Float32Array(channels * kDim), [1, kHeads, kDim, kDim]);
  return {
    async run() {
      const results = await session.run({
        query: tensor(q, [1, tokens, channels]),
        key: tensor(k, [1, tokens, channels]),
        value: tensor(v, [1, tokens, channels]),
        past_state: state,
        ...(rule.decays && { decay: tensor(g, [1, tokens, rule.decays]) }),
        ...(rule.beta && { beta: tensor(beta, [1, tokens, kHeads]) }),
      });
      state = results.present_state;
      return results.output.data;
    },
    state: () => state.data,
    end: () => session.release(),
  };
}

/** @param {SharedRule} rule */
function modelOf({ updateRule, decays, beta }) {
  const rows = [1, 'tokens', kHeads * kDim];
  const states = [1, kHeads, kDim, kDim];
  /** @type {Value[]} */
  const inputs = [
    ['query', rows],
    ['key', rows],
    ['value', rows],
    ['past_state', states],
    [decays ? 'decay' : '', [1, 'tokens', decays ?? 0]],
    [beta ? 'beta' : '', [1, 'tokens', kHeads]],
  ];
  while (inputs[inputs.length - 1][0] === '') inputs.pop();
  /** @type {Value[]} */
  const outputs = [
    ['output', rows],
    ['present_state', states],
  ];
  /** @param {Value[]} values */
  const names = (values) => values.map(([name]) => name);
  const node = {
    domain: 'com.microsoft',
    operator: 'LinearAttention',
    attributes: {
      update_rule: updateRule,
      q_num_heads: kHeads,
      kv_num_heads: kHeads,
      // By default the square root of the key's length divides queries; ours come as they are.
      scale: { float: 1 },
    },
    inputs: names(inputs),
    outputs: names(outputs),
  };
  return onnxModel({ nodes: [node], inputs: inputs.filter(([name]) => name), outputs });
}
