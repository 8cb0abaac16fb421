// SPDX-License-Identifier: MIT
import type { ArrayShape, ItemState, ItemStates, PartMaker, Shape } from './shape.js';

// Ways through them are followed until one ends.
const MOST_STATES = 100_000;

/** The items in which each depends on its place alone. */
function plainItems({ first, others, min, max }: ArrayShape): ItemStates {
  // Beyond the last count that matters, all are one.
  const most = Math.max(first.length, max === Number.POSITIVE_INFINITY ? min : max, 1);
  const at = (state: string): ItemState => {
    const count = Number(state);
    const shape = count < max ? (first[count] ?? others) : undefined;
    return {
      ends: count >= min,
      next: shape ? [{ shape, to: String(Math.min(count + 1, most)) }] : [],
    };
  };
  return { start: '0', at };
}

const statesOf = (shape: ArrayShape): ItemStates => shape.states ?? plainItems(shape);

/** Whether an array can be finished from a state, by what is possible now. */
function endings(states: ItemStates): (state: string) => boolean {
  const known = new Map<string, boolean>();
  return (start) => {
    // Depth first, without a stack of calls: `min` may be large.
    const path: [state: string, next: string[]][] = [];
    const enter = (state: string): boolean => {
      const { ends, next } = states.at(state);
      if (ends) return true;
      if (known.size > MOST_STATES) {
        throw new RangeError('constraint is too large: its arrays have too many states');
      }
      known.set(state, false);
      path.push([state, next.filter(({ shape }) => shape.possible).map(({ to }) => to)]);
      return false;
    };
    const all = () => {
      for (const [state] of path) known.set(state, true);
      return true;
    };
    if (known.has(start)) return known.get(start) as boolean;
    if (enter(start)) return true;
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const to = top[1].shift();
      if (to === undefined) path.pop();
      else if (known.has(to) ? known.get(to) : enter(to)) return all();
    }
    return false;
  };
}

/** Whether there is such an array. */
export function arrayPossible(shape: ArrayShape): boolean {
  const { first, others, min, max, states } = shape;
  if (states) return endings(states)(states.start);
  if (min > max || !first.slice(0, min).every(({ possible }) => possible)) return false;
  return min <= first.length || Boolean(others?.possible);
}

/** The text of an array. */
export function arrayPart<Part>(shape: ArrayShape, maker: PartMaker<Part>): Part {
  const states = statesOf(shape);
  const ending = endings(states);
  const known = new Map<string, Part>();
  const after = (state: string): Part => {
    let part = known.get(state);
    if (part === undefined) {
      part = maker.choice(() => {
        const { ends, next } = states.at(state);
        const found: Part[][] = ends ? [[maker.mark(']')]] : [];
        const comma = state === states.start ? [] : [maker.mark(',', true)];
        const possible = (one: { shape: Shape; to: string }) =>
          one.shape.possible && ending(one.to);
        for (const one of next.filter(possible)) {
          found.push([...comma, maker.part(one.shape), after(one.to)]);
        }
        return found;
      });
      known.set(state, part);
    }
    return part;
  };
  return maker.choice(() => [[maker.mark('['), after(states.start)]]);
}
