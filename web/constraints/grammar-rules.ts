// SPDX-License-Identifier: MIT
import { automaton, type Expression } from './automaton.js';
import { type CodePoints, intersection } from './code-points.js';
import { GrammarReader, lineAndColumn, type Production } from './gbnf.js';
import { Choice, type Part } from './grammar.js';
import { Terminal } from './terminal.js';

// Rules that do not refer to themselves are written into those that name them, up to so many parts:
// what is one automaton is read without a stack.
const MOST_INLINE = 2000;

/** The rules of a grammar as parts of texts. */
class Rules {
  readonly #text: string;
  readonly #rules: Map<string, Production>;
  readonly #allowed: CodePoints;
  readonly #sizes = new Map<Production, number>();
  readonly #parts = new Map<Production, Part>();
  readonly #possible = new Set<string>();
  readonly #nullable = new Set<string>();

  constructor(text: string, allowed: CodePoints) {
    this.#text = text;
    this.#rules = new GrammarReader(text).read();
    this.#allowed = allowed;
    this.#refuseUnknown();
    this.#fill(this.#nullable, (one) => this.#isNullable(one));
    this.#refuseLeftRecursion();
    this.#fill(this.#possible, (one) => this.#isPossible(one));
  }

  get root(): Part | undefined {
    return this.#possible.has('root') ? this.#part(this.#rule('root')) : undefined;
  }

