// SPDX-License-Identifier: MIT
/**
 * Linear-attention and gated-delta language models in the browser, on the CPU.
 *
 * @module fastweights
 */

export type { Constraint, JsonSchema } from './constraints/constraint.js';
export type { ModelMemory, ModelPlan } from './engine/model-loader.js';
export type { Score } from './engine/score.js';
export type { LayerState, SessionState, TokenTrace } from './engine/session-state.js';
export type {
  AllowedTokens,
  DraftFacts,
  EngineFacts,
  FinishReason,
  GenerationResult,
  KeptPrefix,
  MemoryUse,
  PrefixOptions,
  Timings,
  TokenLogprob,
  Written,
} from './engine/types.js';
export { ModelError, type ModelErrorCode } from './errors.js';
export type { GenerationStream } from './generation-stream.js';
export type { MetadataValue } from './gguf/types.js';
export { type Inspection, type InspectOptions, inspectModel, type TensorFacts } from './inspect.js';
export { isKept } from './is-kept.js';
export { type DraftOptions, type LoadOptions, loadModel } from './load-model.js';
export {
  AssociativeMemory,
  type MemoryBuffers,
  type MemoryPlace,
  type MemoryWrite,
} from './memory/associative-memory.js';
export type {
  DecaySetting,
  EpsilonSetting,
  FeatureMapSettings,
  MemoryOptions,
  MemorySettings,
  MemorySize,
  ScaleSetting,
} from './memory/options.js';
export type {
  ChannelDecay,
  HeadDecay,
  MemoryInputs,
  MemoryRule,
  Numbers,
  QueryKeyValue,
  ReceptanceKeyValue,
  WriteRate,
} from './memory/rules.js';
export { Model } from './model.js';
export type {
  GenerationOptions,
  KvType,
  PrefillOptions,
  PrefillProgress,
  SamplingOptions,
  WeightForm,
} from './options.js';
export type { RespondOptions } from './respond-options.js';
export type { ResponsePart, ResponseStream, Usage } from './response-stream.js';
export {
  type Alternative,
  type ContextOverflow,
  type CountOptions,
  type PlaceOptions,
  type SaveOptions,
  Session,
  type SessionOptions,
  type SessionStats,
} from './session.js';
export type { StateOptions } from './session-state.js';
export type { CheckpointSource, ModelPart, ModelSource } from './sources/byte-source.js';
export { type HubOptions, hubUrl } from './sources/hub.js';
export type { LoadProgress } from './sources/model-files.js';
export type { Precision } from './storage/compact.js';
export { modelCache } from './storage/kept-models.js';
export { storedSessions } from './storage/kept-sessions.js';
export type { CacheEntry, CacheOptions, ModelCache } from './storage/models.js';
export type { StoredSession } from './storage/sessions.js';
export type { Message } from './text/message.js';
export type { Tool, ToolCall } from './text/tool.js';
export type { AnswerPart } from './tools/answer-reader.js';
export type { ToolFormatName } from './tools/format-names.js';
export type { ToolChoice } from './tools/tool-choice.js';
export type { Build, WasmOptions } from './wasm/builds.js';
