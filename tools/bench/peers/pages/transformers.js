// SPDX-License-Identifier: MIT
import {
  AutoModelForCausalLM,
  AutoTokenizer,
  env,
  LogitsProcessor,
  LogitsProcessorList,
} from '/modules/@huggingface/transformers/dist/transformers.min.js';

// Where it would take its files from a CDN. The build is the one of its choice.
const kRuntime = '/modules/onnxruntime-web/dist/ort-wasm-simd-threaded.asyncify';

/**
 * A loaded model of the folder `name` of /models/, with its tokenizer.
 * @param {string} name
 * @param {number} threads
 */
export async function open(name, threads) {
  env.allowLocalModels = true;
  env.allowRemoteModels = false;
  env.localModelPath = '/models/';
  env.useBrowserCache = false;
  env.useWasmCache = false;
  const { wasm, versions } = env.backends.onnx;
  wasm.wasmPaths = { mjs: `${kRuntime}.mjs`, wasm: `${kRuntime}.wasm` };
  wasm.numThreads = threads;
  const tokenizer = await AutoTokenizer.from_pretrained(name);
  const model = await AutoModelForCausalLM.from_pretrained(name, { device: 'wasm', dtype: 'q4' });
  return { tokenizer, model, threads: wasm.numThreads, engine: `onnxruntime-web ${versions.web}` };
}

/**
 * The tokens of messages, and what makes an answer begin.
 * @param {any} tokenizer
 * @param {import('fastweights').Message[]} messages
 */
export function tokensOf(tokenizer, messages) {
  return tokenizer.apply_chat_template(messages, {
    add_generation_prompt: true,
    return_dict: true,
  });
}

/**
 * Writes one token.
 *
 * @param {(logits: Float32Array) => void} look sees, and may change, the logits it is drawn from
 * @param {any} model
 * @param {object} inputs
 */
export function writeOne(model, inputs, look) {
  class Look extends LogitsProcessor {
    /** @type {(ids: unknown, logits: { data: Float32Array }) => unknown} */
    _call(_, logits) {
      look(logits.data);
      return logits;
    }
  }
  const processors = new LogitsProcessorList();
  processors.push(new Look());
  return model.generate({
    ...inputs,
    max_new_tokens: 1,
    do_sample: false,
    logits_processor: processors,
    return_dict_in_generate: true,
  });
}
