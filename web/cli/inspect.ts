// SPDX-License-Identifier: MIT
import type { MetadataValue } from '../gguf/types.js';
import { inspectModel } from '../index.js';
import {
  kvOption,
  printJson,
  readOptions,
  required,
  wasmOptions,
  weightsOption,
  whole,
} from './options.js';

export const inspect = {
  usage: `fastweights inspect --model FILE
  Architecture, metadata, tensors and what the model would take in memory, without reading weights.`,

  async run(args: string[]): Promise<void> {
    const values = readOptions(args, {});
    // Every command takes it; here is no work to share.
    whole(values, 'threads', 1);
    const found = await inspectModel(required(values, 'model'), {
      wasm: wasmOptions(values),
      weights: weightsOption(values),
      kv: kvOption(values),
    });
    const { architecture, tensors, memory } = found;
    const metadata = Object.fromEntries(
      [...found.metadata].map(([key, value]) => [key, plain(value)]),
    );
    if (values.json) {
      printJson({ architecture, metadata, tensors, memory });
      return;
    }
    for (const [key, value] of Object.entries(metadata)) {
      const shown = JSON.stringify(value);
      process.stdout.write(`${key} = ${shown.length > 100 ? `${shown.slice(0, 97)}...` : shown}\n`);
    }
    for (const { name, type, shape, bytes } of tensors) {
      process.stdout.write(`${name}  ${type} [${shape.join(', ')}]  ${bytes} bytes\n`);
    }
    const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
    process.stdout.write(
      `weights ${megabytes(memory.weightsBytes)}, state ${megabytes(memory.stateBytes)} a session, ` +
        `${memory.kvBytesPerToken} bytes a token\n`,
    );
  },
};

// JSON has no integers beyond 2^53.
function plain(value: MetadataValue): unknown {
  if (typeof value === 'bigint') return value.toString();
  return Array.isArray(value) ? value.map(plain) : value;
}
