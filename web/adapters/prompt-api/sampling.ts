// SPDX-License-Identifier: MIT
import type { GenerationOptions } from '../../index.js';
import type { CreateCoreOptions, SamplingMode } from './types.js';
import { oneOf } from './web-idl.js';

// One temperature per mode, the middle one the package's own default.
const TEMPERATURES: Record<SamplingMode, number> = {
  'most-predictable': 0,
  predictable: 0.4,
  'slightly-predictable': 0.6,
  balanced: 0.8,
  'slightly-creative': 0.95,
  creative: 1.1,
  'most-creative': 1.5,
};

const MODES = Object.keys(TEMPERATURES) as SamplingMode[];

/** How a session draws, and what that is called: null where numbers say it. */
export interface Sampling {
  mode: SamplingMode | null;
  options: GenerationOptions;
}

/**
 * The numbers of a mode. Pages have no `temperature` and `topK` in the standard, which ignores them
 * there: here they count where no mode is given.
 *
 * @throws TypeError for a mode that does not exist
 */
export function readSampling({ samplingMode, temperature, topK }: CreateCoreOptions): Sampling {
  if (samplingMode !== undefined) {
    const mode = oneOf(samplingMode, MODES, 'samplingMode');
    return { mode, options: { temperature: TEMPERATURES[mode] } };
  }
  const options: GenerationOptions = {};
  if (temperature !== undefined) options.temperature = temperature;
  if (topK !== undefined) options.topK = topK;
  return { mode: Object.keys(options).length > 0 ? null : 'balanced', options };
}
