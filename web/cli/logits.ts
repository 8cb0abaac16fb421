// SPDX-License-Identifier: MIT
import { writeFile } from 'node:fs/promises';
import { CommandLineError, openModel, printJson, readOptions } from './options.js';

const OPTIONS = {
  tokens: { type: 'string' },
  prompt: { type: 'string' },
  all: { type: 'boolean', default: false },
  output: { type: 'string' },
} as const;

export const logits = {
  usage: `fastweights logits --model FILE (--tokens 1,2,3 | --prompt TEXT) [--all] [--output FILE]
  Logits after the last token, or with --all after each; with --output as raw little-endian
  float32 [tokens, vocabulary].`,

  async run(args: string[]): Promise<void> {
    const values = readOptions(args, OPTIONS);
    const { tokens: list, prompt, output } = values;
    if ((list === undefined) === (prompt === undefined)) {
      throw new CommandLineError('exactly one of --tokens and --prompt is needed');
    }
    const given = typeof list === 'string' ? parseTokens(list) : undefined;
    await using model = await openModel(values);
    const tokens = given ?? (await model.tokenize(String(prompt)));
    const found = await model.logits(tokens, { all: values.all === true });
    const shape = [found.length / model.vocabSize, model.vocabSize];
    if (typeof output === 'string') {
      await writeFile(output, new Uint8Array(found.buffer, found.byteOffset, found.byteLength));
      if (values.json) printJson({ tokens, shape, output });
      return;
    }
    // NaN and infinities have no JSON; none is expected, null would show one.
    printJson({ tokens, shape, logits: Array.from(found) });
  },
};

function parseTokens(list: string): number[] {
  return list.split(',').map((item) => {
    const token = item.trim() === '' ? Number.NaN : Number(item);
    if (!Number.isInteger(token)) throw new CommandLineError(`--tokens has '${item}'`);
    return token;
  });
}
