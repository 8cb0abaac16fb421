// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "runtime/session.h"

namespace fastweights {

// What a session draws in a pass over guesses, `most` tokens at the most.
inline std::vector<int> DrawGuessed(Session& session,
                                    std::span<const int> guesses,
                                    size_t most = kMostGuesses + 1) {
  const int count = static_cast<int>(guesses.size());
  if (!session.ReadGuesses(guesses.data(), count)) return {kNoMemory};
  std::vector<int> drawn;
  do {
    drawn.push_back(session.DrawGuess());
  } while (drawn.size() < most && drawn.size() <= guesses.size() &&
           drawn.back() == guesses[drawn.size() - 1]);
  session.EndGuesses();
  return drawn;
}

}  // namespace fastweights
