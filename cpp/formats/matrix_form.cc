// SPDX-License-Identifier: MIT
#include "formats/matrix_form.h"

#include <string_view>

#include "base/check.h"

namespace fastweights {
namespace {

// "blk.3.time_mix_w1.weight" and its like: w, a, v and g, 1 and 2; and
// "time_mix_decay_w1".
bool IsLowRank(const std::string& name) {
  constexpr std::string_view kStart = ".time_mix_", kDecay = "decay_",
                             kEnd = ".weight";
  const size_t at = name.find(kStart);
  if (at == std::string::npos) return false;
  std::string_view key = std::string_view(name).substr(at + kStart.size());
  if (key.starts_with(kDecay)) key.remove_prefix(kDecay.size());
  return key.size() == 2 + kEnd.size() && key.substr(2) == kEnd &&
         std::string_view("wavg").find(key[0]) != std::string_view::npos &&
         (key[1] == '1' || key[1] == '2');
}

}  // namespace

std::span<const Format* const> FormatsOf(MatrixForm form) {
  static constexpr const Format* kQ8_0[] = {&kQ8_0Format};
  static constexpr const Format* kQ4_0[] = {&kQ4_0Format};
  static constexpr const Format* kQ4_K[] = {&kQ4KFormat, &kQ5_0Format};
  switch (form) {
    case MatrixForm::kQ8_0:
      return kQ8_0;
    case MatrixForm::kQ4_0:
      return kQ4_0;
    case MatrixForm::kQ4_K:
      return kQ4_K;
    case MatrixForm::kStored:
    case MatrixForm::kQc8:
      break;
  }
  return {};
}

const Format& FormatInMemory(const Format& stored, MatrixForm form,
                             const std::string& name, int columns) {
  if (IsLowRank(name)) return stored;
  for (const Format* format : FormatsOf(form)) {
    if (columns % format->block != 0) continue;
    const bool is_wider = stored.BitsPerWeight() > format->BitsPerWeight();
    return is_wider ? *format : stored;
  }
  return stored;
}

bool RowConverter::Append(int rows, const uint8_t* bytes) {
  CHECK(rows <= rows_left_);
  if (!values_) {
    values_ = MakeBuffer<float>(columns_);
    bytes_ = MakeBuffer<uint8_t>(to_.RowBytes(columns_));
  }
  if (!values_ || !bytes_) return false;
  for (int i = 0; i < rows; ++i, bytes += from_.RowBytes(columns_)) {
    from_.dequantise(bytes, columns_, values_.get());
    to_.quantise(values_.get(), columns_, bytes_.get());
    if (!sink_.Append(1, bytes_.get())) return false;
  }
  rows_left_ -= rows;
  if (rows_left_ == 0) {
    values_.reset();
    bytes_.reset();
  }
  return true;
}

}  // namespace fastweights
