// SPDX-License-Identifier: MIT

/**
 * llama.cpp on the processor, as it was built for node-llama-cpp.
 *
 * @param {string} library as ensureLlamaCpp gives it
 */
export async function openLlamaCpp(library) {
  const { getLlama, LlamaLogLevel } = await import(library);
  return getLlama({
    gpu: false,
    build: 'never',
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
  });
}
