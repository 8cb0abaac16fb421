// SPDX-License-Identifier: MIT
// A model's source on its way to a worker. Addresses become absolute, since a worker has another
// base; buffers and streams stay in the page and are read in pieces, so that it never copies a whole
// model at once.
import type { ModelPart, ModelSource } from '../sources/byte-source.js';
import { type CheckpointParts, checkpointParts } from '../sources/checkpoint-parts.js';
import { locate } from '../sources/locate.js';
import { bytesOf, isBlob, isStream, pieceOf, wrongKind } from '../sources/parts.js';
import { fromPlain, type PlainError, toPlain } from './protocol.js';

type PostedPart = string | Blob | { port: MessagePort; size: number | undefined };

/** A source as it is posted. */
export interface Posted {
  parts: PostedPart[];
  /** Of a checkpoint. */
  names?: string[];
  folder?: string;
}

// One answer to each question, in their order; bytes are undefined at a stream's end.
type Question = { start: number; end: number } | 'next';
type Answer = { bytes: Uint8Array<ArrayBuffer> | undefined } | { error: PlainError };

/** A source on its way to an engine; `release` gives back what of it stays here. */
export interface Sent {
  given: ModelSource;
  transfer: Transferable[];
  release(): void;
}

/** @param worker false: the engine is in this thread, and takes the source as it is */
export function sendSource(source: ModelSource, worker: unknown): Sent {
  if (worker === false) return { given: source, transfer: [], release() {} };
  const { posted, ...rest } = postSource(source);
  return { given: posted as unknown as ModelSource, ...rest };
}

/** @returns `release` gives back what of it stays in the page; to be called when the load is over */
export function postSource(source: ModelSource): {
  posted: Posted;
  transfer: Transferable[];
  release(): void;
} {
  const kept: (() => void)[] = [];
  const checkpoint = checkpointParts(source);
  const given = checkpoint
    ? checkpoint.files.map(({ part }) => part)
    : ([source].flat() as ModelPart[]);
  const parts = given.map((part) => post(part, kept));
  const posted: Posted = { parts };
  if (checkpoint) {
    posted.names = checkpoint.files.map(({ name }) => name);
    if (checkpoint.folder !== undefined) posted.folder = post(checkpoint.folder, kept) as string;
  }
  return {
    posted,
    transfer: parts.flatMap((part) => (isPort(part) ? [part.port] : [])),
    release: () => {
      for (const release of kept) release();
    },
  };
}

function isPort(part: PostedPart): part is Exclude<PostedPart, string | Blob> {
  return typeof part === 'object' && 'port' in part;
}

function post(part: ModelPart, kept: (() => void)[]): PostedPart {
  const place = locate(part);
  if (place) return 'url' in place ? place.url : place.path;
  if (isBlob(part)) return part;
  const { port1, port2 } = new MessageChannel();
  if (isStream(part)) {
    const reader = part.getReader();
    serve(port1, async () => {
      const { done, value } = await reader.read();
      return done ? undefined : pieceOf(value);
    });
    kept.push(() => {
      port1.close();
      void reader.cancel().catch(() => {});
    });
    return { port: port2, size: undefined };
  }
  const bytes = bytesOf(part);
  if (!bytes) throw wrongKind();
  serve(port1, async ({ start, end }) => bytes.subarray(start, end));
  kept.push(() => port1.close());
  return { port: port2, size: bytes.byteLength };
}

function serve(
  port: MessagePort,
  read: (range: { start: number; end: number }) => Promise<Uint8Array | undefined>,
): void {
  port.onmessage = async ({ data }: MessageEvent<Question>) => {
    try {
      // A copy: the buffer may be shared, the caller's own, or larger than the piece.
      const bytes = (await read(data as { start: number; end: number }))?.slice() as
        | Uint8Array<ArrayBuffer>
        | undefined;
      const answer: Answer = { bytes };
      port.postMessage(answer, bytes ? [bytes.buffer] : []);
    } catch (error) {
      const answer: Answer = { error: toPlain(error) };
      port.postMessage(answer);
    }
  };
}

/** The worker's side of `postSource`. */
export function received({ parts, names, folder }: Posted): ModelSource | CheckpointParts {
  const opened = parts.map(open);
  if (names) {
    return { folder, files: opened.map((part, i) => ({ name: names[i] as string, part })) };
  }
  return opened.length === 1 ? (opened[0] as ModelPart) : opened;
}

function open(part: PostedPart): ModelPart {
  if (!isPort(part)) return part;
  const ask = questions(part.port);
  return part.size === undefined ? openStream(ask) : openBytes(ask, part.size);
}

type Ask = (question: Question) => Promise<Uint8Array<ArrayBuffer> | undefined>;

function questions(port: MessagePort): Ask {
  const waiting: ((answer: Answer) => void)[] = [];
  port.onmessage = ({ data }: MessageEvent<Answer>) => waiting.shift()?.(data);
  return async (question) => {
    const answer = await new Promise<Answer>((resolve) => {
      waiting.push(resolve);
      port.postMessage(question);
    });
    if ('error' in answer) throw fromPlain(answer.error);
    return answer.bytes;
  };
}

function openStream(ask: Ask): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await ask('next');
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

// What the loader uses of a Blob: its size, and slices that are read when they are asked for.
function openBytes(ask: Ask, size: number): Blob {
  const slice = (start = 0, end = size) => ({
    size: end - start,
    arrayBuffer: async () => (await ask({ start, end }))?.buffer,
  });
  return { ...slice(), slice, name: 'buffer', stream() {} } as unknown as Blob;
}
