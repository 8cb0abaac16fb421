// SPDX-License-Identifier: MIT
//
// A library for Emscripten's linker. Its threads wait for calls that others hand over to them by a
// promise, which keeps a module and its memory from ever being collected. Nothing is handed over
// here: threads share loops and do nothing else.
addToLibrary({
  _emscripten_thread_mailbox_await: (_thread) => {},
});
