// SPDX-License-Identifier: MIT
#include "formats/xnnpack.h"

// The table of micro-kernels, not the public interface: an operator holds
// weights of its own, allocates when a batch changes and serves one thread.
#include <xnnpack.h>
#include <xnnpack/config.h>
#include <xnnpack/pack.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/check.h"

namespace fastweights {
namespace {

static_assert(sizeof(TokenScale) == sizeof(xnn_qd8_quantization_params));
static_assert(kInt8ExtraScales >= XNN_EXTRA_QUANTIZATION_PARAMS);
static_assert(kInt8ExtraBytes >= XNN_EXTRA_BYTES);

// A tile is, for its rows, minus the sums of the codes, the codes, the scales
// and biases. Codes are in blocks of `run` consecutive columns a row.
struct Int8Layout {
  explicit Int8Layout(int columns)
      : config(*xnn_init_qd8_f32_qc8w_gemm_config()),
        rows(config.nr),
        run(1 << config.log2_kr),
        shuffle(run << config.log2_sr),
        codes((static_cast<size_t>(columns) + shuffle - 1) / shuffle *
              shuffle) {}

  size_t scales_offset() const { return rows * (sizeof(int32_t) + codes); }
  size_t bytes() const { return scales_offset() + 2 * rows * sizeof(float); }

  const xnn_gemm_config& config;
  int rows;
  int run;
  int shuffle;   // columns within which each row begins at a run of its own
  size_t codes;  // of a row, with padding
};

}  // namespace

void Gemm(int tokens, int rows, int columns, const float* x, int x_stride,
          const float* tiles, float* out, int out_stride) {
  DCHECK(rows > 0 && columns > 0 && x_stride >= columns && out_stride >= rows);
  const xnn_gemm_config* config = xnn_init_f32_gemm_config();
  DCHECK(config->nr == kGemmRows);
  const int most = config->mr;
  for (int t = 0; t < tokens; t += most) {
    const int count = std::min(most, tokens - t);
    config->linear.gemm[count == 1 ? 0 : most - 1].function[XNN_UARCH_DEFAULT](
        count, rows, columns * sizeof(float),
        x + static_cast<size_t>(t) * x_stride, x_stride * sizeof(float), tiles,
        out + static_cast<size_t>(t) * out_stride, out_stride * sizeof(float),
        kGemmRows * sizeof(float), /*params=*/nullptr);
  }
}

int Int8TileRows() { return xnn_init_qd8_f32_qc8w_gemm_config()->nr; }

size_t Int8TileBytes(int columns) { return Int8Layout(columns).bytes(); }

void PackInt8Tile(int rows, int columns, const int8_t* codes,
                  const float* scales, uint8_t* tile) {
  const Int8Layout layout(columns);
  DCHECK(rows > 0 && rows <= layout.rows);
  std::memset(tile, 0, layout.bytes());
  const xnn_qs8_packing_params params = {.input_zero_point = 1};
  layout.config.pack_gemm_goi(/*g=*/1, rows, columns, layout.rows, layout.run,
                              layout.shuffle / layout.run, codes,
                              /*b=*/nullptr, /*scale=*/nullptr, tile,
                              /*extra_bytes=*/0, &params);
  std::memcpy(tile + layout.scales_offset(), scales, rows * sizeof(float));
}

void UnpackInt8Row(const uint8_t* tile, int row, int columns, float* out) {
  const Int8Layout layout(columns);
  float scale;
  std::memcpy(&scale, tile + layout.scales_offset() + row * sizeof(float),
              sizeof(scale));
  const int8_t* codes =
      reinterpret_cast<const int8_t*>(tile) + layout.rows * sizeof(int32_t);
  for (int c = 0; c < columns; ++c) {
    // The inverse of the packing: where in its group of columns a run went.
    const int in_group = (c - row * layout.run) & (layout.shuffle - 1);
    const int block = c / layout.shuffle * layout.shuffle + in_group;
    out[c] = scale * codes[block / layout.run * layout.run * layout.rows +
                           row * layout.run + c % layout.run];
  }
}

void Int8Gemm(int tokens, int rows, int columns, const int8_t* x,
              const TokenScale* x_scales, const uint8_t* tiles, float* out,
              int out_stride) {
  DCHECK(rows > 0 && columns > 0 && out_stride >= rows);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const xnn_gemm_config* config = xnn_init_qd8_f32_qc8w_gemm_config();
  xnn_f32_minmax_params range;
  config->init.f32(&range, -kInfinity, kInfinity);
  const size_t x_stride = Int8InputBytes(columns);
  const int most = config->mr;
  for (int t = 0; t < tokens; t += most) {
    const int count = std::min(most, tokens - t);
    config->minmax.dqgemm[count == 1 ? 0 : most - 1]
        .function[XNN_UARCH_DEFAULT](
            count, rows, columns, x + t * x_stride, x_stride, tiles,
            out + static_cast<size_t>(t) * out_stride,
            out_stride * sizeof(float), config->nr * sizeof(float), &range,
            reinterpret_cast<const xnn_qd8_quantization_params*>(x_scales + t));
  }
}

}  // namespace fastweights
