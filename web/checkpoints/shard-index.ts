// SPDX-License-Identifier: MIT

import { ModelError, shown } from '../errors.js';
import type { TensorEntry } from '../gguf/types.js';
import { isObject, parseJson } from './json.js';

/** What `model.safetensors.index.json` says. */
export interface ShardIndex {
  /** Names of the files, sorted. */
  files: string[];
  /** The file of each tensor, by its place in `files`. */
  places: Map<string, number>;
}

const MAX_FILES = 1000;

/**
 * Reads an index.
 *
 * @param name of the file, for messages
 * @throws ModelError `invalid_metadata`
 */
export function shardsOf(text: string, name: string): ShardIndex {
  const bad = (what: string) =>
    new ModelError('invalid_metadata', `${name}: ${what}`, { subject: name });
  const { weight_map: map } = parseJson(text, name);
  if (!isObject(map)) throw bad("'weight_map' is no object");
  const entries = Object.entries(map);
  const files = [...new Set(entries.map(([, file]) => file))].sort();
  for (const file of files) {
    // Nothing outside the folder is fetched.
    if (typeof file !== 'string' || !/^[^/\\?#]+\.safetensors$/i.test(file)) {
      throw bad(`'weight_map' names ${shown(file)}, which is no file of the folder`);
    }
  }
  if (files.length === 0 || files.length > MAX_FILES) throw bad(`it names ${files.length} files`);
  const places = new Map(entries.map(([tensor, file]) => [tensor, files.indexOf(file)]));
  return { files: files as string[], places };
}

/**
 * Checks that each tensor is in the file that the index names.
 *
 * @throws ModelError `missing_tensor` naming the first that is not
 */
export function checkIndex({ files, places }: ShardIndex, tensors: readonly TensorEntry[]): void {
  const found = new Map(tensors.map(({ name, part }) => [name, part]));
  for (const [name, place] of places) {
    if (found.get(name) === place) continue;
    const message = `${files[place]}: tensor ${name}, which the index places there, is not there`;
    throw new ModelError('missing_tensor', message, { subject: name });
  }
}
