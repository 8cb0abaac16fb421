// SPDX-License-Identifier: MIT
import { jsonFormat } from '../json-calls.js';

/** Nemotron-H and Nemotron Nano 2: a list between tags. */
export const nemotron = jsonFormat({
  name: 'nemotron',
  template: /<TOOLCALL>/,
  begin: '<TOOLCALL>',
  end: '</TOOLCALL>',
  single: false,
  line: '',
});
