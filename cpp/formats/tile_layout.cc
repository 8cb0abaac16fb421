// SPDX-License-Identifier: MIT
#include "formats/tile_layout.h"

#include <cstring>

#include "formats/half.h"
#include "formats/tile_kinds.h"
#include "formats/xnnpack.h"

namespace fastweights {

const TileConstants kTileConstants = {.low_nibble = 0x0f,
                                      .five_bits = {0x1f, 0x07, 0x18},
                                      .six_bits = 0x3f,
                                      .three_bits = {0x07, -0x78},
                                      .parts = {0x03, 0x0c, 0x30},
                                      .start = kSumStart,
                                      .float_of_start = 0x1.8p23f,
                                      .half_mask = kHalfMask,
                                      .half_scale = kHalfScale};

namespace {

// Four rows of 32 columns as eight quads. Loops over their bytes are what the
// compiler vectorises.
using Quads = uint8_t[8][16];

// From a code to what is stored for it.
void StoreCodes(const TileLayout& layout, int zero_point, Quads& quads) {
  for (auto& quad : quads) {
    for (uint8_t& code : quad) {
      if (!HasLevels(layout)) {
        code = static_cast<uint8_t>(code + zero_point);
        continue;
      }
      // Codes come from the table, so one fits.
      uint8_t level = 0;
      while (level < 15 && layout.levels[level] != static_cast<int8_t>(code)) {
        ++level;
      }
      code = level;
    }
  }
}

void PackPairs(const Quads& quads, uint8_t* half) {
  for (int step = 0; step < 2; ++step) {
    const auto* q = quads + 4 * step;
    for (int i = 0; i < 16; ++i) {
      half[16 * step + i] =
          static_cast<uint8_t>((q[0][i] & 3) | (q[1][i] & 3) << 2 |
                               (q[2][i] & 3) << 4 | (q[3][i] & 3) << 6);
    }
  }
}

void PackNibbles(const Quads& quads, uint8_t* half) {
  for (int j = 0; j < 8; j += 2) {
    for (int i = 0; i < 16; ++i) {
      half[8 * j + i] = static_cast<uint8_t>((quads[j][i] & 15) |
                                             (quads[j + 1][i] & 15) << 4);
    }
  }
}

// Six quads as nibbles, a bit of the other two above each: taking eight apart
// takes 20 steps, where two bits of each and their third ones took 38.
void PackThreeBits(const Quads& quads, uint8_t* half) {
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 16; ++i) {
      half[16 * j + i] = static_cast<uint8_t>(
          quads[2 * j][i] | (quads[6][i] >> j & 1) << 3 |
          quads[2 * j + 1][i] << 4 | (quads[7][i] >> j & 1) << 7);
    }
  }
}

// Two of four quads with the lower bits of the other two above them, whose
// upper two bits follow: half of the quads need one mask, so one token's
// product is 1.2 to 1.3 times as fast as with nibbles and their fifth bits.
void PackFiveBits(const Quads& quads, uint8_t* half) {
  uint8_t* upper = half + 64;
  std::memset(upper, 0, 16);
  for (int step = 0; step < 2; ++step, half += 32) {
    const auto* q = quads + 4 * step;
    for (int i = 0; i < 16; ++i) {
      half[i] = static_cast<uint8_t>(q[0][i] | (q[2][i] & 7) << 5);
      half[16 + i] = static_cast<uint8_t>(q[1][i] | (q[3][i] & 7) << 5);
      const int two = q[2][i] >> 3 | q[3][i] >> 3 << 2;
      upper[i] |= static_cast<uint8_t>(two << 4 * step);
    }
  }
}

void PackSixBits(const Quads& quads, uint8_t* half) {
  for (int step = 0; step < 2; ++step, half += 48) {
    const auto* q = quads + 4 * step;
    for (int i = 0; i < 16; ++i) {
      const int last = q[3][i];
      half[i] = static_cast<uint8_t>(q[0][i] | (last & 3) << 6);
      half[16 + i] = static_cast<uint8_t>(q[1][i] | (last & 12) << 4);
      half[32 + i] = static_cast<uint8_t>(q[2][i] | (last & 48) << 2);
    }
  }
}

