// SPDX-License-Identifier: MIT
#include "runtime/draft.h"

#include <algorithm>
#include <vector>

#include "kernel_test.h"
#include "runtime/golden_model.h"

namespace fastweights {
namespace {

class Drafts : public testing::TestWithParam<const char*> {
 protected:
  Drafts()
      : model_(LoadModel(GetParam())), ids_(GoldenTexts(GetParam())[1].ids) {}

  std::vector<int> GuessesOf(Draft& draft, int count) {
    const int at = draft.position();
    std::vector<int> guesses(kMostGuesses);
    const int made = draft.Guess(ids_.data() + at, count, kMostGuesses, 0,
                                 nullptr, guesses.data());
    guesses.resize(std::max(made, 0));
    EXPECT_EQ(draft.position(), at + count);
    return guesses;
  }

  // What a text that was read at once has as its likeliest next tokens.
  std::vector<int> Likeliest(int tokens) {
    const auto session = Session::Make(model_);
    session->sampler().Configure({.temperature = 0});
    EXPECT_TRUE(session->Prefill(ids_.data(), tokens, true));
    std::vector<int> found(kMostGuesses);
    for (int& id : found) id = session->Next();
    return found;
  }

  std::shared_ptr<Model> model_;
  std::vector<int> ids_;
};

// Its own guesses are wrong, mostly, as the text is another; some are made
// right, so that all, some and none of what it has read ahead stays.
TEST_P(Drafts, GuessesAreTheLikeliestWhateverWasGuessedBefore) {
  const auto draft = Draft::Make(model_, model_->vocab());
  ASSERT_TRUE(draft->Read(ids_.data(), 50));
  for (int step = 0; draft->position() < 100; ++step) {
    const std::vector<int> guesses = GuessesOf(*draft, 1 + step % 3);
    EXPECT_EQ(guesses, Likeliest(draft->position()));
    const int right = step % (kMostGuesses + 1);
    std::copy_n(guesses.begin(), right, ids_.begin() + draft->position());
  }
}

TEST_P(Drafts, ACloneAndAPlaceGoOnAsTheText) {
  const auto draft = Draft::Make(model_, model_->vocab());
  ASSERT_TRUE(draft->Read(ids_.data(), 20));
  const auto place = draft->Mark();
  const std::vector<int> first = GuessesOf(*draft, 3);
  const auto clone = draft->Clone();
  EXPECT_EQ(GuessesOf(*clone, 4), GuessesOf(*draft, 4));
  draft->Rewind(*place);
  EXPECT_EQ(GuessesOf(*draft, 3), first);
  draft->Reset();
  EXPECT_EQ(draft->position(), 0);
  EXPECT_EQ(GuessesOf(*draft, 23), first);
}

TEST_P(Drafts, FirstGuessIsOneThatIsAllowedAndNoneIsUnlikely) {
  const auto draft = Draft::Make(model_, model_->vocab());
  const int words = (model_->vocab() + 31) / 32;
  std::vector<uint32_t> allowed(words);
  allowed[0] = 1u << 5;
  int guess;
  EXPECT_EQ(draft->Guess(ids_.data(), 9, 1, 1, allowed.data(), &guess), 1);
  EXPECT_EQ(guess, 5);
  std::fill(allowed.begin(), allowed.end(), 0u);
  EXPECT_EQ(draft->Guess(ids_.data() + 9, 1, 1, 0, allowed.data(), &guess), 0);
  // Nothing is surer than certain.
  EXPECT_EQ(draft->Guess(ids_.data() + 10, 1, 1, 1.01f, nullptr, &guess), 0);
}

INSTANTIATE_TEST_SUITE_P(Models, Drafts,
                         testing::Values("qwen3_5", "mamba", "rwkv7_h32",
                                         "falcon_h1"));

}  // namespace
}  // namespace fastweights
