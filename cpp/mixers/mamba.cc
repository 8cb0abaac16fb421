// SPDX-License-Identifier: MIT

// A Mamba layer (Gu and Dao, Mamba, 2023), a selective scan: each channel has a
// state whose places decay at rates of their own.
//
//   [x | z] = W_in u;  x = silu(conv(x))
//   [r | B | C] = W_x x;  dt = softplus(W_dt r + dt_bias)
//   S_d <- e^(dt_d decay_d) S_d + dt_d x_d B;  y_d = S_d . C + skip_d x_d
//   out = W_output (y * silu(z))
//
// Falcon-Mamba and Jamba take the root mean square of r, B and C out of them,
// Jamba's with weights.
//
// Sizes in the plan: inner, state_dim (of B and C, and of each channel),
// dt_rank (of r), conv_width; has_norms (0), norm_epsilon. Tensors: in, conv,
// x, dt, dt_bias, decay [inner, state_dim] (which holds -exp(A_log)), skip,
// output; where there are such dt_norm, b_norm, c_norm and the biases in_bias,
// conv_bias, output_bias.

#include <algorithm>

#include "kernels/activations.h"
#include "kernels/rms_norm.h"
#include "kernels/selective_scan/selective_scan.h"
#include "kernels/short_conv.h"
#include "mixers/mixer.h"
#include "mixers/projection.h"

namespace fastweights {
namespace {

// Channels of one task: a few lines of each token's x, dt and z.
constexpr int kTaskChannels = 64;
// Tokens of one task that takes whole rows.
constexpr int kTaskRows = 16;

class MambaMixer final : public Mixer {
 public:
  MambaMixer(int model_dim, const MixerPlan& plan, Weights& weights)
      : shape_{.channels = plan.Size("inner"),
               .state_dim = plan.Size("state_dim")},
        dt_rank_(plan.Size("dt_rank")),
        conv_width_(plan.Size("conv_width")),
        has_norms_(plan.Size("has_norms", 0) != 0),
        epsilon_(static_cast<float>(plan.Number("norm_epsilon", 0))),
        in_(MakeProjection("in", 2 * inner(), model_dim, plan, weights)),
        conv_(weights.Transposed(plan.Tensor("conv"), inner(), conv_width_)),
        x_(MakeProjection("x", x_width(), inner(), plan, weights)),
        dt_(MakeProjection("dt", inner(), dt_rank_, plan, weights)),
        decay_(weights.Table(plan.Tensor("decay"), inner(), shape_.state_dim)),
        skip_(weights.Vector(plan.Tensor("skip"), inner())),
        output_(MakeProjection("output", model_dim, inner(), plan, weights)) {
    const auto vector = [&](const char* role, int count) {
      return plan.Has(role) ? weights.Vector(plan.Tensor(role), count)
                            : nullptr;
    };
    conv_bias_ = vector("conv_bias", inner());
    dt_norm_ = vector("dt_norm", dt_rank_);
    b_norm_ = vector("b_norm", shape_.state_dim);
    c_norm_ = vector("c_norm", shape_.state_dim);
  }

  // The scan's, then the convolution's.
  size_t StateFloats() const override {
    return ScanFloats() + static_cast<size_t>(conv_width_ - 1) * inner();
  }

  // One head, whose value channels have states of their own in it.
  StateMatrices Matrices() const override {
    return {.heads = 1, .key_dim = shape_.state_dim, .value_dim = inner()};
  }
  void ReadMatrix(int, int, float* constant, float* out) const override {
    for (int n = 0; n < shape_.state_dim; ++n) {
      for (int d = 0; d < inner(); ++d) {
        *out++ = constant[d * shape_.state_dim + n];
      }
    }
  }

  size_t ScratchBytes(int tokens) const override {
    return FloatBytes(tokens, 2 * inner()) + 2 * FloatBytes(tokens, inner()) +
           FloatBytes(tokens, x_width()) + FloatBytes(tokens, dt_rank_) +
           ProductInput::ScratchBytes(tokens, dt_rank_) +
           2 * ProductInput::ScratchBytes(tokens, inner());
  }

  void Forward(const Pass& pass, ProductInput& u, float* out) override {
    Workspace& workspace = u.workspace();
    Arena& arena = workspace.arena();
    const int tokens = u.tokens();
    const Rows rows = {
        .in = arena.Take<float>(tokens * 2 * inner()),
        .x = arena.Take<float>(tokens * inner()),
        .dt = arena.Take<float>(tokens * inner()),
        .bc = arena.Take<float>(tokens * x_width()),
        .r = arena.Take<float>(tokens * dt_rank_),
    };
    in_.Multiply(u, rows.in);
    Convolve(pass, tokens, rows, workspace);
    {
      ProductInput x(tokens, inner(), rows.x, workspace);
      x_.Multiply(x, rows.bc);
    }
    Normalise(tokens, rows, workspace);
    {
      ProductInput r(tokens, dt_rank_, rows.r, workspace);
      dt_.Multiply(r, rows.dt);
    }
    Scan(pass, tokens, rows, workspace);
    const int wanted = CopyWanted(pass.texts, inner(), rows.x, rows.x);
    ProductInput gated(wanted, inner(), rows.x, workspace);
    output_.Multiply(gated, out);
  }

