// SPDX-License-Identifier: MIT
import type { Tool } from '../text/tool.js';

/**
 * Whether the model calls tools: `auto`, as it likes; `required`, at least one; `none`; or this one,
 * once.
 */
export type ToolChoice = 'auto' | 'required' | 'none' | { name: string };

/** @throws TypeError for what is none of them, or names a tool that is not there */
export function checkToolChoice(choice: unknown, tools: readonly Tool[]): ToolChoice {
  if (choice === undefined || choice === 'auto' || choice === 'none') return choice ?? 'auto';
  const named = (choice as { name?: unknown } | null)?.name;
  if (choice !== 'required' && typeof named !== 'string') {
    throw new TypeError("toolChoice must be 'auto', 'required', 'none' or { name }");
  }
  if (tools.length === 0) throw new TypeError('toolChoice asks for a call, but there are no tools');
  if (choice === 'required') return choice;
  if (tools.some(({ name }) => name === named)) return { name: named as string };
  throw new TypeError(`toolChoice names ${named}, but no tool is called that`);
}
