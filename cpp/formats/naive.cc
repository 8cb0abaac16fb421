// SPDX-License-Identifier: MIT
#include "formats/naive.h"

#include <cmath>
#include <cstring>

#include "base/check.h"

namespace fastweights {
namespace {

double Half(const uint8_t* b) {
  const int code = b[0] | b[1] << 8;
  const int exponent = code >> 10 & 31, fraction = code & 1023;
  const double sign = code & 0x8000 ? -1.0 : 1.0;
  if (exponent == 31) return fraction ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

double Single(const uint8_t* b) {
  float value;
  std::memcpy(&value, b, sizeof(value));
  return value;
}

double Upper(const uint8_t* b) {
  const uint8_t widened[4] = {0, 0, b[0], b[1]};
  return Single(widened);
}

int Nibble(const uint8_t* qs, int j) {  // of a block of 32
  return j < 16 ? qs[j] & 15 : qs[j - 16] >> 4;
}

int Bit(const uint8_t* bits, int j) { return bits[j / 8] >> j % 8 & 1; }

void KScale(const uint8_t* s, int j, int* scale, int* minimum) {
  if (j < 4) {
    *scale = s[j] & 63;
    *minimum = s[j + 4] & 63;
  } else {
    *scale = (s[j + 4] & 15) + 16 * (s[j - 4] >> 6);
    *minimum = (s[j + 4] >> 4) + 16 * (s[j] >> 6);
  }
}

int Q3Scale(const uint8_t* s, int group) {
  const int low = group < 8 ? s[group] & 15 : s[group - 8] >> 4;
  return low + 16 * (s[8 + group % 4] >> 2 * (group / 4) & 3) - 32;
}

// Weight j of the block at b.
double Weight(int type, const uint8_t* b, int j) {
  static const int kIq4[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                               1,    13,   25,  38,  53,  69,  89,  113};
  // Twice the values of E2M1.
  static const int kFp4[16] = {0, 1,  2,  3,  4,  6,  8,  12,
                               0, -1, -2, -3, -4, -6, -8, -12};
  const int c = j / 64, group = j / 32, l = j % 32;
  int scale = 0, minimum = 0;
  switch (type) {
    case 0:
      return Single(b);
    case 1:
      return Half(b);
    case 30:
      return Upper(b);
    case 8:
      return Half(b) * static_cast<int8_t>(b[2 + j]);
    case 2:
      return Half(b) * (Nibble(b + 2, j) - 8);
    case 3:
      return Half(b) * Nibble(b + 4, j) + Half(b + 2);
    case 6:
      return Half(b) * (Nibble(b + 6, j) + 16 * Bit(b + 2, j) - 16);
    case 7:
      return Half(b) * (Nibble(b + 8, j) + 16 * Bit(b + 4, j)) + Half(b + 2);
    case 20:
      return Half(b) * kIq4[Nibble(b + 2, j)];
    case 39:
      return std::ldexp(1.0, b[0] - 128) * kFp4[Nibble(b + 1, j)];
    case 10: {
      const int q = b[16 + 32 * (j / 128) + l] >> 2 * (group % 4) & 3;
      scale = b[j / 16] & 15;
      minimum = b[j / 16] >> 4;
      return Half(b + 80) * scale * q - Half(b + 82) * minimum;
    }
    case 11: {
      const int q = (b[32 + 32 * (j / 128) + l] >> 2 * (group % 4) & 3) +
                    4 * (b[l] >> group & 1);
      return Half(b + 108) * Q3Scale(b + 96, j / 16) * (q - 4);
    }
    case 23: {
      const int upper = (b[2] + 256 * b[3]) >> 2 * group & 3;
      scale = (b[4 + group / 2] >> 4 * (group % 2) & 15) + 16 * upper - 32;
      return Half(b) * scale * kIq4[Nibble(b + 8 + 16 * group, l)];
    }
    case 12: {
      KScale(b + 4, group, &scale, &minimum);
      const int byte = b[16 + 32 * c + l];
      const int q = group % 2 ? byte >> 4 : byte & 15;
      return Half(b) * scale * q - Half(b + 2) * minimum;
    }
    case 13: {
      KScale(b + 4, group, &scale, &minimum);
      const int byte = b[48 + 32 * c + l];
      const int q =
          (group % 2 ? byte >> 4 : byte & 15) + 16 * (b[16 + l] >> group & 1);
      return Half(b) * scale * q - Half(b + 2) * minimum;
    }
    case 14: {
      const int n = j / 128, quarter = j / 32 % 4;
      const int low = b[64 * n + 32 * (quarter % 2) + l];
      const int q = (quarter < 2 ? low & 15 : low >> 4) +
                    16 * (b[128 + 32 * n + l] >> 2 * quarter & 3);
      const int8_t s =
          static_cast<int8_t>(b[192 + 8 * n + 2 * quarter + l / 16]);
      return Half(b + 208) * s * (q - 32);
    }
  }
  CHECK(false);
  return 0;
}

struct Size {
  int block, bytes;
};

Size BlockSize(int type) {
  switch (type) {
    case 0:
      return {1, 4};
    case 1:
    case 30:
      return {1, 2};
    case 2:
    case 20:
      return {32, 18};
    case 3:
      return {32, 20};
    case 6:
      return {32, 22};
    case 7:
      return {32, 24};
    case 8:
      return {32, 34};
    case 10:
      return {256, 84};
    case 11:
      return {256, 110};
    case 23:
      return {256, 136};
    case 39:
      return {32, 17};
    case 12:
      return {256, 144};
    case 13:
      return {256, 176};
    case 14:
      return {256, 210};
  }
  CHECK(false);
  return {};
}

}  // namespace

std::vector<double> DequantiseNaive(int type, const uint8_t* bytes, int count) {
  const Size size = BlockSize(type);
  std::vector<double> out(count);
  for (int i = 0; i < count; ++i) {
    out[i] = Weight(type, bytes + i / size.block * size.bytes, i % size.block);
  }
  return out;
}

}  // namespace fastweights
