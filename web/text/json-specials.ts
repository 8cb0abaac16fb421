// SPDX-License-Identifier: MIT
import { ModelError, shown } from '../errors.js';
import type { HeaderValue, MetadataValue } from '../gguf/types.js';
import { type Json, pick, unsupported } from './json-steps.js';

/** Token ids around every text. */
interface Around {
  before: number[];
  after: number[];
}

const GGML = 'tokenizer.ggml.';

/** Adds what ids start and end texts, by which tokens, and which end an answer. */
export function addSpecials(
  { json, config, generation }: { json: Json; config: Json; generation: Json },
  metadata: Map<string, HeaderValue>,
): void {
  const tokens = (metadata.get(`${GGML}tokens`) ?? []) as string[];
  const around: Around = { before: [], after: [] };
  postProcess(json.post_processor, around);
  const ends = idList(generation.eos_token_id, 'eos_token_id');
  const [start] = idList(generation.bos_token_id, 'bos_token_id');
  const name = (key: string) => {
    const given = config[key];
    const text = typeof given === 'string' ? given : (given as Json | null | undefined)?.content;
    const id = typeof text === 'string' ? tokens.lastIndexOf(text) : -1;
    return id < 0 ? undefined : id;
  };
  const eos = name('eos_token');
  const [first] = around.before;
  const [last] = around.after;
  if (around.before.length > 1 || around.after.length > 1) {
    throw unsupported('a post-processor with more than one token before or after a text');
  }
  if (last !== undefined && eos !== undefined && last !== eos) {
    throw unsupported(`a post-processor that ends texts with token ${last}, the EOS being ${eos},`);
  }
  const set = (key: string, value: MetadataValue | undefined) => {
    if (value !== undefined && !metadata.has(GGML + key)) metadata.set(GGML + key, value);
  };
  set('bos_token_id', first ?? name('bos_token') ?? start);
  set('eos_token_id', eos ?? last ?? ends[0]);
  set('padding_token_id', name('pad_token'));
  // As llama.cpp's converter has it, the configuration decides where it says anything.
  const flag = (key: string) => (typeof config[key] === 'boolean' ? config[key] : undefined);
  if (tokens.length > 0) {
    set('add_bos_token', flag('add_bos_token') ?? first !== undefined);
    set('add_eos_token', flag('add_eos_token') ?? last !== undefined);
  }
  if (ends.length > 0) metadata.set(`${GGML}end_token_ids`, ends);
}

/** The chat templates under their keys. */
export function chatTemplates(jinja: string | undefined, config: Json): [string, string][] {
  const own = config.chat_template;
  const named = Array.isArray(own) ? (own as Json[]) : [{ name: 'default', template: own }];
  const templates = named.flatMap(({ name, template }): [string, string][] =>
    typeof name === 'string' && typeof template === 'string' ? [[name, template]] : [],
  );
  if (jinja !== undefined) templates.push(['default', jinja]);
  return templates.map(([name, template]) => [
    `tokenizer.chat_template${name === 'default' ? '' : `.${name}`}`,
    template,
  ]);
}

const PROCESSORS: Readonly<Record<string, (part: Json, around: Around) => void>> = {
  Sequence: ({ processors }, around) => {
    if (!Array.isArray(processors)) throw unsupported('a sequence without a list');
    for (const part of processors) postProcess(part, around);
  },
  // It moves offsets only.
  ByteLevel: () => {},
  TemplateProcessing: template,
};

function postProcess(part: unknown, around: Around): void {
  if (part === null || part === undefined) return;
  pick(part as Json, 'post-processor', PROCESSORS)(part as Json, around);
}

// `[{ SpecialToken: { id: '<s>' } }, { Sequence: { id: 'A' } }]`, and the ids of `<s>` beside it.
function template({ single, special_tokens }: Json, around: Around): void {
  if (!Array.isArray(single)) throw unsupported('a template that is not a list');
  let isBefore = true;
  for (const item of single as Json[]) {
    if (item.Sequence) {
      if ((item.Sequence as Json).id !== 'A' || !isBefore) throw unsupported('such a template');
      isBefore = false;
      continue;
    }
    const name = (item.SpecialToken as Json | undefined)?.id;
    const entry = (special_tokens as Json | undefined)?.[String(name)] as Json | undefined;
    if (!Array.isArray(entry?.ids)) throw unsupported(`a template with ${shown(item)}`);
    (isBefore ? around.before : around.after).push(...(entry.ids as number[]));
  }
}

function idList(value: unknown, key: string): number[] {
  const ids: unknown[] = Array.isArray(value)
    ? value
    : value === undefined || value === null
      ? []
      : [value];
  if (ids.every((id) => typeof id === 'number' && Number.isInteger(id) && id >= 0)) {
    return ids as number[];
  }
  const file = 'generation_config.json';
  throw new ModelError('invalid_metadata', `${key} of ${file} is ${shown(value)}`, {
    subject: file,
  });
}
