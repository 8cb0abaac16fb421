// SPDX-License-Identifier: MIT

/** A model that the models page has kept in this browser. @typedef {{ name: string, address: string }} KeptModel */

const KEY = 'model';

/** Where a kept model is talked with. @param {string} address where it came from @returns {string} */
export const talkAddress = (address) => `index.html#${new URLSearchParams({ [KEY]: address })}`;

/** The one that this page was opened for. @returns {KeptModel | undefined} */
export function handedModel() {
  const address = new URLSearchParams(location.hash.slice(1)).get(KEY);
  if (!address || !URL.canParse(address)) return undefined;
  const { pathname, host } = new URL(address);
  const parts = decodeURIComponent(pathname).split('/').filter(Boolean);
  return { name: parts.at(-1) ?? host, address };
}
