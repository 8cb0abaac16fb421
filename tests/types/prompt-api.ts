// SPDX-License-Identifier: MIT
// Ours can stand wherever the browsers' LanguageModel is asked for.
import { languageModelOf, LanguageModel as Ours } from '../../web/adapters/prompt-api.js';

type Theirs = typeof LanguageModel;

export const theirClass: Theirs = Ours;
export const bound: Theirs = languageModelOf('/models/model.gguf');
export const instance = (ours: Ours): LanguageModel => ours;

/** Every dictionary of theirs is one of ours. */
export type Checks = [
  Takes<Parameters<typeof Ours.create>[0], LanguageModelCreateOptions>,
  Takes<Parameters<typeof Ours.availability>[0], LanguageModelCreateCoreOptions>,
  Takes<Parameters<Ours['prompt']>[0], LanguageModelPrompt>,
  Takes<Parameters<Ours['prompt']>[1], LanguageModelPromptOptions>,
  Takes<Availability, Awaited<ReturnType<typeof Ours.availability>>>,
];

type Takes<Wanted, Given extends Wanted> = Given;

export async function use() {
  const chosen: Theirs = 'LanguageModel' in globalThis ? LanguageModel : bound;
  const session = await chosen.create({
    initialPrompts: [{ role: 'system', content: 'Be brief.' }],
    monitor(m) {
      m.addEventListener('downloadprogress', (e) => console.log(e.loaded));
    },
  });
  const prefixed = await session.prompt([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Well,', prefix: true },
  ]);
  const own = await Ours.create({
    model: new Blob([]),
    generation: { seed: 1 },
    monitor: (m) => m.addEventListener('downloadprogress', (e) => console.log(e.loaded)),
  });
  // @ts-expect-error There is no such mode.
  await Ours.create({ samplingMode: 'wild' });
  return [prefixed, own.contextUsage];
}
