// SPDX-License-Identifier: MIT

/** What a part of a URI stands for; where it is not encoded as one, as it is. */
export function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
