// SPDX-License-Identifier: MIT
import { run } from './tools.js';

/**
 * @import { Constraint, GenerationOptions, GenerationResult, Message, Model, Session, TokenLogprob, Tool, ToolCall } from 'fastweights'
 *
 * @typedef {object} Listener
 * @property {(entry: TokenLogprob) => void} token
 * @property {(call: ToolCall, result: string) => void} called
 *
 * @typedef {GenerationOptions & { maxTokens: number }} Options
 */

// Beside each token: as many as are read at a glance.
const SHOWN = 6;
// A model that only ever calls tools comes to an end too.
const MOST_ROUNDS = 3;

/** One answer under way. */
export class Answering {
  #model;
  #listener;
  #aborter = new AbortController();

  /**
   * @param {Model} model
   * @param {Listener} listener
   */
  constructor(model, listener) {
    this.#model = model;
    this.#listener = listener;
  }

  /** Ends it within one token. */
  stop() {
    this.#aborter.abort();
  }

  get stopped() {
    return this.#aborter.signal.aborted;
  }

  /**
   * @param {string} prompt
   * @param {Constraint | readonly Tool[]} form
   * @param {Options} options
   * @returns {Promise<GenerationResult>} of the last answer, where there were several
   */
  async run(prompt, form, options) {
    return isTools(form) ? this.#called(prompt, form, options) : this.#held(prompt, form, options);
  }

  /** @type {(prompt: string, constraint: Constraint, options: Options) => Promise<GenerationResult>} */
  async #held(prompt, constraint, options) {
    const all = { ...options, constraint, logprobs: SHOWN, signal: this.#aborter.signal };
    const session = await this.#session();
    try {
      // A model without a chat template can only go on with a text.
      const stream = session
        ? session.promptStreaming(prompt, all)
        : this.#model.generate(`${prompt}\n`, all);
      await this.#read(stream);
      return await stream.result;
    } finally {
      session?.destroy();
    }
  }

  // Tools that are called are run, and the model answers again with what they gave.
  /** @type {(prompt: string, tools: readonly Tool[], options: Options) => Promise<GenerationResult>} */
  async #called(prompt, tools, options) {
    const session = await this.#model.createSession({ tools, thinking: false });
    const all = { ...options, logprobs: SHOWN, signal: this.#aborter.signal };
    /** @type {string | Message[]} */
    let input = prompt;
    try {
      for (let round = 1; ; round++) {
        const last = round === MOST_ROUNDS;
        // The first answer is to show calls; small models would tell a story instead.
        const toolChoice = round === 1 ? 'required' : last ? 'none' : 'auto';
        // One call an answer: what came of it is seen before the next.
        const stream = session.respond(input, { ...all, toolChoice, parallelToolCalls: false });
        await this.#read(stream);
        const result = await stream.result;
        if (result.finishReason !== 'tool-calls') return result;
        input = result.toolCalls.map((call) => this.#run(call));
      }
    } finally {
      session.destroy();
    }
  }

  /** @param {ToolCall} call @returns {Message} */
  #run(call) {
    const content = run(call);
    this.#listener.called(call, content);
    return { role: 'tool', content, name: call.name, toolCallId: call.id };
  }

  /** @returns {Promise<Session | undefined>} undefined where the model has no chat template */
  async #session() {
    const session = await this.#model.createSession({ thinking: false });
    try {
      await session.countTokens('a');
      return session;
    } catch (error) {
      session.destroy();
      if (/** @type {{ code?: string }} */ (error).code === 'chat_template') return undefined;
      throw error;
    }
  }

  /** @param {AsyncIterable<unknown> & { logprobs: readonly TokenLogprob[] }} stream */
  async #read(stream) {
    let told = 0;
    const tell = () => {
      for (; told < stream.logprobs.length; told++) this.#listener.token(stream.logprobs[told]);
    };
    for await (const _ of stream) tell();
    tell();
  }
}

/**
 * Whether a form can hold an answer, found out by beginning one.
 *
 * @param {Model} model
 * @param {Constraint | readonly Tool[]} form
 * @param {AbortSignal} signal
 * @throws what the package says of it
 */
export async function tryForm(model, form, signal) {
  if (!isTools(form)) {
    await model.complete('a', { constraint: form, maxTokens: 1, signal });
    return;
  }
  const session = await model.createSession({ tools: form });
  try {
    const stream = session.respond('a', { toolChoice: 'required', maxTokens: 1, signal });
    await stream.pipeTo(new WritableStream());
  } finally {
    session.destroy();
  }
}

/** @type {(form: Constraint | readonly Tool[]) => form is readonly Tool[]} */
const isTools = (form) => Array.isArray(form);
