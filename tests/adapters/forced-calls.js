// SPDX-License-Identifier: MIT

/** A `fetch` whose requests have these choices of tools, one after the other. */
export function forcing(fetch, choices) {
  let asked = 0;
  return (url, init) => {
    const body = { ...JSON.parse(init.body), tool_choice: choices[asked++] };
    return fetch(url, { ...init, body: JSON.stringify(body) });
  };
}
