// SPDX-License-Identifier: MIT
import { type Automaton, type Edge, trimmed } from './automaton.js';
import { type CodePoints, complement, intersection } from './code-points.js';

interface Node {
  /** By the next code point of a word. */
  next: Map<number, number>;
  /** Where the longest end of what was read is that some word begins with. */
  fallback: number;
  /** A word ends here. */
  whole: boolean;
}

/**
 * Every text of `allowed` that contains none of `words`, by Aho and Corasick's automaton ("Efficient
 * string matching", 1975).
 *
 * @param words code points, control tokens among them; none is empty
 */
export function without(words: readonly (readonly number[])[], allowed: CodePoints): Automaton {
  const nodes = treeOf(words);
  const points = [...new Set(words.flat())];
  const edges: Edge[][] = nodes.map((node) => {
    if (node.whole) return [];
    const own: Edge[] = [];
    let others = allowed;
    for (const point of points) {
      const to = step(nodes, node, point);
      if (to === 0) continue;
      const one = Int32Array.of(point, point);
      others = intersection(others, complement(one));
      if (!nodes[to]?.whole && intersection(one, allowed).length > 0) own.push({ set: one, to });
    }
    if (others.length > 0) own.push({ set: others, to: 0 });
    return own;
  });
  return trimmed({ edges, accepting: nodes.map(({ whole }) => !whole), start: 0 });
}

function treeOf(words: readonly (readonly number[])[]): Node[] {
  const nodes: Node[] = [{ next: new Map(), fallback: 0, whole: false }];
  for (const word of words) {
    let at = nodes[0] as Node;
    for (const point of word) {
      let to = at.next.get(point);
      if (to === undefined) {
        to = nodes.push({ next: new Map(), fallback: 0, whole: false }) - 1;
        at.next.set(point, to);
      }
      at = nodes[to] as Node;
    }
    at.whole = true;
  }
  // By depth: what a node falls back to is shorter than it.
  const queue = [...(nodes[0] as Node).next.values()];
  for (const number of queue) {
    const node = nodes[number] as Node;
    for (const [point, to] of node.next) {
      const next = nodes[to] as Node;
      next.fallback = step(nodes, nodes[node.fallback] as Node, point);
      next.whole ||= (nodes[next.fallback] as Node).whole;
      queue.push(to);
    }
  }
  return nodes;
}

function step(nodes: readonly Node[], from: Node, point: number): number {
  for (let at = from; ; at = nodes[at.fallback] as Node) {
    const to = at.next.get(point);
    if (to !== undefined) return to;
    if (at === nodes[0]) return 0;
  }
}
