// SPDX-License-Identifier: MIT
// The page that holds answers to a form.
import { join } from 'node:path';
import { findings, LOOKS, overflow } from '../support/accessibility.js';
import { resources } from '../support/browser.js';
import * as demo from '../support/demo-page.js';
import { choose, write } from '../support/held-page.js';
import { openSite } from '../support/site.js';

const folder = join(demo.buildFolder, 'demo');
const site = openSite(folder);
const withPage = (test, options) =>
  demo.withPage(site, test, `${site.server.url}held.html`, options);
const said = (page) => page.textContent('#form-check');

test('loads nothing heavy before it is asked', async () => {
  await withPage(async (page) => {
    await page.waitForLoadState('networkidle');
    expect((await resources(page)).filter((url) => /gguf|wasm|fastweights\//.test(url))).toEqual(
      [],
    );
  });
});

test('an answer is JSON of the schema, and each token tells what it was chosen from', () =>
  withPage(async (page) => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 12 },
        kind: { enum: ['fox', 'bear'] },
        lives: { const: '12345' }, // digit by digit: only one token fits
      },
      required: ['name', 'kind', 'lives'],
      additionalProperties: false,
    };
    const text = await write(page, JSON.stringify(schema));
    const answer = JSON.parse(text);
    expect(Object.keys(answer)).toEqual(['name', 'kind', 'lives']);
    expect(['fox', 'bear']).toContain(answer.kind);
    const tokens = await page.locator('#answer .token').count();
    const forced = await page.locator('#answer .token.forced').count();
    expect(forced).toBeGreaterThan(2);
    expect(forced).toBeLessThan(tokens);
    expect(await page.textContent('#summary')).toMatch(
      new RegExp(`^${tokens} tokens, ${forced} of them forced, \\d+ a second\\. It is JSON\\.$`),
    );
    // The first can only be a brace, which no story begins with.
    await page.locator('#answer .token').first().click();
    expect(await page.textContent('#step-title')).toMatch(/^Token 1: \{/);
    expect(await page.textContent('#step-words')).toMatch(/of [\d,]+ tokens/);
    expect(await page.textContent('#allowed')).toMatch(/drawn/);
    expect(await page.textContent('#free')).toMatch(/ruled out/);
    await page.keyboard.press('ArrowRight');
    expect(await page.textContent('#step-title')).toMatch(/^Token 2: /);
    await page.keyboard.press('End');
    expect(await page.textContent('#step-title')).toMatch(new RegExp(`^Token ${tokens}: `));
    expect(await page.locator('#answer [tabindex="0"]').count()).toBe(1);
  }));

test('a regular expression and a grammar hold as well, and a limit is told', () =>
  withPage(async (page) => {
    await choose(page, 'regex');
    expect(await write(page, '[0-9]{3}-[a-f]{2}')).toMatch(/^[0-9]{3}-[a-f]{2}$/);
    await choose(page, 'grammar');
    expect(await write(page, 'root ::= ("ab" | "cd"){3}')).toMatch(/^(ab|cd){3}/);
    await choose(page, 'schema');
    await write(page, '{ "type": "string", "minLength": 40 }', { tokens: 3 });
    expect(await page.textContent('#summary')).toMatch(/cut it short, so the form is not complete/);
  }));

test('tools that are called are run by the page, and the model goes on', () =>
  withPage(async (page) => {
    await choose(page, 'tools');
    await write(page, undefined, { tokens: 120 });
    const called = await page.locator('#answer .called').allTextContents();
    expect(called.length).toBeGreaterThan(0);
    for (const words of called) {
      expect(words).toMatch(/^This page ran (roll_dice|pick_name)\(\{.*\}\), which gave /);
    }
    // Behind the last of them is another answer.
    expect(await page.locator('#answer .called + .line .token').count()).toBeGreaterThan(0);
  }));

test('what is wrong with a form is said in words, as it is typed', () =>
  withPage(async (page) => {
    await page.fill('#form', '{ "type": ');
    await page.waitForFunction(() =>
      /is not JSON yet/.test(document.getElementById('form-check').textContent),
    );
    await page.click('#write');
    expect(await page.isVisible('#loading')).toBe(false);
    await write(page, '{ "type": "boolean" }', { tokens: 9 });
    const wrong = [
      ['schema', '{ "type": "strng" }', /"strng", which does not exist/],
      ['schema', '{ "enum": [] }', /allows no text at all/],
      ['regex', '(a', /Unterminated group/],
      ['regex', '(?<=a)b', /lookbehind/i],
      ['grammar', 'root ::= missing', /missing/],
      ['tools', '{}', /must be a list/],
      ['tools', '[{ "name": "a b" }]', /the name of tool 0/],
    ];
    for (const [kind, form, message] of wrong) {
      await choose(page, kind);
      await page.fill('#form', form);
      await page.locator('#form-check.bad', { hasText: message }).waitFor();
      expect(await page.getAttribute('#form', 'aria-invalid')).toBe('true');
    }
    expect(await page.isVisible('#failure')).toBe(false);
    await choose(page, 'choice');
    await page.locator('#form-check.good').waitFor();
    expect(await said(page)).toBe('An answer can be held to this.');
  }));

test('Escape stops the answer, and a damaged file is told in words', () =>
  withPage(async (page) => {
    await page.fill('#form', '{ "type": "string", "minLength": 5000 }');
    await page.fill('#max-tokens', '2000');
    await page.click('#write');
    await page.locator('#answer .token').nth(5).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#summary', { hasText: /^Stopped after \d+ tokens/ }).waitFor();
    const file = { name: 'cut.gguf', mimeType: '', buffer: Buffer.from('GGUF') };
    await page.setInputFiles('#file', file);
    await page.locator('#failure').waitFor();
    expect(await page.textContent('#failure-title')).toMatch(/ends too early/);
  }));

test.each(LOOKS)('axe finds nothing, in $colorScheme at $viewport.width', (look) =>
  withPage(async (page) => {
    expect(await findings(page)).toEqual([]);
    await write(page, '{ "enum": ["fox", "bear"] }');
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }, look),
);
