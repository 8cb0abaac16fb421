// SPDX-License-Identifier: MIT

import { ModelError, shown } from '../errors.js';
import { isObject, type JsonObject } from './json.js';

/**
 * Fields that any config.json may have and that change no number of a forward pass: where the file
 * comes from, how it was trained, how texts are drawn, what a run hands out beside logits.
 */
const BOOKKEEPING = new Set(
  `model_type architectures auto_map _name_or_path name_or_path transformers_version dtype torch_dtype
  use_cache bos_token_id eos_token_id pad_token_id sep_token_id unk_token_id decoder_start_token_id
  initializer_range output_attentions output_hidden_states output_router_logits return_dict return_last_states
  is_decoder is_encoder_decoder add_cross_attention cross_attention_hidden_size id2label label2id
  problem_type finetuning_task task_specific_params torchscript tf_legacy_loss use_bfloat16
  pruned_heads chunk_size_feed_forward gradient_checkpointing tokenizer_class prefix
  attention_dropout hidden_dropout dropout embd_pdrop resid_pdrop attn_pdrop pretraining_tp
  attn_implementation _attn_implementation _attn_implementation_autoset _attn_implementation_internal
  router_aux_loss_coef num_logits_to_keep unsloth_fixed unsloth_version license
  max_length min_length do_sample early_stopping num_beams num_beam_groups diversity_penalty
  temperature top_k top_p typical_p repetition_penalty length_penalty no_repeat_ngram_size
  encoder_no_repeat_ngram_size bad_words_ids num_return_sequences output_scores
  return_dict_in_generate forced_bos_token_id forced_eos_token_id remove_invalid_values
  exponential_decay_length_penalty suppress_tokens begin_suppress_tokens`.split(/\s+/),
);

// What the core takes (kMaxBlocks): lists of all layers are made before a tensor is looked at.
const MOST_LAYERS = 4096;

/**
 * config.json as a family reads it. What it has not asked for when it is done, and what is no
 * bookkeeping, might change the mathematics, so that it is refused by name.
 *
 * Every reader throws ModelError `invalid_metadata` with the field as its subject.
 */
export class Config {
  readonly #fields: JsonObject;
  readonly #within: string;
  readonly #file: string;
  readonly #read = new Set<string>();
  readonly #parts = new Map<string, Config>();

  /**
   * @param file for messages
   * @param within what comes before a field's name in messages: `text_config.`
   */
  constructor(fields: JsonObject, file: string, within = '') {
    this.#fields = fields;
    this.#file = file;
    this.#within = within;
  }

  /** Whether a field is there and not null. */
  has(name: string): boolean {
    return this.#fields[name] !== undefined && this.#fields[name] !== null;
  }

  /** Whether a field is there as null. */
  isNull(name: string): boolean {
    this.#read.add(name);
    return this.#fields[name] === null;
  }

  /** Whether a field is a text. */
  isText(name: string): boolean {
    return typeof this.#fields[name] === 'string';
  }

  /** An object inside, whose fields are asked for like these; without it an empty one. */
  part(name: string): Config {
    const known = this.#parts.get(name);
    if (known) return known;
    const value = this.#take(name) ?? {};
    if (!isObject(value)) throw this.#bad(name, 'is no object');
    const part = new Config(value, this.#file, `${this.#within}${name}.`);
    this.#parts.set(name, part);
    return part;
  }

  number(name: string, otherwise?: number): number {
    const value = this.#take(name) ?? otherwise;
    if (typeof value === 'number' && !Number.isNaN(value)) return value;
    throw this.#bad(name, value === undefined ? 'is missing' : `is ${shown(value)}, no number`);
  }

  /** A whole number from 1 on, unless `low` says otherwise. */
  whole(name: string, otherwise?: number, low = 1): number {
    const value = this.number(name, otherwise);
    if (Number.isSafeInteger(value) && value >= low) return value;
    throw this.#bad(name, `is ${value}, not a whole number from ${low} on`);
  }

  /** How many layers there are, few enough to make lists of. */
  layers(otherwise?: number): number {
    const name = 'num_hidden_layers';
    const layers = this.whole(name, otherwise);
    if (layers <= MOST_LAYERS) return layers;
    throw this.#bad(name, `is ${layers}, above the ${MOST_LAYERS} layers that there may be`);
  }

  flag(name: string, otherwise: boolean): boolean {
    const value = this.#take(name) ?? otherwise;
    if (typeof value === 'boolean') return value;
    throw this.#bad(name, `is ${shown(value)}, not true or false`);
  }

  text(name: string, otherwise?: string): string {
    const value = this.#take(name) ?? otherwise;
    if (typeof value === 'string') return value;
    throw this.#bad(name, value === undefined ? 'is missing' : `is ${shown(value)}, no text`);
  }

  /** One of these texts; without the field the first. */
  choice(name: string, texts: readonly [string, ...string[]]): string {
    const text = this.text(name, texts[0]);
    if (texts.includes(text)) return text;
    throw this.#bad(
      name,
      `is ${shown(text)}, and only ${texts.map(shown).join(' or ')} is supported`,
    );
  }

  /** A list, of so many items where `length` is given. */
  list(name: string, length?: number): unknown[] | undefined {
    const value = this.#take(name) ?? undefined;
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw this.#bad(name, `is ${shown(value)}, no list`);
    if (length === undefined || value.length === length) return value;
    throw this.#bad(name, `has ${value.length} items, not ${length}`);
  }

  /** A list of numbers. */
  numbers(name: string, length?: number): number[] | undefined {
    const list = this.list(name, length);
    if (list?.every((one) => typeof one === 'number' && !Number.isNaN(one)) ?? true) {
      return list as number[] | undefined;
    }
    throw this.#bad(name, 'is no list of numbers');
  }

  /** A number for each layer, which may be written once for all. */
  perLayer(name: string, layers: number): number[] | undefined {
    if (Array.isArray(this.#fields[name])) return this.numbers(name, layers);
    return this.has(name) ? Array(layers).fill(this.number(name)) : this.numbers(name);
  }

  /**
   * Refuses any value but these of a field; one that is not there counts as the first.
   */
  require(name: string, ...values: readonly unknown[]): void {
    const value = this.#take(name) ?? values[0];
    if (values.some((one) => same(one, value))) return;
    const known = values.map(shown).join(' or ');
    throw this.#bad(name, `is ${shown(value)}, and only ${known} is supported`);
  }

  /** Fields whose values change nothing here. */
  ignore(...names: string[]): void {
    for (const name of names) this.#read.add(name);
  }

  /** @throws ModelError naming a field that nobody asked for */
  finish(): void {
    for (const [name, value] of Object.entries(this.#fields)) {
      if (this.#read.has(name) || BOOKKEEPING.has(name) || value === null) continue;
      throw this.#bad(
        name,
        `(${shown(value)}) is not known: it might change what the model computes`,
      );
    }
    for (const part of this.#parts.values()) part.finish();
  }

  /** The error about a field. */
  wrong(name: string, what: string): ModelError {
    return this.#bad(name, what);
  }

  #take(name: string): unknown {
    this.#read.add(name);
    return this.#fields[name];
  }

  #bad(name: string, what: string): ModelError {
    const subject = this.#within + name;
    return new ModelError('invalid_metadata', `${this.#file}: '${subject}' ${what}`, { subject });
  }
}

const same = (one: unknown, two: unknown): boolean =>
  Array.isArray(one) && Array.isArray(two)
    ? one.length === two.length && one.every((item, i) => same(item, two[i]))
    : one === two;
