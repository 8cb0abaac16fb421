// SPDX-License-Identifier: MIT
import { expose, type Remote, transfer, transferHandlers, wrap } from 'comlink';
import type { ModelPart, ModelSource } from '../sources/byte-source.js';
import { locate } from '../sources/locate.js';

/** A stream that stays in the page and is handed to the worker piece by piece. */
interface Pieces {
  next(): Promise<Uint8Array | undefined>;
  cancel(): Promise<void>;
}

/** Bytes that stay in the page; the worker reads what it wants of them. */
interface Bytes {
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** A source on its way to a worker. */
class Posted {
  constructor(readonly source: ModelSource) {}
}

/** Marks a source as one that is to be carried to a worker by {@link carrySources}. */
export function postSource(source: ModelSource): ModelSource {
  return new Posted(source) as unknown as ModelSource;
}

/**
 * Teaches Comlink to carry model sources. Addresses become absolute, since a worker has another
 * base; buffers and streams stay in the page and are read in pieces, so that it never copies a
 * whole model at once. Called once on each side of the boundary.
 */
export function carrySources(): void {
  transferHandlers.set('model source', {
    canHandle: (value): value is Posted => value instanceof Posted,
    serialize({ source }: Posted) {
      const parts = (Array.isArray(source) ? source : [source]).map(post);
      return [parts, parts.flatMap((part) => (isPosted(part) ? [part.port] : []))];
    },
    deserialize(parts: PostedPart[]) {
      const opened = parts.map(open);
      return opened.length === 1 ? opened[0] : opened;
    },
  });
}

type PostedPart = string | Blob | { port: MessagePort; size: number | undefined };

function isPosted(part: PostedPart): part is Exclude<PostedPart, string | Blob> {
  return typeof part === 'object' && 'port' in part;
}

function post(part: ModelPart): PostedPart {
  const place = locate(part);
  if (place) return 'url' in place ? place.url : place.path;
  if (typeof (part as Blob).arrayBuffer === 'function') return part as Blob;
  const { port1, port2 } = new MessageChannel();
  if (typeof (part as ReadableStream).getReader === 'function') {
    expose(piecesOf(part as ReadableStream<Uint8Array>), port1);
    return { port: port2, size: undefined };
  }
  const bytes = ArrayBuffer.isView(part)
    ? new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
    : new Uint8Array(part as ArrayBuffer);
  expose(bytesOf(bytes), port1);
  return { port: port2, size: bytes.byteLength };
}

function open(part: PostedPart): ModelPart {
  if (!isPosted(part)) return part;
  return part.size === undefined ? openPieces(part.port) : openBytes(part.port, part.size);
}

function openPieces(port: MessagePort): ReadableStream<Uint8Array> {
  const pieces: Remote<Pieces> = wrap<Pieces>(port);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await pieces.next();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
      async cancel() {
        await pieces.cancel();
      },
    },
    { highWaterMark: 0 },
  );
}

// What the loader uses of a Blob: its size, and slices that are read when they are asked for.
function openBytes(port: MessagePort, size: number): Blob {
  const bytes: Remote<Bytes> = wrap<Bytes>(port);
  const slice = (start = 0, end = size) => ({
    size: end - start,
    arrayBuffer: async () => (await bytes.read(start, end)).buffer,
  });
  return { ...slice(), slice, name: 'buffer', stream() {} } as unknown as Blob;
}

function piecesOf(stream: ReadableStream<Uint8Array>): Pieces {
  const reader = stream.getReader();
  return {
    next: async () => {
      const { value } = await reader.read();
      // A copy: the stream's own buffer may be shared, or larger than the chunk.
      return value && moved(value.slice());
    },
    cancel: () => reader.cancel(),
  };
}

function bytesOf(bytes: Uint8Array): Bytes {
  return { read: async (start, end) => moved(bytes.slice(start, end)) };
}

function moved(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return transfer(bytes, [bytes.buffer]);
}
