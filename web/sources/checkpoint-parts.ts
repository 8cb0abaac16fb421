// SPDX-License-Identifier: MIT

import { nodeModule } from '../node.js';
import { checkNames, type NamesOf } from '../option-names.js';
import { decodedUri } from '../uri.js';
import type { CheckpointSource, ModelPart, ModelSource } from './byte-source.js';
import { locate } from './locate.js';
import { bytesOf, isBlob, isStream, isUrl } from './parts.js';

/** A file by the name that it has in Hugging Face's layout. */
export interface NamedPart {
  name: string;
  part: ModelPart;
}

/** A checkpoint in one form, whatever it was given as. */
export interface CheckpointParts {
  /** Where files are that were not given: an address or path that ends in `/`. */
  folder: string | undefined;
  files: NamedPart[];
}

const NAMES: NamesOf<CheckpointSource> = {
  config: true,
  weights: true,
  index: true,
  tokenizer: true,
  tokenizerConfig: true,
  generationConfig: true,
  chatTemplate: true,
  vocabulary: true,
};

/** What the files are called that a checkpoint has beside its weights. */
export const FILE_NAMES = {
  config: 'config.json',
  index: 'model.safetensors.index.json',
  tokenizer: 'tokenizer.json',
  tokenizerConfig: 'tokenizer_config.json',
  generationConfig: 'generation_config.json',
  chatTemplate: 'chat_template.jinja',
  vocabulary: 'rwkv_vocab_v20230424.txt',
} as const satisfies Partial<Record<keyof CheckpointSource, string>>;

const SAFETENSORS = /\.safetensors$/i;

/**
 * The files of a checkpoint; undefined of any other source.
 *
 * @throws TypeError for an object that lacks a file, or has one that nobody reads
 */
export function checkpointParts(source: ModelSource): CheckpointParts | undefined {
  if (Array.isArray(source)) return listed(source);
  if (isPart(source)) {
    const folder = folderOf(source);
    return folder === undefined ? undefined : { folder, files: [] };
  }
  if (source === null || typeof source !== 'object') return undefined;
  return named(source);
}

/** The same, where a path may be that of a folder, which only a look at the disk tells. */
export async function checkpointOnDisk(source: ModelSource): Promise<CheckpointParts | undefined> {
  const parts = checkpointParts(source);
  if (parts || Array.isArray(source) || !isPart(source)) return parts;
  const place = locate(source);
  if (!place || !('path' in place)) return undefined;
  const { path } = place;
  const fs = nodeModule<typeof import('node:fs/promises')>('node:fs/promises');
  const found = await fs.stat(/^file:/i.test(path) ? new URL(path) : path).catch(() => undefined);
  return found?.isDirectory() ? { folder: `${path}/`, files: [] } : undefined;
}

/**
 * What an address is as a folder if its last part has no ending, as those of files have: such a one
 * may be either, which only its server knows.
 */
export function possibleFolder(source: ModelSource): string | undefined {
  const text = typeof source === 'string' ? source : isUrl(source) ? source.href : '';
  return /^https?:\/\/[^?#]*\/[^./?#]+$/i.test(text) ? `${text}/` : undefined;
}

/** The address or path of a file in a folder; what follows a `?` stays. */
export function inFolder(folder: string, name: string): string {
  const [, path = '', query = ''] = /^([^?#]*\/)(\?[^#]*)?/.exec(folder) ?? [];
  return `${path}${name}${query}`;
}

/** The last part of a file's address, path or name; undefined of what has none. */
export function nameOf(part: ModelPart): string | undefined {
  if (isBlob(part)) return (part as File).name || undefined;
  const text = typeof part === 'string' ? part : isUrl(part) ? part.href : '';
  if (/^(blob|data):/i.test(text)) return undefined;
  const last = /([^/\\]+)$/.exec(text.replace(/[?#].*$/s, ''))?.[1];
  return last && decodedUri(last);
}

function isPart(source: ModelPart | CheckpointSource): source is ModelPart {
  return (
    typeof source === 'string' ||
    isUrl(source) ||
    isBlob(source) ||
    isStream(source) ||
    bytesOf(source) !== undefined
  );
}

function folderOf(part: ModelPart): string | undefined {
  const text = typeof part === 'string' ? part : isUrl(part) ? part.href : '';
  if (/^(blob|data):/i.test(text)) return undefined;
  return /^[^?#]*\/([?#]|$)/.test(text) ? text : undefined;
}

function named(source: CheckpointSource): CheckpointParts {
  checkNames(source, NAMES, 'model.');
  const { config, weights } = source;
  if (config === undefined || weights === undefined) {
    throw new TypeError(`model.${config === undefined ? 'config' : 'weights'} is missing`);
  }
  const files = Object.entries(FILE_NAMES).flatMap(([key, name]) => {
    const part = source[key as keyof typeof FILE_NAMES];
    return part === undefined ? [] : [{ name, part }];
  });
  const list = Array.isArray(weights) ? weights : [weights];
  if (list.length === 0) throw new RangeError('model.weights has no files');
  list.forEach((part, i) => {
    const own = nameOf(part);
    const name = own && SAFETENSORS.test(own) ? own : `weights ${i + 1}.safetensors`;
    files.push({ name: name as (typeof files)[number]['name'], part });
  });
  return { folder: undefined, files };
}

// What a picker of folders gives has files of folders inside it too; those beside config.json count.
function listed(parts: ModelPart[]): CheckpointParts | undefined {
  const files = parts.flatMap((part) => {
    const name = nameOf(part);
    return name === undefined ? [] : [{ name, part, place: placeOf(part) }];
  });
  const configs = files.filter(({ name }) => name === FILE_NAMES.config);
  const place = configs.map((file) => file.place).sort((a, b) => a.length - b.length)[0];
  if (place === undefined) return undefined;
  const known = Object.values(FILE_NAMES) as string[];
  const inside = files.filter(
    (file) => file.place === place && (known.includes(file.name) || SAFETENSORS.test(file.name)),
  );
  return { folder: undefined, files: inside.map(({ name, part }) => ({ name, part })) };
}

function placeOf(part: ModelPart): string {
  const path = isBlob(part)
    ? ((part as File).webkitRelativePath ?? '')
    : String(part).replace(/[?#].*$/s, '');
  return path.replace(/[^/\\]*$/, '');
}