 private:
  int inner() const { return shape_.channels; }
  int x_width() const { return dt_rank_ + 2 * shape_.state_dim; }
  size_t ScanFloats() const {
    return static_cast<size_t>(inner()) * shape_.state_dim;
  }

  struct Rows {
    float* in;  // [tokens, 2 inner]: x before its convolution, z
    float* x;   // [tokens, inner]: x, then y
    float* dt;  // [tokens, inner]
    float* bc;  // [tokens, x_width]: r, B, C
    float* r;   // [tokens, dt_rank]
  };

  void Convolve(const Pass& pass, int tokens, const Rows& rows,
                Workspace& workspace) const {
    const ProfileScope scope(workspace.profile(), {"convolution"});
    ForRanges(
        workspace.threads(), inner(), kTaskChannels, [&](int from, int to) {
          float* in = rows.in + from;
          for (const Stretch& text : pass.texts) {
            ShortConv(text.tokens, to - from, conv_width_,
                      {.weight = conv_->data() + from,
                       .bias = conv_bias_ ? conv_bias_->data() + from : nullptr,
                       .state = text.state.constant + ScanFloats() + from,
                       .stride = inner(),
                       .x = in,
                       .x_stride = 2 * inner()});
            in += text.tokens * 2 * inner();
          }
          for (int t = 0; t < tokens; ++t) {
            std::copy_n(rows.in + t * 2 * inner() + from, to - from,
                        rows.x + t * inner() + from);
          }
        });
  }

  // r, B and C, and r where a product can read it.
  void Normalise(int tokens, const Rows& rows, Workspace& workspace) const {
    const ProfileScope scope(workspace.profile(), {"norms of dt, B and C"});
    const int state = shape_.state_dim;
    ForRanges(workspace.threads(), tokens, kTaskRows, [&](int from, int to) {
      for (int t = from; t < to; ++t) {
        float* row = rows.bc + t * x_width();
        const auto norm = [&](int first, int dim, const Values* weight,
                              float* out) {
          RmsNorm(1, dim, row + first, dim, weight ? weight->data() : nullptr,
                  epsilon_, out, dim);
        };
        float* r = rows.r + t * dt_rank_;
        if (!has_norms_) {
          std::copy_n(row, dt_rank_, r);
          continue;
        }
        norm(0, dt_rank_, dt_norm_.get(), r);
        float *B = row + dt_rank_, *C = B + state;
        norm(dt_rank_, state, b_norm_.get(), B);
        norm(dt_rank_ + state, state, c_norm_.get(), C);
      }
    });
  }

  // The scan and what is elementwise around it.
  void Scan(const Pass& pass, int tokens, const Rows& rows,
            Workspace& workspace) const {
    const ProfileScope scope(workspace.profile(), {"selective scan"},
                             {7.0 * tokens * inner() * shape_.state_dim, 0});
    ForRanges(
        workspace.threads(), inner(), kTaskChannels, [&](int from, int to) {
          for (int t = 0; t < tokens; ++t) {
            Softplus(to - from, rows.dt + t * inner() + from);
          }
          int first = 0;
          for (const Stretch& text : pass.texts) {
            const float* B = rows.bc + first * x_width() + dt_rank_;
            const SelectiveScanArgs args = {
                .x = rows.x + first * inner(),
                .x_stride = inner(),
                .dt = rows.dt + first * inner(),
                .dt_stride = inner(),
                .A = decay_->data(),
                .B = B,
                .B_stride = x_width(),
                .C = B + shape_.state_dim,
                .C_stride = x_width(),
                .D = skip_->data(),
                .state = text.state.constant,
                .out = rows.x + first * inner(),
                .out_stride = inner(),
            };
            SelectiveScan(text.tokens, shape_, args, from, to);
            first += text.tokens;
          }
          for (int t = 0; t < tokens; ++t) {
            float* y = rows.x + t * inner() + from;
            SwiGlu(to - from, rows.in + (2 * t + 1) * inner() + from, y, y);
          }
        });
  }

  SelectiveScanShape shape_;
  int dt_rank_, conv_width_;
  bool has_norms_;
  float epsilon_;
  Projection in_;
  std::unique_ptr<Values> conv_;
  Projection x_, dt_;
  std::unique_ptr<Values> decay_, skip_;
  Projection output_;
  std::unique_ptr<Values> conv_bias_, dt_norm_, b_norm_, c_norm_;
};

}  // namespace

std::unique_ptr<Mixer> MakeMambaMixer(int model_dim, const MixerPlan& plan,
                                      Weights& weights) {
  return std::make_unique<MambaMixer>(model_dim, plan, weights);
}

}  // namespace fastweights
