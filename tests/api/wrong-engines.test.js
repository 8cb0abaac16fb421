// SPDX-License-Identifier: MIT
// What happens where an engine refuses a build or multiplies wrongly with it. No such engine is at
// hand: the builds are changed instead.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadModel } from '../../dist/index.js';
import { linearModel } from './models.js';
import { changed, dotProducts } from './wrong-instructions.js';

// Of every matrix type that GGUF numbers, implemented or not.
const TYPES = Array.from({ length: 40 }, (_, type) => type);
const SLOW = process.env.FASTWEIGHTS_SLOW === '1';

const place = (build) => new URL(`../../dist/wasm/fastweights-${build}.wasm`, import.meta.url);
const wasmOf = (build) => new Uint8Array(readFileSync(place(build)));
const hasRelaxed = WebAssembly.validate(wasmOf('relaxed'));

const folder = mkdtempSync(join(tmpdir(), 'wrong-engines-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function engine(build, wasmBinary) {
  const { default: create } = await import(`../../dist/wasm/fastweights-${build}.mjs`);
  return create({ wasmBinary, print: () => {}, printErr: () => {} });
}

const productsAreExact = (module, form) =>
  module.productsAreExact(form === 'qc8' ? [] : TYPES, module.MatrixForm[form]);

const build = hasRelaxed ? 'relaxed' : 'simd128';

describe('the check at the start', () => {
  const wasm = wasmOf(build);

  test('finds every product right as the build is', async () => {
    const module = await engine(build, wasm);
    for (const form of ['stored', 'q8_0', 'q4_0', 'q4_k', 'qc8']) {
      expect([form, productsAreExact(module, form)]).toEqual([form, true]);
    }
    expect(module.int8AttentionIsExact()).toBe(true);
  });

  // What a function multiplies, it multiplies in several loops: for one token, for two and three, for
  // many; for four tiles at once and for the rest; and LLVM has copies of each. A function that is
  // not for this processor is not run, and none of its instructions counts.
  test('sees each wrong dot product of each loop that runs', async () => {
    const all = dotProducts(wasm);
    const isFirst = ({ body }, i) => body !== all[i - 1]?.body;
    const sites = all.filter((site, i) => SLOW || i % 7 === 0 || isFirst(site, i));
    const found = new Map();
    for (const site of sites) {
      const bytes = changed(wasm, site);
      expect(WebAssembly.validate(bytes)).toBe(true);
      const module = await engine(build, bytes);
      const exact =
        productsAreExact(module, 'stored') &&
        productsAreExact(module, 'qc8') &&
        module.int8AttentionIsExact();
      const { seen = 0, unseen = 0 } = found.get(site.body) ?? {};
      found.set(site.body, { seen: seen + Number(!exact), unseen: unseen + Number(exact) });
    }
    const run = [...found.values()].filter(({ seen }) => seen > 0);
    expect(run.filter(({ unseen }) => unseen > 0)).toEqual([]);
    // Thirteen kinds of tiles, XNNPACK's kernels for one token and for several, attention.
    expect(run.length).toBeGreaterThanOrEqual(16);
    if (build === 'simd128') expect(run.length).toBe(found.size);
  }, 600_000);
});

describe('loadModel', () => {
  /** The build that a load runs whose relaxed build is another file. */
  async function load(relaxed, options) {
    const file = join(folder, 'relaxed.wasm');
    writeFileSync(file, relaxed);
    const url = (name) => (name === 'relaxed' ? pathToFileURL(file) : place(name));
    const model = await loadModel(linearModel(), { threads: 1, wasm: { url, ...options } });
    await model.dispose();
    return model.build;
  }
  const test_ = hasRelaxed ? test : test.skip;

  test_('runs simd128 where relaxed multiplies wrongly', async () => {
    const wasm = wasmOf('relaxed');
    const wrong = changed(wasm, ...dotProducts(wasm));
    expect(await load(wasm)).toBe('relaxed');
    expect(await load(wrong)).toBe('simd128');
    await expect(load(wrong, { build: 'relaxed' })).rejects.toMatchObject({
      code: 'wasm',
      message: "this engine gets the relaxed build's products wrong",
    });
  });

  test_('runs simd128 where relaxed is refused', async () => {
    const wasm = wasmOf('relaxed');
    const [{ change }] = dotProducts(wasm);
    // An instruction that there is not.
    const refused = changed(wasm, { change: { at: change.at, to: [0xfd, 0xff, 0x03] } });
    expect(WebAssembly.validate(refused)).toBe(false);
    expect(await load(refused)).toBe('simd128');
    await expect(load(refused, { build: 'relaxed' })).rejects.toMatchObject({
      code: 'wasm',
      cause: expect.objectContaining({ message: expect.stringContaining('CompileError') }),
    });
  });

  test_('does not ask for relaxed where the engine refuses its dot product alone', async () => {
    const { validate } = WebAssembly;
    const dot = [0xfd, 0x93, 0x02];
    WebAssembly.validate = (bytes) =>
      !bytes.some((_, i) => dot.every((byte, j) => bytes[i + j] === byte)) && validate(bytes);
    try {
      expect(await load(wasmOf('relaxed'))).toBe('simd128');
    } finally {
      WebAssembly.validate = validate;
    }
  });
});
