// SPDX-License-Identifier: MIT

// The block that guesses the token after the next, against PyTorch
// (tests/golden/guesses.py) and llama.cpp (tests/golden/guesses/llama-cpp.mjs),
// and what a text's guesses do not depend on.

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "kernel_test.h"
#include "runtime/golden_model.h"
#include "runtime/guessing.h"
#include "runtime/session.h"

namespace fastweights {
namespace {

constexpr char kFile[] = "guesses/model-f32.gguf";
constexpr int kGuesses = 3;  // of the golden file for each beginning

class GuessBlockTest : public testing::Test {
 protected:
  std::unique_ptr<Session> Empty(int batch_tokens = 512) {
    auto& model = models_[batch_tokens];
    if (!model) {
      model =
          LoadModelFile(kFile, {.batch_tokens = batch_tokens, .guesses = true});
    }
    auto session = Session::Make(model);
    session->sampler().Configure({.temperature = 0});
    EXPECT_TRUE(session->ReserveGuesses());
    return session;
  }

  // That has read the first so many of the ids, in parts, and drawn a token.
  std::unique_ptr<Session> Begun(int tokens, int batch_tokens = 512) {
    auto session = Empty(batch_tokens);
    for (int at = 0; at < tokens; at += batch_tokens) {
      const int part = std::min(batch_tokens, tokens - at);
      EXPECT_TRUE(
          session->Prefill(ids_.data() + at, part, at + part == tokens));
    }
    session->Next();
    return session;
  }

  static std::vector<int> GuessesOf(Session& session, int count = kGuesses) {
    std::vector<int> guesses(count, -7);
    guesses.resize(session.Guess(count, nullptr, guesses.data()));
    return guesses;
  }

