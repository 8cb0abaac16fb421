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

/** Whether nothing tells two replies apart. What one of them lacks, or hides across origins, does not count. */
export function sameVersion(a: Validators, b: Validators): boolean {
  const differ = (x: unknown, y: unknown) => x !== undefined && y !== undefined && x !== y;
  return !(
    differ(a.etag, b.etag) ||
    differ(a.bytes, b.bytes) ||
    (!(a.etag && b.etag) && differ(a.lastModified, b.lastModified))
  );
}
