// SPDX-License-Identifier: MIT
#include <cstring>

#include "base/check.h"
#include "formats/format.h"

namespace fastweights {

const Format* FindFormat(int type) {
#define FORMAT(name) \
  if (type == k##name##Format.type) return &k##name##Format;
#include "formats/formats.inc"
#undef FORMAT
  return nullptr;
}

bool RowStore::Reserve() {
  if (!bytes_) bytes_ = MakeBuffer<uint8_t>(bytes());
  return bytes_ != nullptr;
}

bool RowStore::AddPacked(PackedParts* parts) {
  if (!Reserve()) return false;
  parts->emplace_back(bytes_.get(), static_cast<size_t>(bytes()));
  return true;
}

bool RowStore::Take(int rows, const uint8_t* bytes, Threads&) {
  CHECK(rows <= rows_ - filled_);
  if (!Reserve()) return false;
  const size_t row_bytes = format_.RowBytes(columns_);
  std::memcpy(bytes_.get() + row_bytes * static_cast<size_t>(filled_), bytes,
              row_bytes * static_cast<size_t>(rows));
  filled_ += rows;
  return true;
}

void RowStore::Gather(int row, float* out) const {
  DCHECK(row >= 0 && row < filled_);
  format_.dequantise(Row(row), columns_, out);
}

}  // namespace fastweights