  std::map<int, std::shared_ptr<Model>> models_;  // by their batch_tokens
  const std::string json_ = ReadGolden("guesses/guesses.json");
  const std::vector<int> ids_ = Numbers(json_, "ids", 0);
  const std::vector<int> golden_ = Numbers(json_, "guesses", 0);
};

TEST_F(GuessBlockTest, GuessesAsPyTorchDoes) {
  ASSERT_EQ(golden_.size(), kGuesses * ids_.size());
  for (int n = 1; n <= static_cast<int>(ids_.size()); ++n) {
    const int* expected = golden_.data() + (n - 1) * kGuesses;
    for (const int batch_tokens : {512, 5, 1}) {
      EXPECT_EQ(GuessesOf(*Begun(n, batch_tokens)),
                std::vector<int>(expected, expected + kGuesses))
          << n << " tokens, " << batch_tokens << " at a time";
    }
  }
}

// Of a random model with a layer of attention, in float32: the block's logits
// after each beginning of a text and the model's own likeliest token. They
// differ by 9e-6 at most.
TEST(GuessBlock, LogitsAreLlamaCpps) {
  const std::shared_ptr<Model> model =
      LoadModelFile("guesses/llama-cpp.gguf", {.guesses = true});
  const std::vector<int> ids =
      Numbers(ReadGolden("guesses/llama-cpp.json"), "ids", 0);
  const std::vector<float> golden =
      GoldenFloats(ReadGolden("guesses/llama-cpp.bin"));
  const size_t vocab = model->vocab();
  ASSERT_EQ(golden.size(), ids.size() * vocab);
  ASSERT_EQ(model->guess_block()->tokens(), model->vocab());
  const auto session = Session::Make(model);
  session->sampler().Configure({.temperature = 0});
  std::vector<float> logits(vocab);
  for (size_t n = 1; n <= ids.size(); ++n) {
    session->Reset();
    ASSERT_TRUE(session->Prefill(ids.data(), n, true));
    session->Next();
    int guess = -7;
    ASSERT_EQ(session->Guess(1, nullptr, &guess, logits.data()), 1);
    const float* expected = golden.data() + (n - 1) * vocab;
    EXPECT_TRUE(Near(logits, std::span(expected, vocab), 3e-5)) << n;
    EXPECT_EQ(guess, std::max_element(expected, expected + vocab) - expected);
  }
}

// Longer than a window and than the pages, which are used in turn: after each
// pass the guesses are those of a text that was read at once.
TEST_F(GuessBlockTest, GuessesDoNotDependOnHowTheTextWasRead) {
  const auto session = Begun(10);
  std::vector<int> text(ids_.begin(), ids_.begin() + 10);
  while (session->position() < 400) {
    text.push_back(session->pending());
    const std::vector<int> guesses = GuessesOf(*session);
    ASSERT_EQ(guesses.size(), kGuesses);
    const auto twin = Empty();
    ASSERT_TRUE(twin->Prefill(text.data(), text.size() - 1, true));
    ASSERT_EQ(twin->Next(), session->pending());
    ASSERT_EQ(GuessesOf(*twin), guesses) << session->position();
    // Asked for again they are the same.
    ASSERT_EQ(GuessesOf(*session), guesses);
    const std::vector<int> drawn = DrawGuessed(*session, guesses);
    text.insert(text.end(), drawn.begin(), drawn.end() - 1);
    // Some passes without guesses, up to more than what is remembered.
    const int alone = session->position() % 3 == 0 ? text.size() % 80 : 0;
    for (int i = 0; i < alone; ++i) {
      text.push_back(session->pending());
      session->Next();
    }
  }
}

TEST_F(GuessBlockTest, TheFirstGuessIsOneThatIsAllowed) {
  const auto session = Begun(20);
  std::vector<uint32_t> allowed((session->model().vocab() + 31) / 32);
  int guess = -7;
  EXPECT_EQ(session->Guess(1, allowed.data(), &guess), 0);
  for (const int only : {0, 33, 258}) {
    std::fill(allowed.begin(), allowed.end(), 0u);
    allowed[only / 32] = 1u << only % 32;
    ASSERT_EQ(session->Guess(1, allowed.data(), &guess), 1);
    EXPECT_EQ(guess, only);
  }
}

TEST_F(GuessBlockTest, AnotherTextHasGuessesOfItsOwn) {
  const auto session = Begun(30);
  const std::vector<int> guesses = GuessesOf(*session);
  const auto mark = session->Mark(true);
  for (int i = 0; i < 5; ++i) session->Next();
  GuessesOf(*session);
  session->Rewind(*mark);
  EXPECT_EQ(GuessesOf(*session), std::vector<int>());
  session->Reset();
  EXPECT_EQ(GuessesOf(*session), std::vector<int>());
  ASSERT_TRUE(session->Prefill(ids_.data(), 30, true));
  session->Next();
  EXPECT_EQ(GuessesOf(*session), guesses);
  // A clone has to read something first.
  const auto clone = session->Clone();
  EXPECT_EQ(GuessesOf(*clone), std::vector<int>());
  clone->Next();
  EXPECT_EQ(GuessesOf(*clone).size(), kGuesses);
}

TEST_F(GuessBlockTest, ModelsThatAreNotAskedDoWithout) {
  const auto plain = LoadModelFile(kFile);
  const auto with = LoadModelFile(kFile, {.guesses = true});
  EXPECT_EQ(plain->guess_block(), nullptr);
  ASSERT_NE(with->guess_block(), nullptr);
  EXPECT_EQ(plain->page_floats(), with->page_floats());
  EXPECT_LT(Session::StateBytes(*plain), Session::StateBytes(*with));
  const auto session = Session::Make(plain), twin = Session::Make(with);
  for (Session* one : {session.get(), twin.get()}) {
    ASSERT_TRUE(one->Prefill(ids_.data(), 30, true));
  }
  EXPECT_TRUE(std::equal(session->logits(), session->logits() + plain->vocab(),
                         twin->logits()));
  session->Next();
  EXPECT_EQ(GuessesOf(*session), std::vector<int>());
}

}  // namespace
}  // namespace fastweights
