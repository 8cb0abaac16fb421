// SPDX-License-Identifier: MIT
/**
 * A chat model for LangChain.
 *
 * @module fastweights/langchain
 */
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type {
  BaseLanguageModelInput,
  StructuredOutputMethodOptions,
} from '@langchain/core/language_models/base';
import { BaseChatModel, type BindToolsInput } from '@langchain/core/language_models/chat_models';
import {
  assembleStructuredOutputPipeline,
  createContentParser,
} from '@langchain/core/language_models/structured_output';
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import type { SerializableSchema } from '@langchain/core/utils/standard_schema';
import type { InteropZodType } from '@langchain/core/utils/types';
import type { GenerationResult, Model, Usage } from '../index.js';
import { Chats, type Question } from './chats.js';
import { chunkOf, readMessage, usageMetadata } from './langchain/messages.js';
import {
  type ChatFastweightsCallOptions,
  type ChatFastweightsFields,
  type ChatGeneration,
  readChoice,
  readTool,
} from './langchain/options.js';
import { schemaInstruction, withInstruction } from './shown-schema.js';

export type { ChatFastweightsCallOptions, ChatFastweightsFields, ChatGeneration };

/** A form of answers, as LangChain takes it. */
export type OutputSchema<Output extends Record<string, unknown>> =
  | InteropZodType<Output>
  | SerializableSchema<Output>
  | Record<string, unknown>;

/** A loaded model as LangChain's chat models are. */
export class ChatFastweights extends BaseChatModel<ChatFastweightsCallOptions> {
  readonly #model: Model;
  readonly #chats: Chats;
  readonly #generation: ChatGeneration;

  constructor({ model, generation = {}, ...params }: ChatFastweightsFields) {
    super(params);
    this.#model = model;
    this.#chats = new Chats(model);
    this.#generation = generation;
  }

  override _llmType(): string {
    return 'fastweights';
  }

  override bindTools(tools: BindToolsInput[], kwargs?: Partial<ChatFastweightsCallOptions>) {
    return this.withConfig({ tools, ...kwargs } as Partial<ChatFastweightsCallOptions>);
  }

  /** Answers are held to the schema, which the model is shown; `method` and `strict` change nothing. */
  override withStructuredOutput<Output extends Record<string, unknown>>(
    schema: OutputSchema<Output>,
    config?: StructuredOutputMethodOptions<false>,
  ): Runnable<BaseLanguageModelInput, Output>;
  override withStructuredOutput<Output extends Record<string, unknown>>(
    schema: OutputSchema<Output>,
    config?: StructuredOutputMethodOptions<true>,
  ): Runnable<BaseLanguageModelInput, { raw: BaseMessage; parsed: Output }>;
  override withStructuredOutput(
    schema: OutputSchema<Record<string, unknown>>,
    config: { includeRaw?: boolean } = {},
  ) {
    const held = toJsonSchema(schema) as Record<string, unknown>;
    const constraint = { type: 'json_schema' as const, schema: held };
    const llm = this.withConfig({ generation: { ...this.#generation, constraint } });
    return assembleStructuredOutputPipeline(llm, createContentParser(schema), config.includeRaw);
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']) {
    const { stream, done } = await this.#chats.answer(this.#question(messages, options));
    for await (const _ of stream);
    const { result, usage } = await done;
    const { text, reasoning, toolCalls } = result;
    const message = new AIMessage({
      content: text,
      tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({
        id,
        name,
        args,
        type: 'tool_call',
      })),
      additional_kwargs: reasoning === undefined ? {} : { reasoning_content: reasoning },
      ...this.#ending(result, usage),
    });
    return { generations: [{ text, message }] } satisfies ChatResult;
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { stream, done } = await this.#chats.answer(this.#question(messages, options));
    const calls: string[] = [];
    for await (const part of stream) {
      const message = chunkOf(part, calls);
      if (!message) continue;
      const chunk = new ChatGenerationChunk({ text: message.text, message });
      yield chunk;
      await run?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, {
        chunk,
      });
    }
    const { result, usage } = await done;
    const message = new AIMessageChunk({ content: '', ...this.#ending(result, usage) });
    yield new ChatGenerationChunk({ text: '', message });
  }

  #ending({ finishReason }: GenerationResult, usage: Usage) {
    const model_name = this.#model.name ?? this.#model.architecture;
    const response_metadata = {
      model_provider: 'fastweights',
      model_name,
      finish_reason: finishReason,
    };
    return { usage_metadata: usageMetadata(usage), response_metadata };
  }

  #question(messages: BaseMessage[], options: this['ParsedCallOptions']): Question {
    const { tools, tool_choice, stop, signal } = options;
    const generation = { ...this.#generation, ...options.generation };
    const read = messages.map(readMessage);
    const { constraint } = generation;
    const isShown = typeof constraint === 'object' && 'schema' in constraint;
    return {
      messages: isShown ? withInstruction(read, schemaInstruction(constraint)) : read,
      options: {
        ...generation,
        stop,
        signal,
        tools: tools?.map(readTool),
        toolChoice: readChoice(tool_choice),
      },
    };
  }
}
