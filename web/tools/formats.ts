// SPDX-License-Identifier: MIT
import type { ToolFormat } from './format.js';
import type { ToolFormatName } from './format-names.js';
import { granite } from './formats/granite.js';
import { hermes } from './formats/hermes.js';
import { jamba } from './formats/jamba.js';
import { lfm2 } from './formats/lfm2.js';
import { nemotron } from './formats/nemotron.js';
import { qwenXml } from './formats/qwen-xml.js';

/** The first whose signs a template has: what is written between the same tags comes before them. */
const FORMATS: readonly ToolFormat[] = [qwenXml, lfm2, granite, nemotron, jamba, hermes];

/**
 * How a model writes calls.
 *
 * @param template the text of its chat template; of one that says nothing of calls, the answer is Hermes'
 * @param name what its caller says instead
 */
export function toolFormat(template: string, name?: ToolFormatName): ToolFormat {
  return (
    FORMATS.find((format) =>
      name === undefined ? format.template.test(template) : format.name === name,
    ) ?? hermes
  );
}
