// SPDX-License-Identifier: MIT
import { jsonFormat } from '../json-calls.js';

/** Granite 3: a list behind a token, to the end of the answer. */
export const granite = jsonFormat({
  name: 'granite',
  template: /<\|tool_call\|>/,
  begin: '<|tool_call|>',
  end: '',
  single: false,
  line: '',
});
