// SPDX-License-Identifier: MIT
import { isNode } from '../node.js';
import type { ModelPart } from './byte-source.js';
import { isUrl } from './parts.js';

/** What a string or URL names: something to fetch, a file on disk, or neither (a `Blob`, bytes ...). */
export function locate(part: ModelPart): { url: string } | { path: string } | undefined {
  const text = typeof part === 'string' ? part : isUrl(part) ? part.href : undefined;
  if (text === undefined) return undefined;
  if (isNode()) {
    if (/^file:/i.test(text) || !/^(https?|blob|data):/i.test(text)) return { path: text };
    return { url: text };
  }
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  return { url: new URL(text, base).href };
}
