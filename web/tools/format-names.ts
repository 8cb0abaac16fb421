// SPDX-License-Identifier: MIT

/** A way in which models write calls of tools. */
export type ToolFormatName = 'hermes' | 'qwen-xml' | 'lfm2' | 'granite' | 'nemotron' | 'jamba';

/** All of them, each in a file of its name. */
export const TOOL_FORMATS: readonly ToolFormatName[] = [
  ...(['hermes', 'qwen-xml', 'lfm2', 'granite', 'nemotron', 'jamba'] as const),
];

/** @throws TypeError for another name */
export function checkToolFormat(name: unknown): ToolFormatName | undefined {
  const found = TOOL_FORMATS.find((one) => one === name);
  if (name === undefined || found !== undefined) return found;
  throw new TypeError(`toolFormat must be one of ${TOOL_FORMATS.join(', ')}, not '${name}'`);
}
