// SPDX-License-Identifier: MIT

import type { ModelHeader, TensorEntry } from '../gguf/types.js';
import type { CheckpointParts } from '../sources/checkpoint-parts.js';
import type { FilesOptions, ModelFiles, TensorFiles } from '../sources/tensor-files.js';
import type { ModelCache } from '../storage/models.js';
import { CheckpointFolder } from './checkpoint-folder.js';
import { Delivery } from './delivery.js';
import type { VirtualTensor } from './mapping.js';
import type { SafetensorsHeader } from './safetensors.js';
import { translate } from './translate.js';

/**
 * Opens a safetensors checkpoint, whose header is what a GGUF of it would say.
 *
 * @param cache for tests; the browser's storage otherwise
 * @throws what {@link ModelFiles.stream} throws; ModelError `unsupported_architecture` for a
 * `model_type` or a tensor that no family reads, `invalid_metadata` naming a field of config.json,
 * `missing_tensor`, `shape_mismatch`, `unsupported_type`, `invalid_header`, `not_found`
 */
export async function openCheckpoint(
  parts: CheckpointParts,
  options: FilesOptions = {},
  cache?: ModelCache,
): Promise<ModelFiles> {
  const folder = await CheckpointFolder.of(parts, options, cache);
  const texts = await folder.texts();
  const weights = await folder.weights();
  try {
    return new CheckpointFiles(weights, translate(texts, weights.header.tensors), folder);
  } catch (error) {
    await weights.close();
    throw error;
  }
}

/** What {@link translate} gives. */
interface Translation {
  metadata: ModelHeader['metadata'];
  tensors: VirtualTensor[];
}

class CheckpointFiles implements ModelFiles {
  readonly header: ModelHeader;
  readonly #weights: TensorFiles<SafetensorsHeader>;
  readonly #tensors: VirtualTensor[];
  readonly #folder: CheckpointFolder;

  constructor(
    weights: TensorFiles<SafetensorsHeader>,
    { metadata, tensors }: Translation,
    folder: CheckpointFolder,
  ) {
    this.#weights = weights;
    this.#tensors = tensors;
    this.#folder = folder;
    this.header = { metadata, tensors: tensors.map(({ entry }) => entry) };
  }

  get totalBytes(): number {
    return this.#weights.totalBytes;
  }

  get fromCache(): boolean {
    return this.#weights.fromCache && this.#folder.fromCache;
  }

  get kept(): boolean {
    return this.#weights.kept && this.#folder.kept;
  }

  get notKept(): string | undefined {
    return this.#weights.notKept ?? this.#folder.notKept;
  }

  /** Of weights alone nothing follows here: the other files say what is made of them. */
  get keptAs(): readonly undefined[] {
    return [];
  }

  async stream(
    wants: (tensor: TensorEntry) => boolean,
    sink: (tensor: TensorEntry, bytes: Uint8Array) => void,
  ): Promise<void> {
    const wanted = this.#tensors.filter(({ entry }) => wants(entry));
    const delivery = new Delivery(wanted, sink);
    await this.#weights.stream(
      (tensor) => delivery.wants(tensor),
      (tensor, bytes) => delivery.take(tensor, bytes),
    );
  }

  close(): Promise<void> {
    return this.#weights.close();
  }
}