void PackHalf(int bits, const Quads& quads, uint8_t* half) {
  switch (bits) {
    case 2:
      return PackPairs(quads, half);
    case 3:
      return PackThreeBits(quads, half);
    case 4:
      return PackNibbles(quads, half);
    case 5:
      return PackFiveBits(quads, half);
    case 6:
      return PackSixBits(quads, half);
    default:
      std::memcpy(half, quads, sizeof(quads));
  }
}

// The stored code of one row and column.
int GetCode(int bits, const uint8_t* half, int row, int column) {
  const int quad = column / 4;
  const int byte = kWideProducts ? column % 4 / 2 * 8 + row % 4 * 2 + column % 2
                                 : row % 4 * 4 + column % 4;
  const auto four = [&] {
    return half[16 * (quad / 2) + byte] >> quad % 2 * 4 & 15;
  };
  switch (bits) {
    case 2:
      return half[16 * (quad / 4) + byte] >> quad % 4 * 2 & 3;
    case 3: {
      if (quad < 6) return four() & 7;
      const auto bit = [&](int j) {
        return (half[16 * j + byte] >> (4 * quad - 21) & 1) << j;
      };
      return bit(0) | bit(1) | bit(2);
    }
    case 4:
      return four();
    case 5: {
      const int v = half[quad / 4 * 32 + quad % 2 * 16 + byte];
      if (quad % 4 < 2) return v & 31;
      const int upper = half[64 + byte] >> quad / 4 * 4;
      return v >> 5 | (upper >> quad % 2 * 2 & 3) << 3;
    }
    case 6: {
      const uint8_t* v = half + quad / 4 * 48 + byte;
      if (quad % 4 < 3) return v[quad % 4 * 16] & 63;
      return v[0] >> 6 | (v[16] >> 6) << 2 | (v[32] >> 6) << 4;
    }
    default:
      return half[16 * quad + byte];
  }
}

void PutHalf(uint8_t* to, int index, uint16_t half) {
  std::memcpy(to + 2 * index, &half, sizeof(half));
}

// Where in a head the offset of a row's group is.
int HeadOffset(const TileLayout& layout, int row, int group) {
  return TileHeadOffsets(layout) + 2 * (kTileRows * (group / 2) + row) +
         group % 2;
}

float ScaleToFloat(const TileLayout& layout, uint16_t scale) {
  return layout.scales == TileScales::kBfloats
             ? FloatFromBits(static_cast<uint32_t>(scale) << 16)
             : HalfToFloat(scale);
}

}  // namespace

int WeightZeroPoint(const TileLayout& layout) {
#ifdef __wasm_relaxed_simd__
  if (!HasSevenBits(layout)) return SignedWeightZeroPoint();
#endif
  return layout.zero_point;
}

std::string PackedLayout() {
  constexpr const char* kVersion = "5";
#ifdef __wasm_relaxed_simd__
  const std::string dot =
      "relaxed" + std::to_string(static_cast<int>(RelaxedDotOperand()));
#else
  const std::string dot = "simd128";
#endif
  return std::string(kVersion) + "-" + dot + "-" +
         std::to_string(Int8TileRows()) + "-" + std::to_string(kGemmRows);
}

CodeLevels LevelWeights(const TileLayout& layout) {
  const int zero_point = WeightZeroPoint(layout);
  CodeLevels weights = layout.levels;
  for (int8_t& weight : weights) {
    weight = static_cast<int8_t>(weight + zero_point);
  }
  return weights;
}

