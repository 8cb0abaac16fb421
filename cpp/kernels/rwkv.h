// SPDX-License-Identifier: MIT
#pragma once

// What RWKV layers do to a head's channels on either side of the recurrence.
// Rows are tokens, `stride` floats apart in every array unless its comment says
// otherwise; vectors are the head's part [dim]. dim % 4 == 0.

namespace fastweights {

// The head's part of the vectors of an RWKV-7 layer (Peng et al., RWKV-7
// "Goose", 2025).
struct Rwkv7Vectors {
  const float* w0;   // of the decay
  const float* a0;   // of the in-context learning rate
  const float* v0;   // of the blend with the first value; null in the layer
                     // whose value that is
  const float* k_k;  // keys that erase
  const float* k_a;  // how far the learning rate scales keys
  const float* r_k;  // of the bonus
};

// A head's products, which what is made of them replaces.
struct Rwkv7Rows {
  int stride;
  const float* r;
  float* k;
  float* v;
  float* w;  // W_w2 tanh(W_w1 x), becomes the log decay
  float* a;  // W_a2 W_a1 x, becomes what is erased along, p * a
  float* p;  // W_v2 W_v1 x, becomes the erase key; without v0 nothing is read
  float* first;      // the first layer's values, written without v0
  int first_stride;  // between rows of first
  float* bonus;      // [rows, dim], dense
};

//   w = -e^(-1/2) sigmoid(w0 + w);  a = sigmoid(a0 + a)
//   p = l2(k * k_k);  k = k * (1 + (a - 1) * k_a);  a = p * a
//   v = v + (first - v) * sigmoid(v0 + p), or first = v
//   bonus = (sum r * k * r_k) v
void Rwkv7Prepare(int rows, int dim, const Rwkv7Vectors& vectors,
                  const Rwkv7Rows& x);

// o = (o + bonus) * gate; bonus is dense, gate may be null.
void Rwkv7Gate(int rows, int dim, const float* bonus, const float* gate,
               float* o, int stride);

// w = -exp(decay + w), the log decay of RWKV-6 (Peng et al., Eagle and Finch,
// 2024).
void Rwkv6Decay(int rows, int dim, const float* decay, float* w, int stride);

// k = k * (1 - e^w), what RWKV-6 writes where it took the place of softmax
// attention (QRWKV6).
void ComplementKeys(int rows, int dim, const float* w, float* k, int stride);

}  // namespace fastweights
