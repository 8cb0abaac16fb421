// SPDX-License-Identifier: MIT
import { expose, type Remote, transfer, transferHandlers, wrap } from 'comlink';
import { locate, type ModelPart, type ModelSource } from './byte-source.js';

/** Bytes that stay in the page and are handed to the worker piece by piece. */
interface Pieces {
  next(): Promise<Uint8Array | undefined>;
  cancel(): Promise<void>;
}

/** A source on its way to a worker. */
class Posted {
  constructor(readonly source: ModelSource) {}
}

const PIECE_BYTES = 1 << 20;

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
      return [parts, parts.filter((part) => part instanceof MessagePort)];
    },
    deserialize(parts: PostedPart[]) {
      const opened = parts.map(open);
      return opened.length === 1 ? opened[0] : opened;
    },
  });
}

type PostedPart = string | Blob | MessagePort;

function post(part: ModelPart): PostedPart {
  const place = locate(part);
  if (place) return 'url' in place ? place.url : place.path;
  if (typeof (part as Blob).arrayBuffer === 'function') return part as Blob;
  const { port1, port2 } = new MessageChannel();
  expose(piecesOf(part), port1);
  return port2;
}

function open(part: PostedPart): ModelPart {
  if (!(part instanceof MessagePort)) return part;
  const pieces: Remote<Pieces> = wrap<Pieces>(part);
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

function piecesOf(part: ModelPart): Pieces {
  if (typeof (part as ReadableStream).getReader === 'function') {
    const reader = (part as ReadableStream<Uint8Array>).getReader();
    return {
      next: async () => {
        const { value } = await reader.read();
        // A copy: the stream's own buffer may be shared, or larger than the chunk.
        return value && moved(value.slice());
      },
      cancel: () => reader.cancel(),
    };
  }
  const bytes = ArrayBuffer.isView(part)
    ? new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
    : new Uint8Array(part as ArrayBuffer);
  let at = 0;
  return {
    next: async () => {
      const piece = bytes.slice(at, at + PIECE_BYTES);
      at += piece.byteLength;
      return piece.byteLength === 0 ? undefined : moved(piece);
    },
    cancel: async () => {
      at = bytes.byteLength;
    },
  };
}

function moved(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  return transfer(bytes, [bytes.buffer]);
}
