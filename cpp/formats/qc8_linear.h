// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

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
  void Gather(int row, float* out) const override;
  int input_group() const override { return kByToken; }
  ProductParts Parts(const MatrixProduct& product,
                     ProductInput& x) const override;
  bool AddPacked(PackedParts* parts) override;
  void FinishPacked() override { filled_ = rows(); }

 protected:
  bool Take(int rows, const uint8_t* bytes, Threads& threads) override;

 private:
  uint8_t* Tile(int row) const;

  const Format& stored_;
  int filled_ = 0;  // rows taken so far
  Buffer<uint8_t> tiles_;
  // A tile that is being filled, of each thread; the first thread's stays from
  // call to call where rows end within a tile.
  struct Filling {
    Buffer<float> values;  // [columns], of its last row
    Buffer<int8_t> codes;  // [tile rows, columns]
    Buffer<float> scales;  // [tile rows]
  };
  bool Reserve(int threads);
  // Takes rows of the file from `row` on, `count` of them in one tile.
  void PutRows(int row, int count, const uint8_t* bytes, Filling& filling);
  std::vector<Filling> filling_;
};

}  // namespace fastweights
