// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/profile.h"
#include "base/threads.h"

namespace fastweights {

// What a forward pass works with: threads, memory for what passes between its
// steps, and memory of each thread's own for the length of one task.
class Workspace {
 public:
  Workspace() : Workspace(std::make_unique<Threads>()) {}
  explicit Workspace(std::unique_ptr<Threads> threads)
      : Workspace(threads.get()) {
    own_ = std::move(threads);
  }
  // With those of one that outlives it and never works at the same time.
  explicit Workspace(Threads* threads)
      : threads_(threads), thread_arenas_(threads->count()) {}

  // False: out of memory.
  bool Reserve(size_t bytes, size_t thread_bytes) {
    for (Arena& arena : thread_arenas_) {
      if (!arena.Reserve(thread_bytes)) return false;
    }
    return arena_.Reserve(bytes);
  }

  Threads& threads() const { return *threads_; }
  Arena& arena() { return arena_; }
  Arena& thread_arena(int thread) { return thread_arenas_[thread]; }

  // Null unless time is being charged.
  Profile* profile() { return profile_; }
  void set_profile(Profile* profile) { profile_ = profile; }

 private:
  std::unique_ptr<Threads> own_;
  Threads* threads_;
  Arena arena_;
  std::vector<Arena> thread_arenas_;
  Profile* profile_ = nullptr;
};

}  // namespace fastweights
