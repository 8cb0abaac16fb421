// SPDX-License-Identifier: MIT
import { abortable } from '../../abort.js';
import type { ToolCall } from '../../index.js';
import type { ChatTool, ToolResult } from './types.js';

/**
 * Runs what a call asks for. What goes wrong is a result too, in words, so that the model can go on
 * with it. Does not reject.
 */
export async function runTool(
  tool: ChatTool,
  { id, name, arguments: given }: ToolCall,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    const value = await abortable((async () => tool.execute?.(given, { id, signal }))(), signal);
    return { id, name, content: typeof value === 'string' ? value : (JSON.stringify(value) ?? '') };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { id, name, content: `Error: ${words}`, isError: true };
  }
}
