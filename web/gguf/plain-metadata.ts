// SPDX-License-Identifier: MIT
import { TextColumn } from './text-column.js';
import type { HeaderValue, Metadata, MetadataValue } from './types.js';

/** A header's values as JavaScript has them: long lists of texts, too, are decoded. */
export function plainMetadata(metadata: Metadata): Map<string, MetadataValue> {
  return new Map(new PostedMetadata(metadata));
}

/**
 * A header's values, as a worker has posted them. A tokenizer's two lists, half a million texts, are decoded
 * when somebody asks for them: at once it would take 0.1 s of a page's thread.
 */
export class PostedMetadata extends Map<string, MetadataValue> {
  /** @param metadata in which a {@link TextColumn} has become its bytes and ends */
  constructor(metadata: Metadata) {
    super();
    for (const [key, value] of metadata) super.set(key, value as MetadataValue);
  }

  override get(key: string): MetadataValue | undefined {
    const value = super.get(key) as HeaderValue | undefined;
    if (!isColumn(value)) return value;
    const decoded = [...new TextColumn(value.bytes, value.ends)];
    super.set(key, decoded);
    return decoded;
  }

  override *values(): MapIterator<MetadataValue> {
    for (const key of this.keys()) yield this.get(key) as MetadataValue;
  }

  override *entries(): MapIterator<[string, MetadataValue]> {
    for (const key of this.keys()) yield [key, this.get(key) as MetadataValue];
  }

  override [Symbol.iterator](): MapIterator<[string, MetadataValue]> {
    return this.entries();
  }

  override forEach(
    use: (value: MetadataValue, key: string, map: Map<string, MetadataValue>) => void,
    self?: unknown,
  ): void {
    for (const [key, value] of this) use.call(self, value, key, this);
  }
}

// Of an engine, in this thread or in a worker: it has a class of its own.
const isColumn = (value: HeaderValue | undefined): value is TextColumn =>
  typeof value === 'object' && 'ends' in value;
