// SPDX-License-Identifier: MIT
import { readFile } from 'node:fs/promises';
import { openModel, printJson, readOptions, required, whole } from './options.js';

const OPTIONS = { file: { type: 'string' }, context: { type: 'string' } } as const;

export const perplexity = {
  usage: `fastweights perplexity --model FILE --file TEXT [--context N]
  How well the model predicts a text file, in windows of N tokens (default 512), each from a zero
  state; the last incomplete one is dropped and the first token of each is not scored.`,

  async run(args: string[]): Promise<void> {
    const values = readOptions(args, OPTIONS);
    const context = whole(values, 'context', 2) ?? 512;
    const text = await readFile(required(values, 'file'), 'utf8');
    await using model = await openModel(values);
    const shown = !values.json && process.stderr.isTTY;
    const score = await model.perplexity(text, {
      context,
      onProgress: (done, total) => {
        if (shown) process.stderr.write(`\rwindow ${done} of ${total}`);
      },
    });
    if (shown) process.stderr.write('\n');
    if (values.json) printJson(score);
    else {
      process.stdout.write(
        `perplexity ${score.perplexity.toFixed(4)}, ${score.bitsPerByte.toFixed(4)} bits per byte, ` +
          `${score.scored} of ${score.tokens} tokens\n`,
      );
    }
  },
};
