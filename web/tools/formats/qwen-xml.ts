// SPDX-License-Identifier: MIT
import { literal } from '../../constraints/automaton.js';
import type { CallEvent, CallMaker, CallReader, HeldTool, ToolFormat } from '../format.js';
import { listsOf, ordered } from '../ordered.js';
import { spaced } from '../spaced-json.js';

const CLOSE = '\n</parameter>';
const NAMED = /^[^<>\n]+$/;

/** Qwen 3.5, Qwen3-Coder, Nemotron 3: a tag for each argument; strings stand as they are. */
export const qwenXml: ToolFormat = {
  name: 'qwen-xml',
  template: /<function=/,
  begin: '<tool_call>',
  end: '</tool_call>',
  single: true,

  write(calls) {
    return calls
      .map(({ name, arguments: given }) => {
        const list = Object.entries(given).map(([key, value]) => {
          const text = typeof value === 'string' ? value : spaced(value);
          return `<parameter=${key}>\n${text}${CLOSE}\n`;
        });
        return `${this.begin}\n<function=${name}>\n${list.join('')}</function>\n${this.end}`;
      })
      .join('\n');
  },

  grammar(make, tools) {
    const calls = tools.map((tool) => [call(make, tool)]);
    return make.sequence(
      make.text(literal('\n')),
      make.choice(() => calls),
      make.text(literal('</function>\n')),
    );
  },

  reader: (isString) => new XmlCallReader(isString),
};

function call(make: CallMaker, tool: HeldTool) {
  const { name } = tool;
  const lists = listsOf(tool);
  for (const property of lists.flat()) {
    if (NAMED.test(property.name)) continue;
    throw new TypeError(
      `tools: the argument ${JSON.stringify(property.name)} of ${name} cannot stand in a tag, which the model calls tools by`,
    );
  }
  const close = make.text(literal(`${CLOSE}\n`));
  const bodies = lists.map((properties) =>
    ordered(
      make,
      properties,
      (property) => make.text(literal(`<parameter=${property.name}>\n`)),
      (property) => make.sequence(make.string(property, CLOSE) ?? make.value(property), close),
    ),
  );
  return make.sequence(
    make.text(literal(`<function=${name}>\n`)),
    make.choice(() => bodies.map((body) => [body])),
  );
}

const TAG = /^\s*(?:<function=([^>\n]+)>\n|<parameter=([^>\n]+)>\n|(<\/function>))/;

class XmlCallReader implements CallReader {
  readonly #isString: (tool: string, argument: string) => boolean;
  /** What has not been understood yet. */
  #held = '';
  #tool = '';
  /** The argument whose value is being read, and whether it is a string. */
  #argument: { isString: boolean } | undefined;
  #any = false;
  #over = false;

  constructor(isString: (tool: string, argument: string) => boolean) {
    this.#isString = isString;
  }

  push(text: string): { events: CallEvent[]; rest?: string } {
    const events: CallEvent[] = [];
    this.#held += text;
    this.#over = false;
    while (
      !this.#over &&
      (this.#argument ? this.#value(events, this.#argument) : this.#tag(events))
    );
    if (!this.#over) return { events };
    const rest = this.#held;
    this.#held = '';
    return { events, rest };
  }

  #tag(events: CallEvent[]): boolean {
    const found = TAG.exec(this.#held);
    if (!found) return false;
    this.#held = this.#held.slice(found[0].length);
    const [, tool, argument] = found;
    if (tool !== undefined) {
      this.#tool = tool;
      this.#any = false;
      events.push({ type: 'call', name: tool }, { type: 'delta', json: '{' });
    } else if (argument !== undefined) {
      const isString = this.#isString(this.#tool, argument);
      const key = `${this.#any ? ', ' : ''}${JSON.stringify(argument)}: ${isString ? '"' : ''}`;
      events.push({ type: 'delta', json: key });
      this.#argument = { isString };
      this.#any = true;
    } else {
      events.push({ type: 'delta', json: '}' });
      this.#over = true;
    }
    return true;
  }

  // True once the value is over.
  #value(events: CallEvent[], { isString }: { isString: boolean }): boolean {
    const end = this.#held.indexOf(CLOSE);
    // Some of it may be the beginning of the end.
    const safe = end >= 0 ? end : Math.max(0, this.#held.length - CLOSE.length + 1);
    const text = this.#held.slice(0, safe);
    this.#held = this.#held.slice(safe);
    const json = isString ? JSON.stringify(text).slice(1, -1) : text;
    if (json) events.push({ type: 'delta', json });
    if (end < 0) return false;
    if (isString) events.push({ type: 'delta', json: '"' });
    this.#held = this.#held.slice(CLOSE.length);
    this.#argument = undefined;
    return true;
  }
}
