// SPDX-License-Identifier: MIT
import { literal, optional, sequence } from '../../constraints/automaton.js';
import type { Part } from '../../constraints/grammar.js';
import type { CallEvent, CallMaker, CallReader, HeldTool, ToolFormat } from '../format.js';
import { listsOf, ordered } from '../ordered.js';
import { spaced } from '../spaced-json.js';

const PYTHON = { true: 'True', false: 'False', null: 'None' };
const COMMA = sequence(literal(','), optional(literal(' ')));
const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** LFM2: a list of calls as Python has them, `[name(argument="text", other=1)]`. */
export const lfm2: ToolFormat = {
  name: 'lfm2',
  // Most of its templates leave calls to the content of answers.
  template: /<\|tool_(?:call_start|list_start)\|>|List of tools: \[/,
  begin: '<|tool_call_start|>',
  end: '<|tool_call_end|>',
  single: false,
  words: PYTHON,

  write(calls) {
    const texts = calls.map(({ name, arguments: given }) => {
      const list = Object.entries(given).map(([key, value]) => `${key}=${spaced(value, PYTHON)}`);
      return `${name}(${list.join(', ')})`;
    });
    return `${this.begin}[${texts.join(', ')}]${this.end}`;
  },

  grammar(make, tools, many) {
    const calls = tools.map((tool) => [call(make, tool)]);
    const one = make.choice(() => calls);
    const more: Part = make.choice(() => (many ? [[], [make.text(COMMA), one, more]] : [[]]));
    return make.sequence(make.text(literal('[')), one, more, make.text(literal(']')));
  },

  reader: () => new PythonCallReader(),
};

function call(make: CallMaker, tool: HeldTool): Part {
  const { name } = tool;
  const lists = listsOf(tool);
  for (const property of lists.flat()) {
    if (IDENTIFIER.test(property.name)) continue;
    throw new TypeError(
      `tools: the argument ${JSON.stringify(property.name)} of ${name} is no name in Python, in which the model calls tools`,
    );
  }
  const close = make.text(literal(')'));
  const bodies = lists.map((properties) =>
    ordered(
      make,
      properties,
      (property, isFirst) => {
        const key = literal(`${property.name}=`);
        return make.text(isFirst ? key : sequence(COMMA, key));
      },
      (property) => make.value(property),
    ),
  );
  return make.sequence(
    make.text(literal(`${name}(`)),
    make.choice(() => bodies.map((body) => [body])),
    close,
  );
}

const WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

/** Turns it into JSON letter by letter: keys into strings, Python's words into JSON's. */
class PythonCallReader implements CallReader {
  #at: 'name' | 'key' | 'value' = 'name';
  /** Of a name, a key or a word. */
  #word = '';
  #depth = 0;
  #inString = false;
  #escaped = false;
  #any = false;

  push(text: string): { events: CallEvent[]; rest?: string } {
    const events: CallEvent[] = [];
    let json = '';
    const flush = () => {
      if (json) events.push({ type: 'delta', json });
    };
    for (let at = 0; at < text.length; at++) {
      const char = text[at] as string;
      if (this.#at === 'name') {
        if (char === '(') {
          events.push({ type: 'call', name: this.#word });
          json = '{';
          this.#any = false;
          this.#begin('key');
        } else this.#word += char;
        continue;
      }
      if (this.#at === 'value') {
        const isOver = this.#depth === 0 && !this.#inString && (char === ',' || char === ')');
        json += isOver ? this.#takeWord() : this.#value(char);
        if (!isOver) continue;
        this.#begin('key');
      }
      if (char === ')') {
        json += '}';
        flush();
        this.#begin('name');
        return { events, rest: text.slice(at + 1) };
      }
      if (char === '=') {
        json += `${this.#any ? ', ' : ''}${JSON.stringify(this.#word)}: `;
        this.#any = true;
        this.#begin('value');
      } else if (char !== ',' && char !== ' ') this.#word += char;
    }
    flush();
    return { events };
  }

  #begin(at: 'name' | 'key' | 'value'): void {
    this.#at = at;
    this.#word = '';
  }

  #takeWord(): string {
    const word = this.#word;
    this.#word = '';
    return WORDS[word] ?? word;
  }

  #value(char: string): string {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (char === '\\') this.#escaped = true;
      else if (char === '"') this.#inString = false;
      return char;
    }
    if (/[A-Za-z]/.test(char)) {
      this.#word += char;
      return '';
    }
    // The e of a number is a word too.
    const before = this.#takeWord();
    if (char === '"') this.#inString = true;
    if ('[{'.includes(char)) this.#depth++;
    if (']}'.includes(char)) this.#depth--;
    return before + char;
  }
}
