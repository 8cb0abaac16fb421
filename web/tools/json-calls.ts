// SPDX-License-Identifier: MIT
// Calls as JSON objects with a name and arguments, which formats put between different marks.
import { literal } from '../constraints/automaton.js';
import type { Part } from '../constraints/grammar.js';
import type { CallEvent, CallMaker, CallReader, HeldTool, ToolFormat } from './format.js';
import { spaced } from './spaced-json.js';

/** What such a format says of itself. */
export interface JsonCalls
  extends Pick<ToolFormat, 'name' | 'template' | 'begin' | 'end' | 'single'> {
  /** What stands on both sides of a single call. */
  line: '' | '\n';
}

/** @param facts single calls stand by themselves, others in a list */
export function jsonFormat({ line, ...facts }: JsonCalls): ToolFormat {
  const { begin, end, single } = facts;
  return {
    ...facts,
    write(calls) {
      const texts = calls.map(({ name, arguments: given }) => spaced({ name, arguments: given }));
      if (!single) return `${begin}[${texts.join(', ')}]${end}`;
      return texts.map((text) => `${begin}${line}${text}${line}${end}`).join('\n');
    },
    grammar(make, tools, many) {
      const one = call(make, tools);
      if (single) return make.sequence(make.text(literal(line)), one, make.text(literal(line)));
      const comma = make.text(literal(', '));
      const more: Part = make.choice(() => (many ? [[], [comma, one, more]] : [[]]));
      return make.sequence(make.text(literal('[')), one, more, make.text(literal(']')));
    },
    reader: () => new JsonCallReader(),
  };
}

function call(make: CallMaker, tools: readonly HeldTool[]): Part {
  const close = make.text(literal('}'));
  const calls = tools.map(({ name, whole }) => {
    // As templates write it, so that a call is what the next prompt says of it.
    return [make.text(literal(`{"name": "${name}", "arguments": `)), whole, close];
  });
  return make.choice(() => calls);
}

const HEAD = /\{"name": "([^"]*)", "arguments": $/;

/** Reads what the grammar above holds: the name first, then one object. */
class JsonCallReader implements CallReader {
  #head = '';
  #depth = 0;
  #inString = false;
  #escaped = false;
  #within = false;

  push(text: string): { events: CallEvent[]; rest?: string } {
    const events: CallEvent[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const char = text[at] as string;
      if (!this.#within) {
        const head = char === '{' ? HEAD.exec(this.#head) : null;
        if (!head) {
          this.#head += char;
          continue;
        }
        events.push({ type: 'call', name: head[1] as string });
        this.#within = true;
        this.#head = '';
        from = at;
      }
      if (!this.#closes(char)) continue;
      this.#within = false;
      events.push({ type: 'delta', json: text.slice(from, at + 1) });
      return { events, rest: text.slice(at + 1) };
    }
    if (this.#within && text) events.push({ type: 'delta', json: text.slice(from) });
    return { events };
  }

  // Whether a letter ends the arguments.
  #closes(char: string): boolean {
    if (this.#escaped) this.#escaped = false;
    else if (this.#inString) {
      if (char === '\\') this.#escaped = true;
      else if (char === '"') this.#inString = false;
    } else if (char === '"') this.#inString = true;
    else if (char === '{' || char === '[') this.#depth++;
    else if (char === '}' || char === ']') this.#depth--;
    return this.#depth === 0;
  }
}
