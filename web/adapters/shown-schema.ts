// SPDX-License-Identifier: MIT
// A constraint holds an answer to its form; what the parts of it mean, the model has to be told.
import type { Message } from '../index.js';

/** A form of answers, with what else there is to say of it. */
export interface ShownSchema {
  schema: unknown;
  name?: string;
  description?: string;
}

/** What tells a model of a schema: much as Vercel's AI SDK words it. */
export function schemaInstruction({ schema, name, description }: ShownSchema): string {
  const called = [name, description].filter(Boolean).join(': ');
  return [
    ...(called ? [`Answer with ${called}`] : []),
    'JSON schema:',
    JSON.stringify(schema),
    'You MUST answer with JSON that matches the JSON schema above.',
  ].join('\n');
}

/** Messages whose first one, the system's, ends with an instruction. */
export function withInstruction(messages: readonly Message[], instruction: string): Message[] {
  const [first, ...others] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: instruction }, ...messages];
  return [{ role: 'system', content: joined(first.content, instruction) }, ...others];
}

/** Messages whose last question ends with an instruction. */
export function withLastInstruction(messages: readonly Message[], instruction: string): Message[] {
  const asked = messages.filter(({ prefix }) => !prefix);
  const begun = messages.slice(asked.length);
  const last = asked.at(-1);
  if (last?.role !== 'user') return [...asked, { role: 'user', content: instruction }, ...begun];
  const question = { ...last, content: joined(last.content, instruction) };
  return [...asked.slice(0, -1), question, ...begun];
}

const joined = (text: string, instruction: string) =>
  text ? `${text}\n\n${instruction}` : instruction;
