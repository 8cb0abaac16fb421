// SPDX-License-Identifier: MIT
import { abortable, otherTasks } from '../../abort.js';
import type { Message, Model, Session } from '../../index.js';
import { SharedModel } from '../shared-model.js';
import { domError, named, quotaError } from './errors.js';
import { type Expected, readExpected } from './expected.js';
import { Monitor } from './monitor.js';
import { givenMessages, readMessages } from './prompt.js';
import { readSampling } from './sampling.js';
import { readTools, type Tools } from './tools.js';
import type { CreateCoreOptions, CreateMonitor, CreateOptions, SamplingMode } from './types.js';
import { dictionary, list } from './web-idl.js';

/** What a language model is made of. */
export interface Parts {
  shared: SharedModel;
  model: Model;
  session: Session;
  /** Of the initial prompts. */
  initialTokens: number;
  expected: Expected;
  tools: Tools;
  samplingMode: SamplingMode | null;
  /** Of `create`: what ends the making ends what was made. */
  signal: AbortSignal | undefined;
}

/**
 * What of options decides whether a model can be had.
 *
 * @throws TypeError, RangeError for what is wrong with them
 */
export function readCore(options: CreateCoreOptions) {
  const sampling = readSampling(options);
  const expected = readExpected(options);
  const tools = readTools(options.tools, expected.outputs);
  return { sampling, expected, tools };
}

/**
 * Loads the model if it has to, and reads the initial prompts.
 *
 * @throws the signal's reason; TypeError, RangeError; DOMException as `LanguageModel.create`
 */
export async function createParts(given: CreateOptions | undefined): Promise<Parts> {
  const options: CreateOptions = dictionary(given, 'options');
  const { model: source, loadOptions, generation, signal } = options;
  const { sampling, expected, tools } = readCore(options);
  const initial = readMessages(givenMessages(list(options.initialPrompts, 'initialPrompts')), {
    expected,
    begun: false,
    answered: false,
  });
  if (expected.missing) {
    throw named('NotSupportedError', `${expected.missing}: the model cannot do that`);
  }
  if (source === undefined) throw named('NotSupportedError', 'no model is named');
  signal?.throwIfAborted();
  const monitor = new Monitor(signal);
  // Its only events are of progress, which the declaration of EventTarget's listeners cannot say.
  options.monitor?.(monitor as CreateMonitor);
  try {
    monitor.tell(0);
    const shared = SharedModel.of(source, loadOptions);
    const model = await shared.take(signal, monitor.onProgress);
    try {
      // Who hears of the beginning has a task of its own to end it, also where all is there.
      if (options.monitor) await abortable(otherTasks(), signal);
      monitor.tell(1);
      const defaults = { ...generation, ...sampling.options, tools: tools.told };
      const session = await newSession(model, { ...defaults, initialPrompts: initial, signal });
      const initialTokens = session.contextUsage;
      const { mode: samplingMode } = sampling;
      return { shared, model, session, initialTokens, expected, tools, samplingMode, signal };
    } catch (error) {
      const failure = await quotaError(error, model.contextWindow, () =>
        model.countTokens(initial),
      );
      shared.release();
      throw failure;
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : domError(error);
  }
}

async function newSession(
  model: Model,
  options: NonNullable<Parameters<Model['createSession']>[0]> & { initialPrompts: Message[] },
): Promise<Session> {
  const session = await model.createSession(options);
  // A signal that has fired in between would not be heard any more.
  if (options.signal?.aborted) session.destroy();
  options.signal?.throwIfAborted();
  return session;
}
