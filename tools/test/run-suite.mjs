// SPDX-License-Identifier: MIT
//
// One suite of `npm test`, by its whole name: what `tools/test.mjs` starts for each. The last line is
// 'N passed, N failed'.

import { kSuites } from './suites.mjs';

const wanted = process.argv[2];
const [, run] = kSuites.find(([name]) => name === wanted) ?? [];
if (!run) throw new RangeError(`no suite is called ${wanted}`);
const counts = await run({ slow: process.env.FASTWEIGHTS_SLOW === '1' }).catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  return { passed: 0, failed: 1 };
});
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
