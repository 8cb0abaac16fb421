// SPDX-License-Identifier: MIT

/** What embind gives every object of a C++ class. */
export interface WasmHandle {
  delete(): void;
}
