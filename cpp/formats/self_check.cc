// SPDX-License-Identifier: MIT
#include "formats/self_check.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <span>

#include "formats/format.h"
#include "formats/qc8_linear.h"
#include "formats/tile_layout.h"
#include "formats/tile_scratch.h"

namespace fastweights {
namespace {

// Rows and tokens that every loop meets: tiles of eight rows, two or six at
// once and one by itself, which lacks one row alone, as what is made of more
// would not be seen; one token, two, three and four; two more than a block of
// four; and one more than blocks of four, five and six, which are XNNPACK's.
constexpr int kRows = 55;
constexpr int kTokenCounts[] = {1, 2, 3, 4, 6, 61};
// Those that may be read from many places: all but the last.
constexpr std::span kFewTokenCounts(kTokenCounts, std::size(kTokenCounts) - 1);
constexpr int kMostTokens = 61;
static_assert(kMostTokens > kMostFewTokens);

// Rows and tokens repeat, so that few sums need be known. No block has these
// sizes: what mistakes one row or token for another shows.
constexpr int kRowPeriod = 7, kTokenPeriod = 5;

constexpr int kMostColumns = 256;
static_assert(kMostColumns % kMostInputGroup == 0);

uint32_t Scattered(int i) {
  return static_cast<uint32_t>(i) * 2654435761u >> 20;
}

// Nonzero whole numbers that 7 bits and a sign hold.
float Whole(int i) {
  const int number = static_cast<int>(Scattered(i) % 252) - 126;
  return static_cast<float>(number < 0 ? number : number + 1);
}

float PowerOfTwo(int i) { return static_cast<float>(1 << i % 3); }

// Inputs [kMostTokens, columns] that are whole numbers times a power of two for
// each `group` columns, from -127 to `most` so that int8 holds them: scales
// come out as those powers.
Buffer<float> MakeInputs(int columns, int group, float most) {
  Buffer<float> x = MakeBuffer<float>(kMostTokens * columns);
  for (int i = 0; x && i < kMostTokens * columns; ++i) {
    const int token = i / columns % kTokenPeriod, c = i % columns;
    const float code = c % group == 0   ? most
                       : c % group == 1 ? -127.0f
                                        : Whole(token * columns + c);
    x[i] = code * PowerOfTwo(token + c / group);
  }
  return x;
}

// Whether `multiply` (input, out [tokens, kRows]) gives the products of x with
// weights [kRowPeriod, columns], to the bit: no step of them rounds.
template <typename Multiply>
bool IsExact(int columns, const float* weights, const float* x,
             size_t thread_scratch, const Multiply& multiply) {
  Buffer<float> out = MakeBuffer<float>(kMostTokens * kRows);
  Workspace workspace;
  if (!out || !x ||
      !workspace.Reserve(ProductInput::ScratchBytes(kMostTokens, columns),
                         thread_scratch)) {
    return false;
  }
  float sums[kTokenPeriod][kRowPeriod] = {};
  for (int t = 0; t < kTokenPeriod; ++t) {
    for (int r = 0; r < kRowPeriod; ++r) {
      for (int c = 0; c < columns; ++c) {
        sums[t][r] += weights[r * columns + c] * x[t * columns + c];
      }
    }
  }
  const auto is_exact = [&](int tokens) {
    const ArenaScope scope(workspace.arena());
    ProductInput input(tokens, columns, x, workspace);
    multiply(input, out.get());
    for (int i = 0; i < tokens * kRows; ++i) {
      if (out[i] != sums[i / kRows % kTokenPeriod][i % kRows % kRowPeriod]) {
        return false;
      }
    }
    return true;
  };
  if (!std::ranges::all_of(kTokenCounts, is_exact)) return false;
  workspace.set_reading(Reading::kManyPlaces);
  return std::ranges::all_of(kFewTokenCounts, is_exact);
}

// Block-quantised weights, of all the codes that a layout has.
bool TilesAreExact(const TileFormat& format) {
  const TileLayout& layout = format.layout;
  // One large block; or as many groups as loops unrolled by two and by four
  // leave some of.
  const int columns = std::max(7 * kTileColumns, layout.block);
  const int blocks = columns / layout.block;
  const auto code = [&](int i) {
    const uint32_t stored = Scattered(i) & ((1 << layout.bits) - 1);
    return static_cast<int8_t>(
        HasLevels(layout) ? layout.levels[stored]
                          : static_cast<int>(stored) -
                                (layout.bits == 8 ? 128 : layout.zero_point));
  };
  const auto scale = [&](int i) {  // PowerOfTwo(i)
    return static_cast<uint16_t>(layout.scales == TileScales::kBfloats
                                     ? (127 + i % 3) << 7
                                     : (15 + i % 3) << 10);
  };
  const int tiles = (kRows + kTileRows - 1) / kTileRows;
  const size_t block_bytes = TileBlockBytes(layout);
  Buffer<uint8_t> packed = MakeBuffer<uint8_t>(tiles * blocks * block_bytes);
  Buffer<BlockParts> rows = MakeBuffer<BlockParts>(kTileRows);
  if (!packed || !rows) return false;
  float weights[kRowPeriod * kMostColumns];
  for (int i = 0; i < tiles * blocks; ++i) {
    const int b = i % blocks;
    for (int r = 0; r < kTileRows; ++r) {
      BlockParts& parts = rows[r];
      const int row = (i / blocks * kTileRows + r) % kRowPeriod;
      parts.scale = scale(row + b);
      parts.offset = scale(row + b + 1);
      for (int g = 0; g < 16; ++g) {
        parts.scales[g] = static_cast<int8_t>(Scattered(row + g) % 4);
        parts.offsets[g] = static_cast<int8_t>(Scattered(row + g) % 5 - 2);
      }
      for (int c = 0; c < layout.block; ++c) {
        parts.codes[c] = code(row * columns + b * layout.block + c);
      }
      Dequantise(layout, parts, weights + row * columns + b * layout.block);
    }
    PackBlock(layout, rows.get(), packed.get() + i * block_bytes);
  }
  return IsExact(
      columns, weights, MakeInputs(columns, InputGroup(layout), 127).get(),
      TileScratchBytes(layout, columns), [&](ProductInput& x, float* out) {
        const ProductParts parts =
            format.product(kRows, packed.get(), x, out, kRows);
        RunParts({&parts, 1}, x.workspace());
      });
}

// Weights [kRowPeriod, columns] that are whole numbers times a power of two for
// each row, the largest of them 127.
void MakeWeights(int columns, float* weights) {
  for (int i = 0; i < kRowPeriod * columns; ++i) {
    weights[i] =
        (i % columns == 0 ? 127.0f : Whole(i)) * PowerOfTwo(i / columns);
  }
}

// A weight as a file has it, in 2 or 4 bytes.
void StoreWeight(const Format& format, float weight, uint8_t* bytes) {
  uint32_t bits;
  std::memcpy(&bits, &weight, sizeof(bits));
  if (&format == &kF16Format) {
    bits = (bits & 0x80000000) | ((bits & 0x7fffffff) - (112 << 23)) << 3;
  }
  const size_t size = format.block_bytes;
  std::memcpy(bytes, reinterpret_cast<uint8_t*>(&bits) + sizeof(bits) - size,
              size);
}

// Unquantised weights, and int8 ones with a scale a row.
bool IsExact(const Format& format, Linear& linear, const float* x) {
  const int columns = linear.columns();
  float weights[kRowPeriod * kMostColumns];
  MakeWeights(columns, weights);
  for (int r = 0; r < kRows; ++r) {
    uint8_t row[kMostColumns * sizeof(float)];
    for (int c = 0; c < columns; ++c) {
      StoreWeight(format, weights[r % kRowPeriod * columns + c],
                  row + c * format.block_bytes);
    }
    if (!linear.Append(1, row)) return false;
  }
  return IsExact(columns, weights, x, linear.ThreadScratchBytes(),
                 [&](ProductInput& input, float* out) {
                   linear.Multiply(input, out, kRows);
                 });
}

bool IsExact(const Format& format) {
  if (format.tiles) return TilesAreExact(*format.tiles);
  constexpr int kColumns = 39;  // not a multiple of 4
  return IsExact(format, *format.make_linear(format, kRows, kColumns),
                 MakeInputs(kColumns, kInputGroup, 127).get());
}

bool Qc8IsExact() {
  constexpr int kColumns = 70;  // of 8, an odd number of times; not of 16
  Qc8Linear linear(kF32Format, kRows, kColumns);
  return IsExact(kF32Format, linear, MakeInputs(kColumns, kColumns, 128).get());
}

}  // namespace

bool ProductsAreExact(std::span<const int> types, MatrixForm form) {
  if (form == MatrixForm::kQc8) return Qc8IsExact();
  return std::ranges::all_of(
             FormatsOf(form),
             [](const Format* format) { return IsExact(*format); }) &&
         std::ranges::all_of(types, [](int type) {
           const Format* format = FindFormat(type);
           return format == nullptr || IsExact(*format);
         });
}

}  // namespace fastweights
