// SPDX-License-Identifier: MIT
//
// A library for Emscripten's linker, which changes what it brings for threads in two places.
addToLibrary({
  // Its threads wait for calls that others hand over to them by a promise, which keeps a module and
  // its memory from ever being collected. Nothing is handed over here: threads share loops and do
  // nothing else.
  _emscripten_thread_mailbox_await: (_thread) => {},
});

// A module that starts itself anew as a worker is what bundlers choke on, and what only the host's own
// way of making workers can do: web/wasm/thread-workers.ts does it, and what it has made is here.
const threads = LibraryManager.library.$PThread;
delete threads.allocateUnusedWorker;
threads.getNewWorker = () => PThread.unusedWorkers.pop();
