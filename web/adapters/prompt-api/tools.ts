// SPDX-License-Identifier: MIT
import { checkTools, type Tool } from '../../text/tool.js';
import type { PromptTool } from './types.js';
import { dictionary, isObject, list, string } from './web-idl.js';

/** What a model may call, and what is run when it does. */
export interface Tools {
  told: Tool[];
  /** By the tools' names. */
  run: ReadonlyMap<string, NonNullable<PromptTool['execute']>>;
}

/**
 * The tools of `create`, all of them right.
 *
 * @param outputs the types that answers are expected to have
 * @throws TypeError naming the tool and what is wrong with it; what its schema's getters throw
 */
export function readTools(given: unknown, outputs: ReadonlySet<string>): Tools {
  const names = new Set<string>();
  const run = new Map<string, NonNullable<PromptTool['execute']>>();
  const tools = list(given, 'tools').map((item, index): Tool => {
    const members = dictionary(item, `tools[${index}]`);
    const { name: givenName, description: said, inputSchema, execute } = members;
    const name = string(givenName, `the name of tools[${index}]`);
    const description = string(said, `the description of tools[${index}]`);
    if (name === '') throw new TypeError(`the name of tools[${index}] is empty`);
    if (description === '') throw new TypeError(`the description of the tool ${name} is empty`);
    if (names.has(name)) throw new TypeError(`there are two tools with the name ${name}`);
    names.add(name);
    if (typeof execute === 'function') run.set(name, execute as never);
    else if (execute !== undefined) throw new TypeError(`execute of ${name} must be a function`);
    return { name, description, parameters: readSchema(inputSchema, name) };
  });
  if (tools.length > 0 && !outputs.has('tool-call')) {
    throw new TypeError("tools need expectedOutputs with the type 'tool-call'");
  }
  return { told: checkTools(tools), run };
}

function readSchema(schema: unknown, name: string): Record<string, unknown> {
  const wrong = (what: string) => new TypeError(`the inputSchema of the tool ${name} ${what}`);
  if (!isObject(schema)) throw wrong('must be an object');
  const { type, properties, required } = schema;
  if (type !== 'object') throw wrong("must have the type 'object'");
  if (properties !== undefined && (!isObject(properties) || Array.isArray(properties))) {
    throw wrong('must have an object as properties');
  }
  if (required !== undefined && !Array.isArray(required)) {
    throw wrong('must have an array as required');
  }
  const json: string | undefined = JSON.stringify(schema);
  const read: unknown = json === undefined ? undefined : JSON.parse(json);
  if (isObject(read)) return read;
  throw wrong('must be an object when it is written as JSON');
}
