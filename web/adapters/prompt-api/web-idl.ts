// SPDX-License-Identifier: MIT
// Values as the standard's declarations (WebIDL) convert them before a method sees them.

// A generator without an end would fill the memory.
const MOST_ITEMS = 65_536;

/**
 * A value whose members are looked up: none where it is null or undefined.
 *
 * @throws TypeError for any other value that is no object
 */
export function dictionary(value: unknown, what: string): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  throw new TypeError(`${what} must be an object`);
}

/**
 * What can be iterated over, as an array; undefined for anything else.
 *
 * @throws RangeError for more than 65 536 items
 */
export function sequence(value: unknown, what: string): unknown[] | undefined {
  if (!isObject(value)) return undefined;
  const iterate = (value as Partial<Iterable<unknown>>)[Symbol.iterator];
  if (iterate === undefined || iterate === null) return undefined;
  const items: unknown[] = [];
  for (const item of value as unknown as Iterable<unknown>) {
    if (items.push(item) > MOST_ITEMS) {
      throw new RangeError(`${what} has more than ${MOST_ITEMS} items`);
    }
  }
  return items;
}

/** A list where one must be, if anything is given. @throws TypeError where it cannot be iterated over */
export function list(value: unknown, what: string): unknown[] {
  if (value === undefined) return [];
  const items = sequence(value, what);
  if (items) return items;
  throw new TypeError(`${what} must be a sequence`);
}

/** One of several names. @throws TypeError for another */
export function oneOf<Name extends string>(
  value: unknown,
  names: readonly Name[],
  what: string,
): Name {
  const text = string(value, what);
  const name = names.find((one) => one === text);
  if (name !== undefined) return name;
  throw new TypeError(`${what} must be one of ${names.join(', ')}, not '${text.slice(0, 40)}'`);
}

/** A text, whatever it was before. @throws TypeError where nothing is given, and for symbols */
export function string(value: unknown, what: string): string {
  if (value === undefined) throw new TypeError(`${what} is missing`);
  return `${value}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

const PLATFORM =
  /^(ImageBitmap|ImageData|VideoFrame|OffscreenCanvas|HTML\w+Element|SVG\w+Element|AudioBuffer|Blob|File|(Shared)?ArrayBuffer|DataView|\w+Array)$/;

/** Whether a value is one of the platform's pictures, sounds or buffers, which are no texts. */
export function isMedia(value: unknown): boolean {
  if (!isObject(value) || Array.isArray(value)) return false;
  return PLATFORM.test(Object.prototype.toString.call(value).slice(8, -1));
}
