// SPDX-License-Identifier: MIT

// Whatever a header and the weights behind it say, a model is refused with an
// error or reads and writes tokens: the same ones however its text is cut.

#include "runtime/model.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/result.h"
#include "formats/format.h"
#include "formats/random_weights.h"
#include "fuzz/model_header.h"
#include "random.h"
#include "runtime/model_builder.h"
#include "runtime/session.h"

namespace fastweights {
namespace {

constexpr uint64_t kMostBytes = 32 << 20;
// A change of the width asks for another shape of nearly every tensor.
constexpr int kMostRepairs = 120;

// Weights of a type, drawn once: rows are cut out of them.
const std::vector<uint8_t>& Drawn(const Format& format, int size) {
  static std::map<std::pair<int, int>, std::vector<uint8_t>> drawn;
  std::vector<uint8_t>& kept = drawn[{format.type, size}];
  if (kept.empty()) {
    constexpr double kSizes[] = {0.01, 0.1, 1.0, 1e4, 1e-6};
    Random random(1);
    kept = RandomWeights(format, 1 << 13, random, kSizes[size]);
  }
  return kept;
}

// Drawn weights, in which the input changes single bytes of a tensor's first
// rows.
class AnyWeights {
 public:
  explicit AnyWeights(FuzzedDataProvider& input)
      : size_(input.ConsumeIntegralInRange(0, 4)),
        most_rows_(input.ConsumeIntegralInRange(1, 1 << 16)),
        changes_(input.ConsumeIntegralInRange(0, 6)) {
    for (Change& change : changes_) {
      change = {input.ConsumeIntegral<uint8_t>(),
                input.ConsumeIntegral<uint16_t>(),
                input.ConsumeIntegral<uint8_t>()};
    }
  }

  std::optional<Error> Append(ModelBuilder& builder, int index,
                              const TensorShape& tensor) const {
    const Format& format = *FindFormat(tensor.type);
    const size_t row_bytes = builder.RowBytes(index);
    if (row_bytes == 0 || tensor.rows == 0) return std::nullopt;
    const std::vector<uint8_t>& drawn = Drawn(format, size_);
    const int most =
        std::min<int>(most_rows_, static_cast<int>(kStagingBytes / row_bytes));
    size_t from = index * 11;  // blocks
    for (int row = 0; row < tensor.rows; row += most) {
      const int count = std::min(most, tensor.rows - row);
      const size_t bytes = count * row_bytes;
      for (size_t at = 0; at < bytes; from += 7) {
        const size_t start = from * format.block_bytes % drawn.size();
        const size_t part = std::min(drawn.size() - start, bytes - at);
        std::memcpy(builder.staging() + at, drawn.data() + start, part);
        at += part;
      }
      for (const Change& change : changes_) {
        if (row > 0 || change.tensor != index) continue;
        builder.staging()[change.byte % bytes] = change.value;
      }
      if (auto error = builder.Append(index, count)) return error;
    }
    return std::nullopt;
  }

 private:
  struct Change {
    int tensor;
    size_t byte;
    uint8_t value;
  };
  int size_;
  int most_rows_;
  std::vector<Change> changes_;
};

bool Same(const Session& a, const Session& b) {
  const int vocab = a.model().vocab();
  return std::equal(a.logits(), a.logits() + vocab, b.logits(),
                    [](float x, float y) {
                      return x == y || (std::isnan(x) && std::isnan(y));
                    });
}

void Read(FuzzedDataProvider& input, std::shared_ptr<Model> model) {
  const int vocab = model->vocab();
  // Seldom over the border of a page: a pass of many tokens takes long.
  const int most = input.ConsumeIntegralInRange(0, 15) == 15 ? 70 : 7;
  std::vector<int> ids(
      input.ConsumeIntegralInRange(1, std::min(model->batch_tokens(), most)));
  for (int& id : ids) id = input.ConsumeIntegralInRange(0, vocab - 1);
  const int count = static_cast<int>(ids.size());
  const auto whole = Session::Make(model);
  const auto cut = Session::Make(model);
  if (!whole || !cut) return;
  CHECK(whole->Prefill(ids.data(), count, true));
  for (int at = 0; at < count;) {
    const int part = input.ConsumeIntegralInRange(1, count - at);
    CHECK(cut->Prefill(ids.data() + at, part, at + part == count));
    at += part;
  }
  CHECK(Same(*whole, *cut));
  for (int i = 0; i < 2; ++i) {
    const int token = whole->Next();
    CHECK(token == kNotFinite || (token >= 0 && token < vocab));
    CHECK(cut->Next() == token);
    if (token < 0) return;
  }
}

void CheckError(const Error& error) {
  CHECK(!error.code.empty() && !error.message.empty());
}

void Fuzz(FuzzedDataProvider& input) {
  constexpr MatrixForm kForms[] = {MatrixForm::kStored, MatrixForm::kStored,
                                   MatrixForm::kQ8_0,   MatrixForm::kQ4_0,
                                   MatrixForm::kQ4_K,   MatrixForm::kQc8};
  const ModelOptions options = {
      .batch_tokens = input.ConsumeIntegralInRange(1, 80),
      .weights = input.PickValueInArray(kForms),
      .memory_bytes = kMostBytes};
  ModelHeader header = AnyHeader(input);
  ModelBuilder builder(options);
  std::optional<Error> error;
  for (int i = 0;; ++i) {
    builder = ModelBuilder(options);
    builder.config() = header.config;
    for (const TensorShape& tensor : header.tensors) builder.AddTensor(tensor);
    error = builder.Plan();
    if (!error) break;
    CheckError(*error);
    if (i == kMostRepairs || !Repair(*error, header.tensors)) return;
  }
  if ((error = builder.Reserve())) return CheckError(*error);
  const AnyWeights weights(input);
  for (size_t i = 0; i < header.tensors.size(); ++i) {
    const int index = static_cast<int>(i);
    if (!builder.Wants(index)) continue;
    error = weights.Append(builder, index, header.tensors[i]);
    if (error) return CheckError(*error);
  }
  Result<std::shared_ptr<Model>> model = builder.Finish();
  CHECK(model.ok());
  Read(input, std::move(model.value()));
}

}  // namespace
}  // namespace fastweights

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  FuzzedDataProvider input(bytes, size);
  fastweights::Fuzz(input);
  return 0;
}
