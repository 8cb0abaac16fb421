// SPDX-License-Identifier: MIT

/** What ends an answer of an RWKV World model beside its end token: the next question. */
export const WORLD_STOPS: readonly string[] = ['\n\nUser:'];

/** What a template is given to render. */
export type WorldContext = {
  messages: readonly { role: string; content: string }[];
  add_generation_prompt: boolean;
  bos_token: string;
  enable_thinking?: boolean;
};

// What tools give is said by the user, as in all chats whose form has no role for it.
const SPEAKERS: Readonly<Record<string, string>> = {
  system: 'System',
  user: 'User',
  assistant: 'Assistant',
};

/**
 * The form of chats that RWKV World and G1 models were trained on (`RWKV7-G1x-templates.txt` of
 * BlinkDL/RWKV-LM): paragraphs of a speaker each, in which there are no blank lines but in answers.
 * How an answer begins with or without thoughts is as llama.cpp's template for them has it.
 */
export const worldChat = {
  render({ messages, add_generation_prompt, bos_token, enable_thinking }: WorldContext): string {
    let text = bos_token;
    for (const { role, content } of messages) {
      text += `${SPEAKERS[role]}: ${said(role, content)}\n\n`;
    }
    if (!add_generation_prompt) return text;
    const thoughts =
      enable_thinking === undefined ? '' : enable_thinking ? ' <think>' : ' <think>\n</think>';
    return `${text}Assistant:${thoughts}`;
  },
};

function said(role: string, content: string): string {
  if (role === 'assistant') return (content.split('</think>').at(-1) as string).trim();
  return content
    .replaceAll('\r\n', '\n')
    .trim()
    .replace(/\n{2,}/g, '\n');
}
