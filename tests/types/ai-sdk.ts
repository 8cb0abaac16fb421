// SPDX-License-Identifier: MIT
import type { LanguageModelV4, LanguageModelV4CallOptions, ProviderV4 } from '@ai-sdk/provider';
import type * as Ours from '../../web/adapters/ai-sdk.js';

export const model = (ours: Ours.LanguageModel): LanguageModelV4 => ours;
export const provider = (ours: Ours.Provider): ProviderV4 => ours;
export const call = (theirs: LanguageModelV4CallOptions): Ours.CallOptions => theirs;
