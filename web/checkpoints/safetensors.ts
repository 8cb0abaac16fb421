// SPDX-License-Identifier: MIT

import { ModelError } from '../errors.js';
import type { HeaderSource, TensorEntry } from '../gguf/types.js';
import type { FileFormat } from '../sources/tensor-files.js';

/** What a `.safetensors` says before its tensor bytes. */
export interface SafetensorsHeader {
  tensors: TensorEntry[];
}

/** ggml's type number, where it has one (-1), and the bits of an element, by safetensors' name. */
const TYPES: Readonly<Record<string, readonly [type: number, bits: number]>> = {
  F32: [0, 32],
  F16: [1, 16],
  BF16: [30, 16],
  F64: [28, 64],
  I8: [24, 8],
  I16: [25, 16],
  I32: [26, 32],
  I64: [27, 64],
  U8: [-1, 8],
  U16: [-1, 16],
  U32: [-1, 32],
  U64: [-1, 64],
  BOOL: [-1, 8],
  C64: [-1, 64],
  F8_E4M3: [-1, 8],
  F8_E5M2: [-1, 8],
  F8_E8M0: [-1, 8],
  F6_E2M3: [-1, 6],
  F6_E3M2: [-1, 6],
  F4: [-1, 4],
};

// The most that the format's own reader takes.
const MAX_HEADER_BYTES = 100_000_000;
const MAX_NAME_LENGTH = 1 << 10;
const MAX_DIMENSIONS = 8;

/** Files of tensors without metadata: `u64 length | JSON | bytes` (safetensors' README, "Format"). */
export const SAFETENSORS: FileFormat<SafetensorsHeader> = { read: readSafetensors, merge };

/**
 * Reads the header from a source that stands at byte 0, with every number in it checked.
 *
 * @throws ModelError `invalid_header`, `truncated`
 */
async function readSafetensors(source: HeaderSource) {
  const intake = new Intake(source);
  const start = await intake.first(8);
  const view = new DataView(start.buffer, start.byteOffset, 8);
  const length = Number(view.getBigUint64(0, true));
  if (length < 2 || length > MAX_HEADER_BYTES) {
    throw bad(source, `not a safetensors file: it announces a header of ${length} bytes`);
  }
  const headerEnd = 8 + length;
  if (source.size !== undefined && headerEnd > source.size) {
    throw cut(source, `the header ends at byte ${headerEnd}, the file at ${source.size}`);
  }
  const bytes = await intake.first(headerEnd);
  const header = { tensors: entries(parse(bytes.subarray(8), source), headerEnd, source) };
  return { header, rest: intake.after(headerEnd), headerEnd, alignment: 1 };
}

function parse(bytes: Uint8Array, source: HeaderSource): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw bad(source, `the header is no JSON (${(cause as Error).message})`, undefined, cause);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw bad(source, 'the header is no JSON object');
}

function entries(
  header: Record<string, unknown>,
  dataOffset: number,
  source: HeaderSource,
): TensorEntry[] {
  const tensors = Object.entries(header)
    .filter(([name]) => name !== '__metadata__')
    .map(([name, claim]) => entry(name, claim, dataOffset, source));
  const byOffset = [...tensors].sort((a, b) => a.offset - b.offset || a.bytes - b.bytes);
  byOffset.forEach((tensor, i) => {
    const before = byOffset[i - 1];
    if (!before || before.offset + before.bytes <= tensor.offset) return;
    throw bad(source, `tensor ${tensor.name} overlaps ${before.name}`, tensor.name);
  });
  return byOffset;
}

function entry(
  name: string,
  claim: unknown,
  dataOffset: number,
  source: HeaderSource,
): TensorEntry {
  if (name.length > MAX_NAME_LENGTH) throw bad(source, 'a tensor has a name of no sane length');
  const { dtype, shape, data_offsets } = (claim ?? {}) as Record<string, unknown>;
  const kind = typeof dtype === 'string' && Object.hasOwn(TYPES, dtype) ? TYPES[dtype] : undefined;
  if (!kind) {
    const type = typeof dtype === 'string' ? dtype : typeof dtype;
    throw bad(source, `tensor ${name} has the unknown type ${type}`, name);
  }
  const sizes = whole(shape);
  if (!sizes || sizes.length > MAX_DIMENSIONS)
    throw bad(source, `tensor ${name} has no shape`, name);
  const elements = sizes.reduce((product, size) => product * size, 1);
  const [from, to] = whole(data_offsets) ?? [];
  const bytes = (elements * kind[1]) / 8;
  if (from === undefined || to === undefined || !Number.isSafeInteger(bytes)) {
    throw bad(source, `tensor ${name} has no place in the file`, name);
  }
  if (to - from !== bytes) {
    const shown = `[${sizes.join(', ')}] of ${dtype}`;
    throw bad(source, `tensor ${name} takes ${to - from} bytes, but ${shown} are ${bytes}`, name);
  }
  const end = dataOffset + to;
  if (source.size !== undefined && end > source.size) {
    throw cut(source, `tensor ${name} ends at byte ${end}, the file at ${source.size}`, name);
  }
  return {
    name,
    type: kind[0],
    typeName: dtype as string,
    shape: sizes.length === 0 ? [1] : sizes.reverse(),
    offset: dataOffset + from,
    bytes,
    part: 0,
  };
}

function whole(value: unknown): number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.every((one) => Number.isSafeInteger(one) && one >= 0) ? [...value] : undefined;
}

function merge(headers: readonly SafetensorsHeader[], names: readonly string[]): SafetensorsHeader {
  const seen = new Map<string, string>();
  const tensors = headers.flatMap((header, part) =>
    header.tensors.map((tensor) => {
      const earlier = seen.get(tensor.name);
      const file = names[part] as string;
      if (earlier !== undefined) {
        const message = `${file}: tensor ${tensor.name} is in ${earlier} too`;
        throw new ModelError('invalid_header', message, { subject: tensor.name });
      }
      seen.set(tensor.name, file);
      return { ...tensor, part };
    }),
  );
  return { tensors };
}

/** The beginning of a file, of which a little more is read than was asked for. */
class Intake {
  #source: HeaderSource;
  #bytes: Uint8Array = new Uint8Array(0);

  constructor(source: HeaderSource) {
    this.#source = source;
  }

  /** @throws ModelError `truncated` for a file that has fewer bytes */
  async first(count: number): Promise<Uint8Array> {
    const pieces = [this.#bytes];
    let held = this.#bytes.byteLength;
    while (held < count) {
      const piece = await this.#source.read();
      if (!piece) throw cut(this.#source, `the file ends at byte ${held}, before its header does`);
      held += piece.byteLength;
      // The next one may come in its place.
      pieces.push(held < count ? piece.slice() : piece);
    }
    if (pieces.length > 1) {
      const joined = new Uint8Array(held);
      let at = 0;
      for (const piece of pieces) {
        joined.set(piece, at);
        at += piece.byteLength;
      }
      this.#bytes = joined;
    }
    return this.#bytes.subarray(0, count);
  }

  after(count: number): Uint8Array {
    return this.#bytes.subarray(count);
  }
}

function bad({ name }: HeaderSource, what: string, subject = name, cause?: unknown): ModelError {
  return new ModelError('invalid_header', `${name}: ${what}`, { subject, cause });
}

function cut({ name }: HeaderSource, what: string, subject = name): ModelError {
  return new ModelError('truncated', `${name}: ${what}`, { subject });
}
