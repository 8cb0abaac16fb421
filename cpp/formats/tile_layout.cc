// SPDX-License-Identifier: MIT
#include "formats/tile_layout.h"

#include <cstring>

#include "formats/half.h"

namespace fastweights {
namespace {

// Where a code lies in half a record: its quad and its byte of it.
struct Place {
  int quad;  // 0 to 7
  int byte;  // 0 to 15
};

Place PlaceOf(int row, int column) {
  return {column / 4, row % 4 * 4 + column % 4};
}

// From a code, as a byte, to what is stored for it.
int StoredCode(const TileLayout& layout, int8_t code) {
  if (layout.levels == nullptr) return code + layout.zero_point;
  // Codes come from the table, so one fits.
  int level = 0;
  while (level < 15 && layout.levels[level] != code) ++level;
  return level;
}

// `half` starts as zeros.
void PutCode(int bits, uint8_t* half, Place at, int code) {
  if (bits == 8) {
    half[16 * at.quad + at.byte] = static_cast<uint8_t>(code);
    return;
  }
  half[16 * (at.quad % 4) + at.byte] |=
      static_cast<uint8_t>((code & 15) << at.quad / 4 * 4);
  const int upper = code >> 4;
  if (bits == 5) {
    half[64 + at.byte] |= static_cast<uint8_t>(upper << at.quad);
  } else if (bits == 6) {
    half[64 + at.quad / 4 * 16 + at.byte] |=
        static_cast<uint8_t>(upper << at.quad % 4 * 2);
  }
}

int GetCode(int bits, const uint8_t* half, Place at) {
  if (bits == 8) return static_cast<int8_t>(half[16 * at.quad + at.byte]);
  int code = half[16 * (at.quad % 4) + at.byte] >> at.quad / 4 * 4 & 15;
  if (bits == 5) {
    code |= (half[64 + at.byte] >> at.quad & 1) << 4;
  } else if (bits == 6) {
    code |= (half[64 + at.quad / 4 * 16 + at.byte] >> at.quad % 4 * 2 & 3) << 4;
  }
  return code;
}

void PutHalf(uint8_t* to, int index, uint16_t half) {
  std::memcpy(to + 2 * index, &half, sizeof(half));
}

}  // namespace

void PackBlock(const TileLayout& layout, const BlockParts* rows,
               uint8_t* tile) {
  const int half_bytes = TileHalfBytes(layout.bits);
  const int parts = kTileColumns / layout.group;
  const bool integers = layout.block == 256;
  uint8_t stored[256];
  for (int byte = 0; byte < 256; ++byte) {
    stored[byte] =
        static_cast<uint8_t>(StoredCode(layout, static_cast<int8_t>(byte)));
  }
  for (int r = 0; r < kTileRows && integers; ++r) {
    PutHalf(tile, r, rows[r].scale);
    if (layout.offsets) PutHalf(tile, kTileRows + r, rows[r].offset);
  }
  tile += TileHeadBytes(layout);
  for (int g = 0; g < layout.block / kTileColumns;
       ++g, tile += TileRecordBytes(layout)) {
    std::memset(tile, 0, 2 * half_bytes);
    uint8_t* scales = tile + 2 * half_bytes;
    uint8_t* offsets = scales + kTileRows * parts * TileScaleBytes(layout);
    for (int r = 0; r < kTileRows; ++r) {
      const BlockParts& row = rows[r];
      uint8_t* half = tile + r / 4 * half_bytes;
      for (int c = 0; c < kTileColumns; ++c) {
        const uint8_t code = static_cast<uint8_t>(row.codes[32 * g + c]);
        PutCode(layout.bits, half, PlaceOf(r, c), stored[code]);
      }
      if (integers) {
        for (int p = 0; p < parts; ++p) {
          scales[kTileRows * p + r] =
              static_cast<uint8_t>(row.scales[parts * g + p]);
        }
        if (layout.offsets) offsets[r] = static_cast<uint8_t>(row.offsets[g]);
      } else {
        PutHalf(scales, r, row.scale);
        if (layout.offsets) PutHalf(offsets, r, row.offset);
      }
    }
  }
}

void UnpackRow(const TileLayout& layout, const uint8_t* tile, int row,
               BlockParts* parts) {
  const int half_bytes = TileHalfBytes(layout.bits);
  const int per_record = kTileColumns / layout.group;
  const bool integers = layout.block == 256;
  if (integers) {
    parts->scale = LoadU16(tile + 2 * row);
    if (layout.offsets) parts->offset = LoadU16(tile + 2 * (kTileRows + row));
  }
  tile += TileHeadBytes(layout);
  for (int g = 0; g < layout.block / kTileColumns;
       ++g, tile += TileRecordBytes(layout)) {
    const uint8_t* half = tile + row / 4 * half_bytes;
    const uint8_t* scales = tile + 2 * half_bytes;
    const uint8_t* offsets =
        scales + kTileRows * per_record * TileScaleBytes(layout);
    for (int c = 0; c < kTileColumns; ++c) {
      const int code = GetCode(layout.bits, half, PlaceOf(row, c));
      parts->codes[32 * g + c] = static_cast<int8_t>(
          layout.levels ? layout.levels[code] : code - layout.zero_point);
    }
    if (integers) {
      for (int p = 0; p < per_record; ++p) {
        parts->scales[per_record * g + p] =
            static_cast<int8_t>(scales[kTileRows * p + row]);
      }
      if (layout.offsets) parts->offsets[g] = static_cast<int8_t>(offsets[row]);
    } else {
      parts->scale = LoadU16(scales + 2 * row);
      if (layout.offsets) parts->offset = LoadU16(offsets + 2 * row);
    }
  }
}

void Dequantise(const TileLayout& layout, const BlockParts& parts, float* out) {
  const bool integers = layout.block == 256;
  const float scale = HalfToFloat(parts.scale);
  const float offset = layout.offsets ? HalfToFloat(parts.offset) : 0.0f;
  for (int c = 0; c < layout.block; ++c) {
    const int s = integers ? parts.scales[c / layout.group] : 1;
    const int o = integers && layout.offsets ? parts.offsets[c / 32] : 1;
    out[c] = scale * static_cast<float>(s * parts.codes[c]) +
             offset * static_cast<float>(o);
  }
}

}  // namespace fastweights
