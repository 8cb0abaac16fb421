// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/simd.h"

namespace fastweights {

// Defined in exp.cc, where the compiler cannot see them from a loop: V8
// rebuilds a constant vector at every use, a load it hoists.
extern const float kExpTable[13];
extern const float kLogTable[8];

// e^x, within 2 units in the last place for x in [-87.3, 87.3]; clamped to that
// range outside it, so the result is never zero, infinite or denormal.
// Make one before a loop and call it inside.
class Exp {
 public:
  F32x4 operator()(F32x4 x) const {
    x = Min(Max(x, low_), high_);
    // x = n ln 2 + r with |r| <= ln 2 / 2; ln 2 in two parts keeps r exact.
    const F32x4 power = Add(Mul(x, log2e_), exponent_of_one_);
    const F32x4 n = Sub(power, exponent_of_one_);
    const F32x4 r = MulAdd(n, minus_ln2_low_, MulAdd(n, minus_ln2_high_, x));
    F32x4 p = MulAdd(c7_, r, c6_);
    p = MulAdd(p, r, c5_);
    p = MulAdd(p, r, c4_);
    p = MulAdd(p, r, c3_);
    p = MulAdd(p, r, c2_);
    p = MulAdd(Mul(p, r), r, Add(r, one_));
    return Mul(p, PowerOfTwo(power));
  }

  // 1 / (1 + e^-x), a normal number above zero for infinities, too.
  F32x4 Sigmoid(F32x4 x) const {
    return Div(one_, Add(one_, (*this)(Negative(x))));
  }

 private:
  F32x4 low_ = Splat(kExpTable[0]);
  F32x4 high_ = Splat(kExpTable[1]);
  F32x4 log2e_ = Splat(kExpTable[2]);
  F32x4 minus_ln2_high_ = Splat(kExpTable[3]);
  F32x4 minus_ln2_low_ = Splat(kExpTable[4]);
  F32x4 c7_ = Splat(kExpTable[5]);
  F32x4 c6_ = Splat(kExpTable[6]);
  F32x4 c5_ = Splat(kExpTable[7]);
  F32x4 c4_ = Splat(kExpTable[8]);
  F32x4 c3_ = Splat(kExpTable[9]);
  F32x4 c2_ = Splat(kExpTable[10]);
  F32x4 one_ = Splat(kExpTable[11]);
  F32x4 exponent_of_one_ = Splat(kExpTable[12]);
};

// log(1 + x) for x in [0, 1], within 3 units in the last place: twice the
// inverse hyperbolic tangent of x / (2 + x), which is a third at most.
class LogOnePlus {
 public:
  F32x4 operator()(F32x4 x) const {
    const F32x4 s = Div(x, Add(x, two_)), s2 = Mul(s, s);
    F32x4 p = MulAdd(c15_, s2, c13_);
    p = MulAdd(p, s2, c11_);
    p = MulAdd(p, s2, c9_);
    p = MulAdd(p, s2, c7_);
    p = MulAdd(p, s2, c5_);
    p = MulAdd(p, s2, c3_);
    return MulAdd(Mul(p, s2), s, Mul(two_, s));
  }

 private:
  F32x4 two_ = Splat(kLogTable[0]);
  F32x4 c3_ = Splat(kLogTable[1]);
  F32x4 c5_ = Splat(kLogTable[2]);
  F32x4 c7_ = Splat(kLogTable[3]);
  F32x4 c9_ = Splat(kLogTable[4]);
  F32x4 c11_ = Splat(kLogTable[5]);
  F32x4 c13_ = Splat(kLogTable[6]);
  F32x4 c15_ = Splat(kLogTable[7]);
};

}  // namespace fastweights
