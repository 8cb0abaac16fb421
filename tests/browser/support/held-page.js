// SPDX-License-Identifier: MIT
// The page that holds answers to a form, used as its visitors do.

/** Chooses what the answer is held to. */
export const choose = (page, kind) =>
  page.evaluate((value) => document.querySelector(`input[value=${value}]`).click(), kind);

/** Writes, with the text of the form and a limit, and waits for the end. @returns what the tokens say */
export async function write(page, form, { tokens = 200, seed = '3' } = {}) {
  if (form !== undefined) await page.fill('#form', form);
  await page.fill('#max-tokens', String(tokens));
  await page.fill('#seed', seed);
  await page.click('#write');
  await page.waitForFunction(
    () =>
      document.getElementById('summary').textContent !== '' &&
      !document.getElementById('write').disabled,
  );
  return page.evaluate(() =>
    [...document.querySelectorAll('#answer .token')].map(({ textContent }) => textContent).join(''),
  );
}
