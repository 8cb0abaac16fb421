// SPDX-License-Identifier: MIT
/**
 * A provider for Vercel's AI SDK.
 *
 * @module fastweights/ai-sdk
 */
import type { Model } from '../index.js';
import { finishOf, writtenContent, writtenParts } from './ai-sdk/answer.js';
import { sdkError } from './ai-sdk/error.js';
import { readCall } from './ai-sdk/prompt.js';
import type {
  CallOptions,
  GenerateResult,
  LanguageModel,
  Provider,
  StreamPart,
} from './ai-sdk/types.js';
import { Chats } from './chats.js';
import { streamOf } from './streams.js';

export type * from './ai-sdk/types.js';

const PROVIDER = 'fastweights';

/**
 * A loaded model as the `model` of `generateText`, `streamText` and kin.
 *
 * @param modelId what the SDK calls it; by default what its file does
 */
export function languageModel(
  model: Model,
  modelId: string = model.name ?? model.architecture,
): LanguageModel {
  const chats = new Chats(model);
  return {
    specificationVersion: 'v4',
    provider: PROVIDER,
    modelId,
    supportedUrls: {},

    async doGenerate(call: CallOptions): Promise<GenerateResult> {
      const { warnings, ...question } = readCall(call);
      const { stream, done } = await chats.answer(question);
      const content = await writtenContent(stream);
      const { result, usage } = await done;
      return {
        content,
        ...finishOf(result.finishReason, usage),
        warnings,
        response: { timestamp: new Date(), modelId },
      };
    },

    async doStream(call: CallOptions) {
      const { warnings, ...question } = readCall(call);
      async function* parts(signal: AbortSignal): AsyncGenerator<StreamPart> {
        yield { type: 'stream-start', warnings };
        yield { type: 'response-metadata', timestamp: new Date(), modelId };
        try {
          const options = { ...question.options, signal };
          const { stream, done } = await chats.answer({ ...question, options });
          yield* writtenParts(stream);
          const { result, usage } = await done;
          yield { type: 'finish', ...finishOf(result.finishReason, usage) };
        } catch (error) {
          if (signal.aborted) throw error;
          yield { type: 'error', error };
        }
      }
      return { stream: streamOf(call.abortSignal, parts) };
    },
  };
}

/** Loaded models by the names that `languageModel(id)` and the provider itself take. */
export function createProvider(models: Readonly<Record<string, Model>>): Provider {
  const made = new Map<string, LanguageModel>();
  const find = (modelId: string) => {
    const known = made.get(modelId);
    const model = Object.hasOwn(models, modelId) ? models[modelId] : undefined;
    if (known) return known;
    if (!model) throw noSuchModel(modelId, 'languageModel');
    const found = languageModel(model, modelId);
    made.set(modelId, found);
    return found;
  };
  const none = (modelType: string) => (modelId: string) => {
    throw noSuchModel(modelId, modelType);
  };
  return Object.assign((modelId: string) => find(modelId), {
    specificationVersion: 'v4' as const,
    languageModel: find,
    embeddingModel: none('embeddingModel'),
    imageModel: none('imageModel'),
  });
}

function noSuchModel(modelId: string, modelType: string): Error {
  return sdkError('AI_NoSuchModelError', `No such ${modelType}: ${modelId}`, {
    modelId,
    modelType,
  });
}
