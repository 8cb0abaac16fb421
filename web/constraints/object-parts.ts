// SPDX-License-Identifier: MIT
import type { ObjectShape, Others, PartMaker } from './shape.js';

/** How far an object has been written. */
interface Progress {
  /** Properties with names of their own before this one are written, or left out. */
  index: number;
  any: boolean;
  /** Properties that there are, up to the most. */
  count: number;
  /** Those that surely have different names, up to the least: of each kind of others one. */
  counted: number;
  kinds: string;
}

const START: Progress = { index: 0, any: false, count: 0, counted: 0, kinds: '' };

const usable = ({ key, shape }: Others) => shape.possible && key.start !== undefined;

/** Whether an object can be finished from here, by what is possible now. */
function canEnd(shape: ObjectShape, { index, count, counted, kinds }: Progress): boolean {
  const rest = shape.properties.slice(index);
  const needed = rest.filter(({ required }) => required);
  if (!needed.every((one) => one.shape.possible)) return false;
  if (shape.last && !shape.last.some(usable)) return false;
  const room = shape.max - count;
  const least = needed.length + (shape.last ? 1 : 0);
  if (least > room) return false;
  const missing = shape.min - counted;
  if (missing <= 0) return true;
  const listed = rest.filter((one) => one.shape.possible).length;
  const others = shape.others.filter((one, i) => usable(one) && kinds[i] !== '1').length;
  return missing <= Math.min(room - (shape.last ? 1 : 0), listed + others);
}

/** Whether there is such an object. */
export const objectPossible = (shape: ObjectShape): boolean => canEnd(shape, START);

/** The text of an object: properties in order, then others, then the last one. */
export function objectPart<Part>(
  shape: ObjectShape,
  maker: PartMaker<Part>,
  key: (other: Others) => Part,
  head: (name: string, comma: boolean) => Part,
): Part {
  const { properties, others, min, max, last } = shape;
  const counts = min > 0 || max < Number.POSITIVE_INFINITY;
  const known = new Map<string, Part>();
  const advanced = (from: Progress, index: number, kind: number): Progress => {
    if (!counts) return { ...from, index, any: true };
    const isNew = kind < 0 || from.kinds[kind] !== '1';
    const kinds = others.map((_, i) => (i === kind || from.kinds[i] === '1' ? '1' : '0')).join('');
    const most = max === Number.POSITIVE_INFINITY ? 0 : max;
    return {
      index,
      any: true,
      count: Math.min(from.count + 1, most + 1),
      counted: Math.min(from.counted + (isNew ? 1 : 0), min),
      kinds: kind < 0 ? from.kinds : kinds,
    };
  };
  const after = (from: Progress): Part => {
    const name = Object.values(from).join();
    const part = known.get(name) ?? maker.choice(() => alternatives(from));
    known.set(name, part);
    return part;
  };
  const alternatives = (from: Progress): Part[][] => {
    const found: Part[][] = [];
    const comma = from.any ? [maker.mark(',', true)] : [];
    const member = (other: Others) => [
      ...comma,
      key(other),
      maker.mark(':', true),
      maker.part(other.shape),
    ];
    for (let at = from.index; at < properties.length; at++) {
      const { name, required, shape: own } = properties[at] as (typeof properties)[number];
      const to = advanced(from, at + 1, -1);
      if (own.possible && canEnd(shape, to)) {
        found.push([head(name, from.any), maker.part(own), after(to)]);
      }
      if (required) return found;
    }
    for (const [i, other] of others.entries()) {
      const to = advanced(from, properties.length, i);
      if (usable(other) && canEnd(shape, to)) found.push([...member(other), after(to)]);
    }
    if (from.counted < min) return found;
    if (!last) found.push([maker.mark('}')]);
    else if (from.count < max) {
      for (const other of last.filter(usable)) found.push([...member(other), maker.mark('}')]);
    }
    return found;
  };
  return maker.choice(() => [[maker.mark('{'), after(START)]]);
}
