// SPDX-License-Identifier: MIT
// What demo/examples/README.md says of all of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../demo/examples', import.meta.url));
const examples = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Lines of an example's own modules that are neither empty nor a comment. */
function linesOf(example) {
  return readdirSync(join(folder, example), { recursive: true })
    .filter((name) => /\.(js|mjs|jsx|ts|tsx)$/.test(name) && !name.endsWith('.d.ts'))
    .filter((name) => !name.includes('node_modules'))
    .flatMap((name) => readFileSync(join(folder, example, name), 'utf8').split('\n'))
    .filter((line) => !/^\s*($|\/\/|\/\*|\*)/.test(line)).length;
}

test.each(examples)('%s has fewer than 100 lines of code', (example) => {
  expect(linesOf(example)).toBeGreaterThan(10);
  expect(linesOf(example)).toBeLessThan(100);
});
