// SPDX-License-Identifier: MIT
// A module of its own, so that the bundle has one chunk with what of the library is used.
export { Template } from '@huggingface/jinja';
