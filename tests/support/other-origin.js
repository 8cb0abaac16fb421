// SPDX-License-Identifier: MIT

// What a page reads of another origin's replies unless that origin exposes more.
const SHOWN = ['cache-control', 'content-length', 'content-type', 'last-modified'];

/**
 * Makes `fetch` give what it gives a page about a file of another origin, until the function that it
 * returns is called.
 */
export function seeAsOtherOrigin() {
  const own = globalThis.fetch;
  globalThis.fetch = async (...args) => {
    const response = await own(...args);
    const headers = new Headers([...response.headers].filter(([name]) => SHOWN.includes(name)));
    return new Proxy(response, {
      get(target, name) {
        if (name === 'type') return 'cors';
        return name === 'headers' ? headers : Reflect.get(target, name, target);
      },
    });
  };
  return () => {
    globalThis.fetch = own;
  };
}
