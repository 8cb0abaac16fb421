// SPDX-License-Identifier: MIT
//
// npm run fuzz [-- NAME...] [--seconds N] [--seed N]: inputs that nobody thought of, for N seconds (20)
// a target.
// Inputs that fail are left in build/fuzz/NAME. The last line is 'N passed, N failed', of targets.

import { fuzz, kTargets } from './fuzz/targets.mjs';
import { buildWeb } from './fuzz/web.mjs';
import { endWith, optionsOf } from './options.mjs';
import { step } from './setup/step.mjs';

const { values, positionals } = optionsOf(import.meta.filename, {
  options: { seconds: { type: 'string', default: '20' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !kTargets.includes(name));
const seconds = Number(values.seconds);
if (unknown.length > 0) {
  endWith(
    import.meta.filename,
    `no target is called ${unknown.join(', ')}: ${kTargets.join(', ')}`,
  );
}
if (!(seconds > 0)) endWith(import.meta.filename, `--seconds is ${values.seconds}`);
const seed = values.seed === undefined ? undefined : Number(values.seed);
await step('TypeScript', buildWeb);
const { passed, failed } = await fuzz(
  positionals.length > 0 ? positionals : kTargets,
  seconds,
  seed,
);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
