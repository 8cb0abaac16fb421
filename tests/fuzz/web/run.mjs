// SPDX-License-Identifier: MIT
//
// One target in a process of its own: node run.mjs NAME SECONDS SEED. Prints what it did as JSON; what
// hangs is ended from outside, and the seed finds it again.

import fc from 'fast-check';

const [name, seconds, seed] = process.argv.slice(2);
const { arbitrary, check, end, examples = [] } = await import(`./${name}.js`);
let inputs = 0;
const property = fc.asyncProperty(arbitrary, async (value) => {
  inputs += 1;
  await check(value);
});
const found = await fc.check(property, {
  // Inputs that failed once.
  examples: examples.map((value) => [value]),
  seed: Number(seed),
  numRuns: Number.POSITIVE_INFINITY,
  interruptAfterTimeLimit: 1000 * Number(seconds),
});
await end?.();
process.stdout.write(
  `${JSON.stringify({
    inputs,
    failed: found.counterexample !== null,
    report:
      found.counterexample === null
        ? ''
        : `${fc.defaultReportMessage(found)}\n${stackOf(found.errorInstance)}`,
    input: fc.stringify(found.counterexample),
  })}\n`,
);

function stackOf(error) {
  const cause = error?.cause ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error?.stack ?? error}${cause}`;
}