  #rule(name: string): Production {
    return this.#rules.get(name) as Production;
  }

  // Rule by rule until no more are found.
  #fill(found: Set<string>, holds: (production: Production) => boolean): void {
    for (let changed = true; changed; ) {
      changed = false;
      for (const [name, production] of this.#rules) {
        if (found.has(name) || !holds(production)) continue;
        found.add(name);
        changed = true;
      }
    }
  }

  #refuseUnknown(): void {
    const waiting = [...this.#rules.values()];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (next.kind === 'rule' && !this.#rules.has(next.name)) {
        const where = lineAndColumn(this.#text, next.where);
        throw new TypeError(`constraint: grammar, ${where}: there is no rule ${next.name}`);
      }
      waiting.push(...inside(next));
    }
  }

  #isNullable(production: Production): boolean {
    switch (production.kind) {
      case 'text': {
        const { expression } = production;
        return expression.kind === 'sequence' && expression.parts.length === 0;
      }
      case 'rule':
        return this.#nullable.has(production.name);
      case 'sequence':
        return production.parts.every((part) => this.#isNullable(part));
      case 'choice':
        return production.parts.some((part) => this.#isNullable(part));
      default:
        return production.min === 0 || this.#isNullable(production.part);
    }
  }

  // Whether there is a text of it that ends, of characters that can be written.
  #isPossible(production: Production): boolean {
    switch (production.kind) {
      case 'text':
        return canWrite(production.expression, this.#allowed);
      case 'rule':
        return this.#possible.has(production.name);
      case 'sequence':
        return production.parts.every((part) => this.#isPossible(part));
      case 'choice':
        return production.parts.some((part) => this.#isPossible(part));
      default:
        return production.min === 0 || this.#isPossible(production.part);
    }
  }

  // Such a rule would be read for ever before a character is.
  #refuseLeftRecursion(): void {
    const first = new Map<string, Map<string, number>>();
    for (const [name, production] of this.#rules) first.set(name, this.#leading(production));
    const done = new Set<string>();
    for (const name of this.#rules.keys()) {
      const path: [string, Iterator<string>][] = [];
      const enter = (one: string) =>
        path.push([one, (first.get(one) as Map<string, number>).keys()]);
      if (!done.has(name)) enter(name);
      for (let top = path.at(-1); top; top = path.at(-1)) {
        const { value: next, done: over } = top[1].next();
        if (over) {
          done.add(top[0]);
          path.pop();
        } else if (path.some(([one]) => one === next)) {
          const where = lineAndColumn(this.#text, first.get(top[0])?.get(next) ?? 0);
          throw new TypeError(
            `constraint: grammar, ${where}: the rule ${next} begins with itself (left recursion), which is not supported`,
          );
        } else if (!done.has(next)) {
          enter(next);
        }
      }
    }
  }

  // The rules with which a production may begin, and where they are named.
  #leading(production: Production): Map<string, number> {
    switch (production.kind) {
      case 'text':
        return new Map();
      case 'rule':
        return new Map([[production.name, production.where]]);
      case 'repeat':
        return this.#leading(production.part);
      default: {
        const found = new Map<string, number>();
        for (const part of production.parts) {
          for (const [name, where] of this.#leading(part)) found.set(name, where);
          if (production.kind === 'sequence' && !this.#isNullable(part)) break;
        }
        return found;
      }
    }
  }

  // How many parts it has with all rules written into it; beyond the most, or recursive: infinite.
  #size(production: Production): number {
    const known = this.#sizes.get(production);
    if (known !== undefined) return known;
    this.#sizes.set(production, Number.POSITIVE_INFINITY);
    const size = this.#newSize(production);
    const kept = size > MOST_INLINE ? Number.POSITIVE_INFINITY : size;
    this.#sizes.set(production, kept);
    return kept;
  }

  #newSize(production: Production): number {
    switch (production.kind) {
      case 'text': {
        const { expression } = production;
        return expression.kind === 'sequence' ? expression.parts.length : 1;
      }
      case 'rule':
        return this.#size(this.#rule(production.name));
      case 'repeat': {
        const { part, min, max } = production;
        const times = Math.max(1, max === Number.POSITIVE_INFINITY ? min + 1 : max);
        return this.#size(part) * times;
      }
      default:
        return production.parts.reduce((sum, part) => sum + this.#size(part), 1);
    }
  }

  #expression(production: Production): Expression {
    switch (production.kind) {
      case 'text':
        return production.expression;
      case 'rule':
        return this.#expression(this.#rule(production.name));
      case 'repeat':
        return { ...production, part: this.#expression(production.part) };
      default:
        return {
          kind: production.kind,
          parts: production.parts.map((part) => this.#expression(part)),
        };
    }
  }

  #part(production: Production): Part {
    let part = this.#parts.get(production);
    if (!part) {
      part =
        this.#size(production) <= MOST_INLINE || production.kind === 'text'
          ? new Terminal(automaton(this.#expression(production), this.#allowed))
          : this.#choice(production);
      this.#parts.set(production, part);
    }
    return part;
  }

  #choice(production: Production): Part {
    switch (production.kind) {
      case 'rule':
        return this.#part(this.#rule(production.name));
      case 'repeat':
        return this.#repeated(production.part, production.min, production.max);
      case 'sequence':
        return new Choice(() => (this.#isPossible(production) ? [this.#sequence(production)] : []));
      default:
        return new Choice(() =>
          (production as { parts: Production[] }).parts
            .filter((part) => this.#isPossible(part))
            .map((part) => this.#sequence(part)),
        );
    }
  }

  // Neighbours that are small together are one automaton.
  #sequence(production: Production): Part[] {
    if (production.kind !== 'sequence') return [this.#part(production)];
    const found: Part[] = [];
    let run: Production[] = [];
    const flush = () => {
      if (run.length > 0) {
        const parts = run.map((part) => this.#expression(part));
        found.push(new Terminal(automaton({ kind: 'sequence', parts }, this.#allowed)));
      }
      run = [];
    };
    for (const part of production.parts) {
      if (this.#size(part) <= MOST_INLINE) {
        run.push(part);
        continue;
      }
      flush();
      found.push(this.#part(part));
    }
    flush();
    return found;
  }

  #repeated(part: Production, min: number, max: number): Part {
    const known = new Map<number, Part>();
    const possible = this.#isPossible(part);
    // What follows so many of them; beyond the last number that counts, all are one.
    const after = (count: number): Part => {
      const at = max === Number.POSITIVE_INFINITY ? Math.min(count, min) : count;
      const one =
        known.get(at) ??
        new Choice(() => {
          const alternatives: Part[][] = at >= min ? [[]] : [];
          if (at < max && possible) alternatives.push([this.#part(part), after(at + 1)]);
          return alternatives;
        });
      known.set(at, one);
      return one;
    };
    return after(0);
  }
}

// Of a text or a class of characters.
function canWrite(expression: Expression, allowed: CodePoints): boolean {
  if (expression.kind === 'chars') return intersection(expression.set, allowed).length > 0;
  return 'parts' in expression && expression.parts.every((part) => canWrite(part, allowed));
}

function inside(production: Production): Production[] {
  if (production.kind === 'repeat') return [production.part];
  return 'parts' in production ? production.parts : [];
}

/**
 * The texts of a grammar in GBNF; undefined when there is none.
 *
 * @throws TypeError that says what is wrong or not supported, by line and column; RangeError where it
 * is too large
 */
export function grammarPart(text: string, allowed: CodePoints): Part | undefined {
  return new Rules(text, allowed).root;
}
