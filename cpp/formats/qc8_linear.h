// SPDX-License-Identifier: MIT
#pragma once

#include "formats/format.h"

namespace fastweights {

// A matrix of any format, requantised as it arrives: int8 with one scale a row
// ("channel"), max |w| / 127. XNNPACK multiplies it with inputs in int8, one
// scale a token.
class Qc8Linear final : public Linear {
 public:
  Qc8Linear(const Format& stored, int rows, int columns)
      : Linear(rows, columns), stored_(stored) {}

  uint64_t bytes() const override;
  bool Append(int rows, const uint8_t* bytes) override;
  void Gather(int row, float* out) const override;

 protected:
  void Product(int rows, ProductInput& x, float* out, int out_stride) override;

 private:
  uint8_t* Tile(int row) const;

  const Format& stored_;
  int filled_ = 0;  // rows taken so far
  Buffer<uint8_t> tiles_;
  // The tile being filled.
  Buffer<float> values_;  // [columns], of its last row
  Buffer<int8_t> codes_;  // [tile rows, columns]
  Buffer<float> scales_;  // [tile rows]
};

}  // namespace fastweights
