// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/profile.h"
#include "base/threads.h"

namespace fastweights {

// Where products with few tokens read their weights: from one or two places of
// a matrix, or from six. Which is faster depends on how the processor fetches
// ahead (formats/tile_streams.h); no result does.
enum class Reading { kFewPlaces, kManyPlaces };
inline constexpr int kReadings = 2;

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

  Reading reading() const { return reading_; }
  void set_reading(Reading reading) { reading_ = reading; }

  // Null unless time is being charged.
  Profile* profile() { return profile_; }
  void set_profile(Profile* profile) { profile_ = profile; }

 private:
  std::unique_ptr<Threads> own_;
  Threads* threads_;
  Arena arena_;
  std::vector<Arena> thread_arenas_;
  Reading reading_ = Reading::kFewPlaces;
  Profile* profile_ = nullptr;
};

}  // namespace fastweights
