// SPDX-License-Identifier: MIT

// Each allocation refused in turn: what was asked for ends as its header says,
// what there was is as before, and the next try works.

#include "base/allocation.h"
#include "kernel_test.h"
#include "memory/memory.h"
#include "runtime/golden_model.h"
#include "runtime/session.h"

namespace fastweights {
namespace {

// Calls work() with its first, its second, ... allocation refused, until none
// was; it says whether it was done. How many there were.
template <typename Work>
int RefuseEach(const Work& work) {
  for (int n = 0;; ++n) {
    RefuseAllocationAfter(n);
    const bool done = work();
    const bool refused = HasRefusedAllocation();
    RefuseAllocationAfter(-1);
    EXPECT_EQ(done, !refused) << "allocation " << n;
    if (done != !refused || !refused) return n;
  }
}

// Null, or the code of what went wrong.
std::string Load(const GgufFile& file, std::shared_ptr<Model>* model) {
  ModelBuilder builder;
  AddHeader(file, builder);
  std::optional<Error> error = builder.Plan();
  if (!error) error = builder.Reserve();
  for (size_t i = 0; !error && i < file.tensors().size(); ++i) {
    const int index = static_cast<int>(i);
    if (!builder.Wants(index)) continue;
    const GgufFile::Tensor& tensor = file.tensors()[i];
    std::memcpy(builder.staging(), tensor.bytes,
                tensor.shape.rows * builder.RowBytes(index));
    error = builder.Append(index, tensor.shape.rows);
  }
  if (error) return error->code;
  Result<std::shared_ptr<Model>> made = builder.Finish();
  if (!made.ok()) return made.error().code;
  *model = made.value();
  return "";
}

class NoMemory : public testing::TestWithParam<const char*> {
 protected:
  // A text of so many tokens.
  std::unique_ptr<Session> Read(int tokens) {
    if (!model_) model_ = LoadModel(GetParam());
    auto session = Session::Make(model_);
    EXPECT_TRUE(session->Prefill(ids_.data(), tokens, true));
    return session;
  }

  std::vector<float> All(const Session& session) const {
    std::vector<float> all(session.state(),
                           session.state() + model_->state_floats());
    for (int i = 0; i < session.pages(); ++i) {
      all.insert(all.end(), session.page(i),
                 session.page(i) + model_->page_floats());
    }
    all.insert(all.end(), session.logits(), session.logits() + model_->vocab());
    return all;
  }

  // As it was made by Read(tokens), to the bit.
  void ExpectAsRead(const Session& session, int tokens) {
    const auto twin = Read(tokens);
    EXPECT_EQ(session.position(), tokens);
    EXPECT_EQ(session.kv_bytes(), twin->kv_bytes());
    EXPECT_TRUE(Same(All(session), All(*twin)));
  }

