// SPDX-License-Identifier: MIT

/** An error that the SDK takes for one of its own, by the marks that it looks for. */
export function sdkError(name: string, message: string, fields: object): Error {
  const marks = {
    [Symbol.for('vercel.ai.error')]: true,
    [Symbol.for(`vercel.ai.error.${name}`)]: true,
  };
  return Object.assign(new Error(message), { name, ...fields, ...marks });
}
