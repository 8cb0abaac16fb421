// SPDX-License-Identifier: MIT

import { parseArgs } from 'node:util';

import { runBenchModule } from './bench-module.mjs';
import { markdown } from './command-line.mjs';

/** @import { ProductsFound } from './products-run.mjs' */

/**
 * One matrix product at a time against what this machine can do in the same engine.
 * @param {string[]} args
 */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      types: {
        type: 'string',
        default:
          'q8_0,q4_0,q4_1,q5_0,q5_1,q2_k,q3_k,q4_k,q5_k,q6_k,iq4_nl,iq4_xs,mxfp4,bf16,f16,f32,qc8',
      },
      build: { type: 'string', default: 'relaxed' },
      repeat: { type: 'string', default: '9' },
      // Of the weights that a few tokens meet: more than a processor's caches hold.
      megabytes: { type: 'string', default: '120' },
    },
  });
  const { types, build, repeat, megabytes } = values;
  const { engine, ...found } = await measureProducts(
    types.split(','),
    build,
    Number(repeat),
    1e6 * Number(megabytes),
  );
  return report(found, `${build}, ${engine}`);
}

/**
 * What one thread of the machine can do, and what products of these types make of it.
 *
 * @param {string[]} types none: only the machine is measured
 * @param {string} [build]
 * @param {number} [repeat] the best of so many
 * @param {number} [bytes] of the weights that a few tokens meet
 * @returns {Promise<ProductsFound & { engine: string }>}
 */
export async function measureProducts(types, build = 'relaxed', repeat = 9, bytes = 120e6) {
  return runBenchModule('products-run.mjs', build, { types, repeat, bytes });
}

// Types whose weights need all eight bits.
const kEightBits = new Set(['q8_0', 'iq4_nl', 'iq4_xs']);

/** @type {(found: ProductsFound, where: string) => string} */
function report(found, where) {
  const { int8Gops, eightBitGops, groupGops, unpackedGops, readGBps } = found;
  const { many, one, few, dense, loads } = found;
  /** @type {(part: number, whole: number) => string} */
  const percent = (part, whole) => `${Math.round((100 * part) / whole)} %`;
  const shapes = [...new Set(many.map(({ shape }) => shape))];
  const types = [...new Set(many.map(({ type }) => type))];
  /** @type {(type: string, shape: string) => number} */
  const gopsOf = (type, shape) =>
    many.find((m) => m.type === type && m.shape === shape)?.gops ?? Number.NaN;
  const head = ['type', ...shapes.map((shape) => `${shape}, GOP/s`), 'of the peak'];
  const rows = types.map((type) => {
    const gops = shapes.map((shape) => gopsOf(type, shape));
    const mean = gops.reduce((sum, value) => sum + value, 0) / gops.length;
    return [
      type,
      ...gops.map((value) => value.toFixed(0)),
      percent(mean, kEightBits.has(type) ? eightBitGops : int8Gops),
    ];
  });
  const oneRows = one.map(({ type, megabytes, gbps, gops, fewGbps, manyGbps }) => {
    const unpacked = unpackedGops[Number(/^q([2-6])/.exec(type)?.[1])];
    return [
      type,
      megabytes.toFixed(0),
      fewGbps.toFixed(1),
      manyGbps.toFixed(1),
      percent(gbps, readGBps),
      unpacked ? ((unpacked * gbps) / gops).toFixed(1) : '',
    ];
  });
  // What floats could do in registers is not measured.
  const isWhole = (/** @type {string} */ type) => dense.every((of) => of.type !== type);
  const fewRows = few.map(({ type, by }) => {
    const peak = kEightBits.has(type) ? eightBitGops : int8Gops;
    /** @type {(ms: number, tokens: number) => string} */
    const gain = (ms, tokens) => `${((tokens * by[0].ms) / ms).toFixed(1)}x`;
    return [
      type,
      ...by.map(({ tokens, ms, gbps, gops }) => {
        const least = Math.max((ms * gbps) / readGBps, (ms * gops) / peak);
        return tokens > 1 && isWhole(type)
          ? `${gain(ms, tokens)} of ${gain(least, tokens)}`
          : gain(ms, tokens);
      }),
    ];
  });
  const tokens = [...new Set(dense.map((measured) => measured.tokens))];
  const denseRows = [...new Set(dense.map(({ type }) => type))].map((type) => [
    type,
    ...dense
      .filter((measured) => measured.type === type)
      .map(({ ours, theirs }) => `${ours.toFixed(0)} / ${theirs.toFixed(0)}`),
  ]);
  return [
    `${where}, one thread: int8 dot products in registers ${int8Gops.toFixed(0)} GOP/s, ` +
      `${Object.entries(groupGops)
        .map(([columns, gops]) => `${gops.toFixed(0)} with a scale for each ${columns} columns`)
        .join(', ')}; of 8-bit weights ${eightBitGops.toFixed(0)} GOP/s; ` +
      `reading memory ${readGBps.toFixed(1)} GB/s`,
    `Tokens x rows x columns:\n\n${markdown(head, rows)}`,
    ...(dense.length > 0
      ? [
          `4096 x 1024 by tokens, GOP/s of our kernel / XNNPACK's:\n\n${markdown(['type', ...tokens], denseRows)}`,
        ]
      : []),
    `One token, weights read from memory:\n\n${markdown(['type', 'MB', 'from few places, GB/s', 'from many', 'of the read', 'taken apart and multiplied in the first-level cache, without scales, GB/s'], oneRows)}`,
    `Loading one matrix, MB/s of the file:\n\n${markdown(
      ['type', 'as', 'MB/s'],
      loads.map(({ type, form, mbps }) => [type, form, mbps.toFixed(0)]),
    )}`,
    `A few tokens, weights read from memory, tokens/s beside one token's, of what reading, or the dot products ` +
      `in registers without any scale, would take:\n\n${markdown(['type', ...few[0].by.map((m) => m.tokens)], fewRows)}`,
  ].join('\n\n');
}
