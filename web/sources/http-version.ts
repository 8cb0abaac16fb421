// SPDX-License-Identifier: MIT

/** What tells two versions of a remote file apart. */
export interface Validators {
  etag?: string;
  lastModified?: string;
  bytes?: number;
}

/** The validators in a response's headers; the length counts only when nothing is compressed. */
export function validatorsOf({ headers }: Response): Validators {
  const length = headers.get('content-length');
  const bytes = length && !headers.get('content-encoding') ? Number(length) : undefined;
  return {
    etag: headers.get('etag') ?? undefined,
    lastModified: headers.get('last-modified') ?? undefined,
    bytes: Number.isSafeInteger(bytes) ? bytes : undefined,
  };
}

const RANGE = /^bytes (\d+)-\d+\/(\d+|\*)/;

/** What a reply that should begin at `offset` says of the whole file; undefined where it begins elsewhere. */
export function validatorsFrom(response: Response, offset: number): Validators | undefined {
  const version = validatorsOf(response);
  const range = RANGE.exec(response.headers.get('content-range') ?? '');
  if (range && Number(range[1]) !== offset) return undefined;
  if (range) version.bytes = range[2] === '*' ? undefined : Number(range[2]);
  else if (version.bytes !== undefined) version.bytes += offset;
  return version;
}

/**
 * Whether a 206 tells where it begins. Across origins scripts may not read that everywhere: then it
 * has to be as long as what follows `offset`. What is compressed is a range of something else.
 */
export function tellsRange(
  { headers }: Response,
  offset: number,
  size: number | undefined,
): boolean {
  if (headers.has('content-encoding')) return false;
  const range = headers.get('content-range');
  if (range) return RANGE.test(range);
  const length = headers.get('content-length');
  return size !== undefined && length !== null && offset + Number(length) === size;
}

const differ = (x: unknown, y: unknown) => x !== undefined && y !== undefined && x !== y;

/** Whether nothing tells two replies apart. What one of them lacks, or hides across origins, does not count. */
export function sameVersion(a: Validators, b: Validators): boolean {
  return !(
    differ(a.etag, b.etag) ||
    differ(a.bytes, b.bytes) ||
    (!(a.etag && b.etag) && differ(a.lastModified, b.lastModified))
  );
}

/** What a server compares byte for byte: a strong ETag, else the date. */
export function strongValidator({ etag, lastModified }: Validators): string | undefined {
  return etag && !etag.startsWith('W/') ? etag : lastModified;
}

/** Whether two replies, hours apart, are of the same bytes: the strong validator of one is the other's. */
export function provenSame(a: Validators, b: Validators): boolean {
  const validator = strongValidator(a);
  return validator !== undefined && validator === strongValidator(b) && sameVersion(a, b);
}
