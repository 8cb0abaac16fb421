// SPDX-License-Identifier: MIT
#pragma once

namespace fastweights {

// Calls run(context) with two KB more of the thread's stack in use.
//
// V8 keeps the vectors of a function that find no register in its frame, which
// begins at any multiple of eight bytes. Where a page of memory ends within a
// vector that a kernel writes and reads at each step, that kernel takes 1.5 to
// 4 times as long (Zen 4, Sapphire Rapids). Frames of kernels take one to one
// and a half KB, and lie where the calls before them leave them: half a page
// deeper no page ends in them. In native builds this is only a call.
void DeepCall(void (*run)(const void* context), const void* context);

}  // namespace fastweights
