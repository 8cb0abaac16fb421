// SPDX-License-Identifier: MIT

/** What a promise rejects with; fails the test when it does not. */
export async function rejection(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('expected a rejection');
}
