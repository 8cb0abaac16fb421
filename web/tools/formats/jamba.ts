// SPDX-License-Identifier: MIT
import { jsonFormat } from '../json-calls.js';

/** Jamba: a list between tags. */
export const jamba = jsonFormat({
  name: 'jamba',
  template: /<tool_calls>/,
  begin: '<tool_calls>',
  end: '</tool_calls>',
  single: false,
  line: '',
});
