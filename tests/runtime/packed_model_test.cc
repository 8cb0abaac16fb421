// SPDX-License-Identifier: MIT

// Weights as they lie in memory, written where another builder of the same file
// wants them: every architecture, every form.

#include <algorithm>
#include <string>
#include <tuple>

#include "kernel_test.h"
#include "runtime/golden_model.h"

namespace fastweights {
namespace {

using Case = std::tuple<const char*, MatrixForm>;

class PackedModel : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    for (ModelBuilder* builder : {&first_, &later_}) {
      AddHeader(file_, *builder);
      ASSERT_FALSE(builder->Plan());
      ASSERT_FALSE(builder->Reserve());
    }
    AppendAll(file_, 1 << 20, first_);
    ASSERT_FALSE(first_.MakePacked());
    ASSERT_FALSE(later_.MakePacked());
  }

  static std::vector<float> Logits(ModelBuilder& builder) {
    const std::shared_ptr<Model> model = builder.Finish().value();
    const auto session = Session::Make(model);
    const std::vector<int> ids = {1, 5, 2, 7, 7, 3, 0, 4, 6};
    const float* logits =
        session->Evaluate(ids.data(), static_cast<int>(ids.size()));
    return {logits, logits + ids.size() * model->vocab()};
  }

  const GgufFile file_{
      ReadGolden(GoldenModelFile(std::get<const char*>(GetParam())))};
  const ModelOptions options_ = {.weights = std::get<MatrixForm>(GetParam())};
  ModelBuilder first_{options_}, later_{options_};
};

TEST_P(PackedModel, WritesTheSameLogits) {
  const PackedParts from = first_.packed(), to = later_.packed();
  ASSERT_EQ(from.size(), to.size());
  uint64_t bytes = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    ASSERT_EQ(from[i].size(), to[i].size());
    std::copy(from[i].begin(), from[i].end(), to[i].begin());
    bytes += to[i].size();
  }
  // Nothing else is there to be filled.
  EXPECT_EQ(bytes, later_.weights_bytes());
  later_.FinishPacked();
  EXPECT_TRUE(Same(Logits(later_), Logits(first_)));
}

// What damaged bytes are followed by: the file's.
TEST_P(PackedModel, RowsGoOnAfterBytesThatWereNotFinished) {
  for (const std::span<uint8_t> part : later_.packed()) {
    std::fill(part.begin(), part.end(), uint8_t{0xff});
  }
  AppendAll(file_, 1 << 20, later_);
  EXPECT_TRUE(Same(Logits(later_), Logits(first_)));
}

INSTANTIATE_TEST_SUITE_P(
    All, PackedModel,
    testing::Combine(testing::ValuesIn(kGoldenModels),
                     testing::Values(MatrixForm::kStored, MatrixForm::kQ4_0,
                                     MatrixForm::kQc8)),
    [](const testing::TestParamInfo<Case>& info) {
      return std::string(std::get<const char*>(info.param)) + "_" +
             std::to_string(static_cast<int>(std::get<1>(info.param)));
    });

}  // namespace
}  // namespace fastweights
