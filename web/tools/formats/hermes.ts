// SPDX-License-Identifier: MIT
import { jsonFormat } from '../json-calls.js';

/** Nous Research's Hermes, Qwen 2.5 and 3, Granite 4, Falcon-H1, SmolLM3: one object between tags. */
export const hermes = jsonFormat({
  name: 'hermes',
  template: /<tool_call>/,
  begin: '<tool_call>',
  end: '</tool_call>',
  single: true,
  line: '\n',
});