void PackBlock(const TileLayout& layout, const BlockParts* rows,
               uint8_t* tile) {
  const int half_bytes = TileHalfBytes(layout.bits);
  const int parts = TileParts(layout);
  const bool integers = HasIntegerScales(layout);
  const int zero_point = WeightZeroPoint(layout);
  for (int r = 0; r < kTileRows && integers; ++r) {
    PutHalf(tile, r, rows[r].scale);
    if (!layout.offsets) continue;
    PutHalf(tile, kTileRows + r, rows[r].offset);
    for (int group = 0; group < layout.block / layout.group; ++group) {
      tile[HeadOffset(layout, r, group)] =
          static_cast<uint8_t>(rows[r].offsets[group]);
    }
  }
  tile += TileHeadBytes(layout);
  for (int g = 0; g < layout.block / kTileColumns;
       ++g, tile += TileRecordBytes(layout)) {
    for (int h = 0; h < kTileRows / 4; ++h) {
      Quads quads;
      for (int j = 0; j < 8; ++j) {
        for (int r = 0; r < 4; ++r) {
          const int8_t* codes = rows[4 * h + r].codes + 32 * g + 4 * j;
          if (kWideProducts) {
            std::memcpy(quads[j] + 2 * r, codes, 2);
            std::memcpy(quads[j] + 8 + 2 * r, codes + 2, 2);
          } else {
            std::memcpy(quads[j] + 4 * r, codes, 4);
          }
        }
      }
      StoreCodes(layout, zero_point, quads);
      PackHalf(layout.bits, quads, tile + h * half_bytes);
    }
    uint8_t* scales = tile + 2 * half_bytes;
    uint8_t* offsets = scales + kTileRows * parts * TileScaleBytes(layout);
    for (int p = 0; p < parts; ++p) {
      for (int r = 0; r < kTileRows; ++r) {
        const BlockParts& row = rows[r];
        const int at = kTileRows * p + r, group = parts * g + p;
        if (integers) {
          scales[at] = static_cast<uint8_t>(row.scales[group]);
        } else {
          PutHalf(scales, at, row.scale);
          if (layout.offsets) PutHalf(offsets, at, row.offset);
        }
      }
    }
  }
}

void UnpackRow(const TileLayout& layout, const uint8_t* tile, int row,
               BlockParts* parts) {
  const int half_bytes = TileHalfBytes(layout.bits);
  const int per_record = TileParts(layout);
  const bool integers = HasIntegerScales(layout);
  const int zero_point = WeightZeroPoint(layout);
  if (integers) {
    parts->scale = LoadU16(tile + 2 * row);
    if (layout.offsets) parts->offset = LoadU16(tile + 2 * (kTileRows + row));
    for (int group = 0; group < layout.block / layout.group && layout.offsets;
         ++group) {
      parts->offsets[group] =
          static_cast<int8_t>(tile[HeadOffset(layout, row, group)]);
    }
  }
  tile += TileHeadBytes(layout);
  for (int g = 0; g < layout.block / kTileColumns;
       ++g, tile += TileRecordBytes(layout)) {
    const uint8_t* half = tile + row / 4 * half_bytes;
    const uint8_t* scales = tile + 2 * half_bytes;
    const uint8_t* offsets =
        scales + kTileRows * per_record * TileScaleBytes(layout);
    for (int c = 0; c < kTileColumns; ++c) {
      const int code = GetCode(layout.bits, half, row, c);
      parts->codes[32 * g + c] = static_cast<int8_t>(
          HasLevels(layout) ? layout.levels[code] : code - zero_point);
    }
    for (int p = 0; p < per_record; ++p) {
      const int at = kTileRows * p + row, group = per_record * g + p;
      if (integers) {
        parts->scales[group] = static_cast<int8_t>(scales[at]);
      } else {
        parts->scale = LoadU16(scales + 2 * at);
        if (layout.offsets) parts->offset = LoadU16(offsets + 2 * at);
      }
    }
  }
}

void Dequantise(const TileLayout& layout, const BlockParts& parts, float* out) {
  const bool integers = HasIntegerScales(layout);
  const float scale = ScaleToFloat(layout, parts.scale);
  const float offset =
      layout.offsets ? ScaleToFloat(layout, parts.offset) : 0.0f;
  for (int c = 0; c < layout.block; ++c) {
    const int group = c / layout.group;
    const int s = integers ? parts.scales[group] : 1;
    const int o = integers && layout.offsets ? parts.offsets[group] : 1;
    out[c] = scale * static_cast<float>(s * parts.codes[c]) +
             offset * static_cast<float>(o);
  }
}

}  // namespace fastweights
