// SPDX-License-Identifier: MIT
// What kind of thing a part of a model is, and what a stream gives. Objects may come from another
// realm (a frame, a test's sandbox), where instanceof fails.

export function isUrl(part: unknown): part is URL {
  return tagOf(part) === '[object URL]';
}

export function isStream(part: unknown): part is ReadableStream<Uint8Array> {
  return typeof (part as ReadableStream | null)?.getReader === 'function';
}

export function isBlob(part: unknown): part is Blob {
  const blob = part as Blob | null;
  return typeof blob?.stream === 'function' && typeof blob.arrayBuffer === 'function';
}

/** The bytes of a buffer or a view of one, which are not copied; undefined of anything else. */
export function bytesOf(part: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(part)) return viewed(part);
  if (!/^\[object (Shared)?ArrayBuffer\]$/.test(tagOf(part))) return undefined;
  return new Uint8Array(part as ArrayBuffer);
}

/** What a stream gave. @throws TypeError for something else than bytes */
export function pieceOf(value: unknown): Uint8Array {
  if (ArrayBuffer.isView(value)) return viewed(value);
  throw new TypeError('the stream gave something else than bytes');
}

/** What is said of something that is no part of a model. */
export function wrongKind(): TypeError {
  return new TypeError(
    'a model is a URL, path, File, Blob, ArrayBuffer, typed array or ReadableStream',
  );
}

const viewed = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  new Uint8Array(buffer, byteOffset, byteLength);

const tagOf = (part: unknown): string => Object.prototype.toString.call(part);
