// SPDX-License-Identifier: MIT
#include "runtime/model_builder.h"

#include <functional>

#include "kernel_test.h"
#include "runtime/golden_model.h"

namespace fastweights {
namespace {

class ModelBuilderTest : public testing::Test {
 protected:
  // The error of planning the golden model's header after `change`, which sees
  // one tensor at a time and returns whether to keep it.
  std::optional<Error> Plan(std::function<bool(TensorShape&)> change) {
    for (const GgufFile::Tensor& tensor : file_.tensors()) {
      TensorShape shape = tensor.shape;
      if (change(shape)) builder_.AddTensor(shape);
    }
    builder_.config() = file_.config();
    return builder_.Plan();
  }

  GgufFile file_{ReadGolden("models/qwen3_5/model-f32.gguf")};
  ModelBuilder builder_;
};

TEST_F(ModelBuilderTest, FiguresAreThoseOfTheFile) {
  ASSERT_FALSE(Plan([](TensorShape&) { return true; }));
  size_t file_bytes = 0;
  for (const GgufFile::Tensor& tensor : file_.tensors()) {
    file_bytes += sizeof(float) * tensor.shape.columns * tensor.shape.rows;
  }
  // The tied embedding is held once; tiles have biases and padding.
  EXPECT_GE(builder_.weights_bytes(), file_bytes);
  EXPECT_LE(builder_.weights_bytes(), 1.03 * file_bytes);
  // Two heads of 32 + 32 floats in the one softmax layer.
  EXPECT_EQ(builder_.kv_page_bytes(), 64 * 2 * 64 * sizeof(float));
  EXPECT_EQ(builder_.model().vocab(), 512);
  EXPECT_EQ(builder_.model().context_length(), 1024);
  EXPECT_GT(builder_.state_bytes(), 3 * 4 * 16 * 16 * sizeof(float));
  EXPECT_GT(builder_.scratch_bytes(), 0u);
}

TEST_F(ModelBuilderTest, TensorsThatNoLayerReadsAreNotWanted) {
  builder_.AddTensor({"v.patch_embd.weight", 0, 16, 16});
  // Of a type that nothing implements: it is not looked at.
  builder_.AddTensor({"rope_freqs.weight", 17, 256, 1});
  ASSERT_FALSE(Plan([](TensorShape&) { return true; }));
  EXPECT_FALSE(builder_.Wants(0));
  EXPECT_FALSE(builder_.Wants(1));
  EXPECT_TRUE(builder_.Wants(2));
}

TEST_F(ModelBuilderTest, EveryMissingTensorIsNamed) {
  for (const GgufFile::Tensor& tensor : file_.tensors()) {
    const std::string& missing = tensor.shape.name;
    builder_ = ModelBuilder();
    const auto error =
        Plan([&](TensorShape& shape) { return shape.name != missing; });
    ASSERT_TRUE(error) << missing;
    // Without ssm_a a layer counts as softmax attention.
    if (missing.ends_with("ssm_a")) continue;
    EXPECT_EQ(error->code, "missing_tensor") << missing;
    EXPECT_EQ(error->subject, missing);
  }
}

TEST_F(ModelBuilderTest, EveryWrongShapeIsNamed) {
  for (const GgufFile::Tensor& tensor : file_.tensors()) {
    const std::string& wrong = tensor.shape.name;
    // Its rows are the vocabulary: any number is right.
    if (wrong == "token_embd.weight") continue;
    for (const bool columns : {true, false}) {
      builder_ = ModelBuilder();
      const auto error = Plan([&](TensorShape& shape) {
        if (shape.name == wrong) (columns ? shape.columns : shape.rows) += 1;
        return true;
      });
      ASSERT_TRUE(error) << wrong;
      EXPECT_EQ(error->code, "shape_mismatch") << wrong;
      EXPECT_EQ(error->subject, wrong);
    }
  }
}

TEST_F(ModelBuilderTest, AVocabularyOfNoTokensIsNoModel) {
  const auto error = Plan([](TensorShape& shape) {
    if (shape.name == "token_embd.weight") shape.rows = 0;
    return true;
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, "shape_mismatch");
  EXPECT_EQ(error->subject, "token_embd.weight");
}

// Sixteen rows of so many logits are 4 GB, of which 32 bits leave nothing.
TEST_F(ModelBuilderTest, AVocabularyThatNoModelHasIsRefused) {
  const auto error = Plan([](TensorShape& shape) {
    if (shape.name == "token_embd.weight") shape.rows = 1 << 26;
    return true;
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, "shape_mismatch");
  EXPECT_EQ(error->subject, "token_embd.weight");
}

TEST_F(ModelBuilderTest, UnsupportedTypeIsNamed) {
  const auto error = Plan([](TensorShape& shape) {
    if (shape.name == "blk.2.ffn_up.weight") shape.type = 17;
    return true;
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, "unsupported_type");
  EXPECT_EQ(error->subject, "blk.2.ffn_up.weight");
}

TEST_F(ModelBuilderTest, WhatTheMemoryCannotHoldIsRefusedBeforeItsWeights) {
  // More than 32 bits count: an embedding and a head of 4.6 GB each.
  builder_ = ModelBuilder({.memory_bytes = uint64_t{4} << 30});
  const auto error = Plan([](TensorShape& shape) {
    if (shape.name == "token_embd.weight") shape.rows = 18 << 20;
    return true;
  });
  ASSERT_FALSE(error) << error->message;
  EXPECT_GT(builder_.weights_bytes(), uint64_t{18 << 20} * 64 * sizeof(float));
  const auto refused = builder_.Reserve();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, "out_of_memory");
  EXPECT_NE(refused->message.find("more than the 4294 MB"), std::string::npos)
      << refused->message;
}

TEST_F(ModelBuilderTest, UnfinishedTensorIsNamed) {
  ASSERT_FALSE(Plan([](TensorShape&) { return true; }));
  ASSERT_FALSE(builder_.Reserve());
  AppendAll(file_, 1 << 20, builder_);
  EXPECT_TRUE(builder_.Finish().ok());

  ModelBuilder unfinished;
  AddHeader(file_, unfinished);
  ASSERT_FALSE(unfinished.Plan());
  ASSERT_FALSE(unfinished.Reserve());
  ASSERT_FALSE(unfinished.Append(0, 511));
  Result<std::shared_ptr<Model>> result = unfinished.Finish();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "truncated");
  EXPECT_EQ(result.error().subject, "token_embd.weight");
}

}  // namespace
}  // namespace fastweights