  std::shared_ptr<Model> model_;
  const std::vector<int> ids_ = GoldenTexts(GetParam())[1].ids;
};

TEST_P(NoMemory, ALoadEndsAsOutOfMemory) {
  const GgufFile file(ReadGolden(GoldenModelFile(GetParam())));
  const int refused = RefuseEach([&] {
    const std::string code = Load(file, &model_);
    EXPECT_TRUE(code.empty() || code == "out_of_memory") << code;
    return code.empty();
  });
  // The staging buffer, scratch and a buffer for each matrix.
  EXPECT_GT(refused, 10);
  ASSERT_TRUE(model_);
  ExpectAsRead(*Read(5), 5);
}

TEST_P(NoMemory, ATextThatCannotBeMadeIsNull) {
  const auto session = Read(70);
  EXPECT_GE(RefuseEach([&] { return Session::Make(model_) != nullptr; }), 5);
  EXPECT_GE(RefuseEach([&] { return session->Clone() != nullptr; }), 5);
  EXPECT_GE(RefuseEach([&] { return session->Mark(true) != nullptr; }), 2);
  EXPECT_EQ(
      RefuseEach([&] { return session->sampler().Restrict() != nullptr; }), 1);
  ExpectAsRead(*session, 70);
}

TEST_P(NoMemory, WhatCannotBeReadLeavesTheTextAsItWas) {
  const auto session = Read(60);
  const int refused = RefuseEach([&] {
    const bool done = session->Prefill(ids_.data() + 60, 70, true);
    if (!done) ExpectAsRead(*session, 60);
    return done;
  });
  // Two pages, where there are any.
  EXPECT_EQ(refused, model_->page_floats() > 0 ? 2 : 0);
  const auto twin = Read(60);
  ASSERT_TRUE(twin->Prefill(ids_.data() + 60, 70, true));
  EXPECT_TRUE(Same(All(*session), All(*twin)));
}

TEST_P(NoMemory, ATokenThatCannotBeReadIsDrawnAtTheNextTry) {
  const auto session = Read(64), twin = Read(64);
  EXPECT_EQ(session->Next(), twin->Next());
  const int expected = twin->Next();
  RefuseEach([&] {
    const int token = session->Next();
    if (token < 0) {
      EXPECT_EQ(token, kNoMemory);
    } else {
      EXPECT_EQ(token, expected);
    }
    return token >= 0;
  });
  EXPECT_TRUE(Same(All(*session), All(*twin)));
}

TEST_P(NoMemory, ATextThatCannotBeRestoredIsEmpty) {
  const auto session = Read(20);
  RefuseEach([&] {
    const bool done = session->Restore(130, -1, false);
    if (!done) {
      EXPECT_EQ(session->position(), 0);
      EXPECT_EQ(session->kv_bytes(), 0u);
      EXPECT_TRUE(session->Prefill(ids_.data(), 20, true));
      ExpectAsRead(*session, 20);
    }
    return done;
  });
}

INSTANTIATE_TEST_SUITE_P(Models, NoMemory,
                         testing::Values("qwen3_5", "rwkv7_h32", "falcon_h1",
                                         "mamba"));

class NoMemoryForRule : public testing::TestWithParam<int> {};

TEST_P(NoMemoryForRule, ChangesNothing) {
  const RuleSpec& spec = Rules()[GetParam()];
  const MemoryShape shape = {
      .heads = 2, .key_heads = 2, .key_dim = 8, .value_dim = 8};
  constexpr int kTokens = 100;
  std::unique_ptr<Memory> memory;
  const auto contents = [&] {
    std::vector<float> all;
    for (size_t i = 0; i < memory->arrays().size(); ++i) {
      const StateArray& array = memory->arrays()[i];
      const size_t floats =
          size_t{1} * array.matrices * array.rows * array.columns;
      all.resize(all.size() + floats);
      memory->GetArray(static_cast<int>(i), all.data() + all.size() - floats);
    }
    return all;
  };
  EXPECT_GE(RefuseEach([&] {
              memory = Memory::Make(spec, shape, Config());
              return memory != nullptr;
            }),
            2);
  RefuseEach([&] { return memory->Reserve(kTokens); });
  for (size_t i = 0; i < spec.inputs.size(); ++i) {
    const int floats = RowsOf(spec.inputs[i].extent, shape).floats();
    std::fill_n(memory->input(static_cast<int>(i)), kTokens * floats,
                spec.inputs[i].role == Role::kGate ? -0.01f : 0.1f);
  }
  const std::vector<float> before = contents();
  RefuseEach([&] {
    const bool done = memory->Forward(kTokens);
    if (!done) {
      EXPECT_EQ(memory->position(), 0);
      EXPECT_EQ(memory->pages(), 0);
      EXPECT_TRUE(Same(contents(), before));
    }
    return done;
  });
  EXPECT_EQ(memory->position(), kTokens);
  EXPECT_GE(RefuseEach([&] { return memory->Clone() != nullptr; }), 2);
}

INSTANTIATE_TEST_SUITE_P(Rules, NoMemoryForRule,
                         testing::Range(0, static_cast<int>(Rules().size())),
                         [](const auto& info) {
                           return std::string(Rules()[info.param].name);
                         });

}  // namespace
}  // namespace fastweights
