// SPDX-License-Identifier: MIT
import { element } from '../element.js';

const HUB = 'https://huggingface.co/';

/** @typedef {{ name: string, repository: string, file?: string, size: string, licence: string, memory: string }} Published */

/** @type {Published[]} */
const PUBLISHED = [
  {
    name: 'LFM2 350M',
    repository: 'LiquidAI/LFM2-350M-GGUF',
    file: 'LFM2-350M-Q4_K_M.gguf',
    size: '229 MB',
    licence: 'LFM Open License 1.0',
    memory: 'two tokens, and keys and values in some layers',
  },
  {
    name: 'Qwen3.5 0.8B',
    repository: 'unsloth/Qwen3.5-0.8B-GGUF',
    file: 'Qwen3.5-0.8B-Q4_K_M.gguf',
    size: '533 MB',
    licence: 'Apache 2.0',
    memory: 'constant, and keys and values in every fourth layer',
  },
  {
    name: 'Granite 4.0 H 350M',
    repository: 'ibm-granite/granite-4.0-h-350m',
    size: '681 MB',
    licence: 'Apache 2.0',
    memory: 'constant, and keys and values in a few layers',
  },
  {
    name: 'RWKV-7 G1 0.4B',
    repository: 'fla-hub/rwkv7-0.4B-g1',
    size: '902 MB',
    licence: 'Apache 2.0',
    memory: 'constant',
  },
];

/** Shows models that others have published. @param {(address: string) => void} onUse called with what the field is to say */
export function showPublished(onUse) {
  const rows = PUBLISHED.map(({ name, repository, file, size, licence, memory }) => {
    const row = document.createElement('tr');
    const head = document.createElement('th');
    head.scope = 'row';
    const link = document.createElement('a');
    link.href = HUB + repository;
    link.rel = 'noreferrer';
    link.textContent = name;
    head.append(link);
    row.append(head);
    const bytes = row.insertCell();
    bytes.className = 'number';
    bytes.textContent = size;
    row.insertCell().textContent = licence;
    row.insertCell().textContent = memory;
    const use = document.createElement('button');
    use.type = 'button';
    use.textContent = 'Choose';
    use.ariaLabel = `Choose ${name}`;
    use.addEventListener('click', () => onUse(file ? `${repository}/${file}` : repository));
    row.insertCell().append(use);
    return row;
  });
  element('published', HTMLTableElement).tBodies[0].replaceChildren(...rows);
}
