// SPDX-License-Identifier: MIT
// The file that an engine comes in: for the worker that answers with it, and for whoever has it in a thread of its own.
export { Engine } from '../engine/engine.js';
export { answerCalls } from './answer-calls.js';
