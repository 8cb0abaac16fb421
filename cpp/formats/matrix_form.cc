// SPDX-License-Identifier: MIT
#include "formats/matrix_form.h"

#include <algorithm>
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

bool RowConverter::Take(int rows, const uint8_t* bytes, Threads& threads) {
  CHECK(rows <= rows_left_);
  // Tasks enough for every thread, and whole tiles of whoever takes them.
  constexpr size_t kBytesAtOnce = 1 << 20;
  constexpr int kTile = 8;
  const size_t from_bytes = from_.RowBytes(columns_);
  const size_t to_bytes = to_.RowBytes(columns_);
  const int at_once =
      std::max(static_cast<int>(kBytesAtOnce / to_bytes) / kTile, 1) * kTile;
  if (threads.count() > threads_) {
    threads_ = threads.count();
    values_ = MakeBuffer<float>(static_cast<size_t>(threads_) * columns_);
  }
  if (!bytes_) bytes_ = MakeBuffer<uint8_t>(at_once * to_bytes);
  if (!values_ || !bytes_) return false;
  rows_left_ -= rows;
  while (rows > 0) {
    const int count = std::min(rows, at_once);
    threads.For(count, [&](int row, int thread) {
      float* values = values_.get() + static_cast<size_t>(thread) * columns_;
      from_.dequantise(bytes + row * from_bytes, columns_, values);
      to_.quantise(values, columns_, bytes_.get() + row * to_bytes);
    });
    if (!sink_.Append(count, bytes_.get(), threads)) return false;
    rows -= count;
    bytes += count * from_bytes;
  }
  if (rows_left_ == 0) {
    values_.reset();
    bytes_.reset();
  }
  return true;
}

}  // namespace fastweights
