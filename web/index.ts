// SPDX-License-Identifier: MIT
/**
 * Linear-attention and gated-delta language models in the browser, on the CPU.
 *
 * @packageDocumentation
 */

export type { Alternative } from './alternatives.js';
export {
  AssociativeMemory,
  type MemoryBuffers,
  type MemoryPlace,
  type MemoryWrite,
} from './associative-memory.js';
export type { ModelPart, ModelSource } from './byte-source.js';
export type { Message } from './chat-template.js';
export type { Precision } from './compact.js';
export type { Constraint, JsonSchema } from './constraint.js';
export type { EngineFacts, GenerationResult, MemoryUse } from './engine-types.js';
export { ModelError, type ModelErrorCode } from './errors.js';
export type { FinishReason, Timings, TokenLogprob, Written } from './generation.js';
export type { GenerationStream } from './generation-stream.js';
export type { MetadataValue } from './gguf.js';
export { type Inspection, inspectModel, type TensorFacts } from './inspect.js';
export { modelCache } from './kept-models.js';
export { type LoadOptions, loadModel } from './load-model.js';
export type {
  DecaySetting,
  EpsilonSetting,
  FeatureMapSettings,
  MemoryOptions,
  MemorySettings,
  MemorySize,
  ScaleSetting,
} from './memory-options.js';
export type {
  ChannelDecay,
  HeadDecay,
  MemoryInputs,
  MemoryRule,
  Numbers,
  QueryKeyValue,
  ReceptanceKeyValue,
  WriteRate,
} from './memory-rules.js';
export { Model } from './model.js';
export type { CacheEntry, CacheOptions, ModelCache } from './model-cache.js';
export type { LoadProgress } from './model-files.js';
export type { ModelMemory, ModelPlan } from './model-loader.js';
export type {
  GenerationOptions,
  PrefillOptions,
  PrefillProgress,
  SamplingOptions,
  WeightForm,
} from './options.js';
export type { KeptPrefix, PrefixOptions } from './prefixes.js';
export type { Score } from './score.js';
export {
  type ContextOverflow,
  type SaveOptions,
  Session,
  type SessionOptions,
  type SessionStats,
} from './session.js';
export type { StoredSession } from './session-store.js';
export { storedSessions } from './sessions.js';
export type { Build, WasmOptions } from './wasm-source.js';
