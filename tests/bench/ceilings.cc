// SPDX-License-Identifier: MIT

// What one thread of this machine can do at most in this engine.

#include <emscripten.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/arena.h"
#include "formats/tile_kinds.h"
#include "kernels/simd.h"

namespace fastweights {
namespace {

// As many as 16 registers leave room for.
constexpr int kAccumulators = 12;

// The dot product that weights of so many bits take here: use(Dot()).
template <class Use>
auto WithDot([[maybe_unused]] int bits, const Use& use) {
#ifdef __wasm_relaxed_simd__
  if (RelaxedDotOperand() != WideOperand::kSaturates) return use(NarrowDot());
  if (bits < 8) return use(ShortDot<true>());
#endif
  return use(WideDot());
}

// The weights of sum `index`: the relaxed dot product is one operation that
// adds, so one vector does. Of short sums the compiler would share products,
// and they read the first-level cache.
template <class Dot>
typename Dot::Weights WeightsOf(const int8_t* weights, int index) {
#ifdef __wasm_relaxed_simd__
  if constexpr (std::is_same_v<Dot, NarrowDot>) return LoadI8(weights);
#endif
  if (index == 0) __asm__ volatile("" ::: "memory");
  return Dot::Load(weights + 16 * index);
}

// Keeps the work alive.
template <class Dot, class Sums>
int FirstLanes(const Sums& sums) {
  int32_t total = 0;
  for (const auto& sum : sums) {
    int32_t lanes[4];
    StoreI32(lanes, Dot::End(sum, SplatI32(0)));
    total += lanes[0];
  }
  return total;
}

template <class Dot>
int Multiply(int rounds, const int8_t* weights, const int8_t* input) {
  typename Dot::Sums sums[kAccumulators];
  for (auto& sum : sums) sum = Dot::Begin(SplatI32(0));
  const auto x =
      Dot::LoadInput(reinterpret_cast<const typename Dot::Code*>(input));
  for (int i = 0; i < rounds; ++i) {
    for (int s = 0; s < kAccumulators; ++s) {
      const auto w = WeightsOf<Dot>(weights, s);
      sums[s] = Dot::template Add<1>(&w, &x, sums[s]);
    }
  }
  return FirstLanes<Dot>(sums);
}

// Of 16-bit products, whose weights take two registers, eight rows by four
// tokens from the first-level cache: a load for each product would be as much
// as they do.
template <>
int Multiply<WideDot>(int rounds, const int8_t* weights, const int8_t* input) {
  constexpr int kRows = 2, kTokens = 4;
  I32x4 sums[kTokens][kRows];
  for (auto& token_sums : sums) {
    for (I32x4& sum : token_sums) sum = SplatI32(0);
  }
  const auto* to_rows = reinterpret_cast<const int16_t*>(weights);
  const auto* of_tokens = reinterpret_cast<const int16_t*>(input);
  for (int i = 0; i < rounds * kAccumulators / (kRows * kTokens); ++i) {
    ScaledDot::Weights w[kRows];
    for (int r = 0; r < kRows; ++r) w[r] = ScaledDot::Load(to_rows + 16 * r);
    for (int t = 0; t < kTokens; ++t) {
      const auto x = WideDot::LoadInput(of_tokens + 4 * t);
      for (int r = 0; r < kRows; ++r) {
        sums[t][r] = WideDot::Add(w[r], x, sums[t][r]);
      }
    }
    __asm__ volatile("" ::: "memory");
  }
  I32x4 total = SplatI32(0);
  for (const auto& token_sums : sums) {
    for (const I32x4& sum : token_sums) total = Add(total, sum);
  }
  int32_t lanes[4];
  StoreI32(lanes, total);
  return lanes[0];
}

constexpr int kGroupSums = 8;

template <class Dot>
float MultiplyGroups(int rounds, int columns, const int8_t* weights,
                     const int8_t* input, const float* scales) {
  F32x4 sums[kGroupSums];
  for (F32x4& sum : sums) sum = Splat(0.0f);
  const auto x =
      Dot::LoadInput(reinterpret_cast<const typename Dot::Code*>(input));
  const F32x4 start = Load(scales);
  for (int i = 0; i < rounds; ++i) {
    typename Dot::Sums dots[kGroupSums];
    for (auto& dot : dots) dot = Dot::Begin(SplatI32(0));
    for (int c = 0; c < columns; c += 4) {
      for (int s = 0; s < kGroupSums; ++s) {
        const auto w = WeightsOf<Dot>(weights, s);
        dots[s] = Dot::template Add<1>(&w, &x, dots[s]);
      }
    }
    for (int s = 0; s < kGroupSums; ++s) {
      const I32x4 dot = Dot::End(dots[s], SplatI32(0));
      const F32x4 scale = Load(scales + 4 * (s % 2));
      const F32x4 x_scale = Load(scales + 8 + 4 * (s / 2));
      sums[s] =
          MulAdd(Sub(BitsToFloat(dot), start), Mul(scale, x_scale), sums[s]);
    }
    __asm__ volatile("" ::: "memory");
  }
  F32x4 total = Splat(0.0f);
  for (const F32x4& sum : sums) total = Add(total, sum);
  return Sum(total);
}

// One token's product without what scales, starts and memory take: the codes
// of eight rows by 32 columns, taken apart and multiplied.
template <class Dot, int kBits>
int MultiplyUnpacked(int rounds, const uint8_t* record, const int8_t* input) {
  constexpr int kStepQuads = Unpacker<kBits>::kStepQuads;
  const Unpacker<kBits> unpack;
  const auto* codes = reinterpret_cast<const typename Dot::Code*>(input);
  typename Dot::Sums sums[kHalves];
  for (auto& sum : sums) sum = Dot::Begin(SplatI32(0));
  for (int i = 0; i < rounds; ++i) {
    I8x16 upper[kHalves];
    for (int h = 0; h < kHalves; ++h) {
      upper[h] = unpack.LoadUpper(record + h * TileHalfBytes(kBits));
    }
    const auto step = [&](int at) __attribute__((always_inline)) {
      typename Dot::Input x[kStepQuads];
      for (int j = 0; j < kStepQuads; ++j) {
        x[j] = Dot::LoadInput(codes + 4 * (at * kStepQuads + j));
      }
      for (int h = 0; h < kHalves; ++h) {
        I8x16 quads[kStepQuads];
        unpack.Next(record + h * TileHalfBytes(kBits), at, &upper[h], quads);
        __asm__ volatile("" ::: "memory");
        typename Dot::Weights w[kStepQuads];
        for (int j = 0; j < kStepQuads; ++j) w[j] = Dot::Of(quads[j]);
        sums[h] = Dot::template Add<kStepQuads>(w, x, sums[h]);
      }
    };
    UNROLLED
    for (int at = 0; at < kQuads / kStepQuads; ++at) step(at);
  }
  return FirstLanes<Dot>(sums);
}

}  // namespace

extern "C" {

// Int8 dot products of registers alone, of weights of `bits` bits, 8 or fewer;
// operations (multiply and add counted) are 32 * kAccumulators * rounds, an
// even number. The result keeps the work alive.
//   weights  [16 * kAccumulators]
//   input    [32]
EMSCRIPTEN_KEEPALIVE int Int8Operations(int rounds, int bits,
                                        const int8_t* weights,
                                        const int8_t* input) {
  return WithDot(bits, [&](auto dot) {
    return Multiply<decltype(dot)>(rounds, weights, input);
  });
}
EMSCRIPTEN_KEEPALIVE int Int8OperationsOfARound() { return 32 * kAccumulators; }

// The same where, as in block-quantised products, each `columns` of them are
// summed by themselves, scaled and added to a float: eight such sums, which
// with the integer ones are more than the registers hold. Operations are
// 32 * kGroupSums * columns / 4 * rounds.
//   weights  [16 * kGroupSums]
//   input    [8]
//   scales   [24]
EMSCRIPTEN_KEEPALIVE float GroupOperations(int rounds, int columns,
                                           const int8_t* weights,
                                           const int8_t* input,
                                           const float* scales) {
  return WithDot(7, [&](auto dot) {
    return MultiplyGroups<decltype(dot)>(rounds, columns, weights, input,
                                         scales);
  });
}
EMSCRIPTEN_KEEPALIVE int GroupOperationsOfARound(int columns) {
  return 32 * kGroupSums * columns / 4;
}

// Products of one token with weights of `bits` bits, 2 to 6, from the
// first-level cache, taken apart as products take them, without their scales.
// Operations are UnpackedOperationsOfARound() * rounds.
//   record  [32 * bits]
//   input   [64]
EMSCRIPTEN_KEEPALIVE int UnpackedOperations(int rounds, int bits,
                                            const uint8_t* record,
                                            const int8_t* input) {
  return WithDot(bits, [&]<class Dot>(Dot) {
    switch (bits) {
      case 2:
        return MultiplyUnpacked<Dot, 2>(rounds, record, input);
      case 3:
        return MultiplyUnpacked<Dot, 3>(rounds, record, input);
      case 4:
        return MultiplyUnpacked<Dot, 4>(rounds, record, input);
      case 5:
        return MultiplyUnpacked<Dot, 5>(rounds, record, input);
      default:
        return MultiplyUnpacked<Dot, 6>(rounds, record, input);
    }
  });
}
EMSCRIPTEN_KEEPALIVE int UnpackedOperationsOfARound() {
  return 2 * kTileRows * kTileColumns;
}

// Multiplies and adds floats in registers alone; operations are
// 8 * kAccumulators * rounds.
EMSCRIPTEN_KEEPALIVE float FloatOperations(int rounds, const float* factors) {
  F32x4 sums[kAccumulators];
  for (auto& sum : sums) sum = Load(factors);
  const F32x4 a = Load(factors), b = Load(factors + 4);
  for (int i = 0; i < rounds; ++i) {
#ifdef __wasm_relaxed_simd__
    for (auto& sum : sums) sum = MulAdd(a, b, sum);
#else
    // Else the compiler would multiply once.
    for (auto& sum : sums) sum = MulAdd(a, sum, b);
#endif
  }
  F32x4 total = Splat(0.0f);
  for (const auto& sum : sums) total = Add(total, sum);
  return Sum(total);
}
EMSCRIPTEN_KEEPALIVE int FloatOperationsOfARound() { return 8 * kAccumulators; }

// Reads and writes `bytes` (a multiple of 128) front to back, `times` times.
EMSCRIPTEN_KEEPALIVE void ReadAndWriteBytes(float* memory, size_t bytes,
                                            int times) {
  const F32x4 one = Splat(1.0f);
  for (int i = 0; i < times; ++i) {
    float* const end = memory + bytes / sizeof(float);
    for (float* at = memory; at != end; at += 32) {
      for (int j = 0; j < 32; j += 4) Store(at + j, Add(Load(at + j), one));
    }
  }
}

// Reads `bytes` (a multiple of 256) front to back, `streams` places at once.
EMSCRIPTEN_KEEPALIVE float ReadBytes(const float* from, size_t bytes,
                                     int streams) {
  F32x4 sums[4] = {Splat(0.0f), Splat(0.0f), Splat(0.0f), Splat(0.0f)};
  const size_t floats = bytes / sizeof(float) / streams;
  for (size_t i = 0; i + 16 <= floats; i += 16) {
    for (int s = 0; s < streams; ++s) {
      const float* at = from + s * floats + i;
      for (int j = 0; j < 4; ++j) sums[j] = Add(sums[j], Load(at + 4 * j));
    }
  }
  return Sum(Add(Add(sums[0], sums[1]), Add(sums[2], sums[3])));
}

// Written once: pages never written are all one page.
EMSCRIPTEN_KEEPALIVE uint8_t* Allocate(size_t bytes) {
  uint8_t* memory = MakeBuffer<uint8_t>(bytes).release();
  if (memory != nullptr) std::memset(memory, 1, bytes);
  return memory;
}
EMSCRIPTEN_KEEPALIVE void Free(uint8_t* memory) { std::free(memory); }

}  // extern "C"
}  // namespace fastweights
