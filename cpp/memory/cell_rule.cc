// SPDX-License-Identifier: MIT
#include "memory/cell_rule.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace fastweights {
namespace {

FeatureMapShape MapOf(const MemoryShape& shape, const Settings& settings) {
  FeatureMapShape map = {FeatureMap::kIdentity, shape.key_dim, 1};
  if (!settings.Has("featureMap")) return map;
  const std::string& name = settings.Choice("featureMap");
  for (const FeatureMapInfo& info : FeatureMaps()) {
    if (info.name == name) map.map = info.map;
  }
  map.nu = static_cast<int>(settings.Number("nu"));
  return map;
}

}  // namespace

CellRule::CellRule(const MemoryShape& given, const Settings& settings,
                   const CellSpec& spec)
    : Rule(given),
      spec_(spec),
      settings_(settings),
      map_(MapOf(shape(), settings)),
      cell_{.decay = spec.decay,
            .erase = spec.erase,
            .read = spec.read,
            .order = KeyHeads::kGrouped,
            .heads = shape().heads,
            .key_heads = shape().key_heads,
            .key_dim = FeatureDim(map_),
            .value_dim = shape().value_dim},
      scale_(static_cast<float>(settings.NumberOr("scale", 1))),
      epsilon_(static_cast<float>(settings.NumberOr("epsilon", 0))),
      causal_(settings.NumberOr("causal", 1) != 0) {}

uint64_t CellRule::MatrixFloats() const {
  return static_cast<uint64_t>(cell_.key_dim) * cell_.value_dim;
}

uint64_t CellRule::StateFloats() const {
  uint64_t floats = cell_.heads * MatrixFloats();
  if (spec_.norm != CellSpec::Norm::kNone) {
    floats += cell_.heads * cell_.key_dim;
  }
  if (spec_.norm == CellSpec::Norm::kStabilised) floats += cell_.heads;
  return floats;
}

std::vector<StateArray> CellRule::Arrays() const {
  const int H = cell_.heads, F = cell_.key_dim;
  const int rows = F == shape().key_dim ? given().key_dim : F;
  std::vector<StateArray> arrays = {{.name = "state",
                                     .matrices = H,
                                     .rows = rows,
                                     .columns = given().value_dim,
                                     .stored_rows = F,
                                     .stored_columns = cell_.value_dim,
                                     .strips = true,
                                     .offset = 0,
                                     .stride = MatrixFloats()}};
  if (spec_.norm == CellSpec::Norm::kNone) return arrays;
  const size_t sums = H * MatrixFloats();
  arrays.push_back(
      {"normaliser", H, 1, rows, 1, F, false, sums, static_cast<uint64_t>(F)});
  if (spec_.norm == CellSpec::Norm::kStabilised) {
    arrays.push_back({"stabiliser", H, 1, 1, 1, 1, false, sums + H * F, 1});
  }
  return arrays;
}

uint64_t CellRule::ScratchBytes(int tokens) const {
  const int keys = cell_.key_heads * cell_.key_dim;
  int of_token = 2 * keys + 2 * cell_.heads;
  if (spec_.prepared_floats) of_token += spec_.prepared_floats(shape());
  // Each of these starts on a cache line.
  constexpr int kArrays = 12;
  return sizeof(float) * (static_cast<uint64_t>(tokens) * of_token + keys +
                          LinearRecurrenceScratchFloats(cell_) +
                          NormaliserScratchFloats(cell_)) +
         kArrays * kAlignment;
}

float* CellRule::Sums(const RuleCall& call) const {
  return call.state + cell_.heads * MatrixFloats();
}

float* CellRule::Stabilisers(const RuleCall& call) const {
  return Sums(call) + cell_.heads * cell_.key_dim;
}

const float* CellRule::Map(const RuleCall& call, int input,
                           bool is_query) const {
  const float* x = call.inputs[input];
  const float scale = is_query ? scale_ : 1.0f;
  const int heads = cell_.key_heads, K = shape().key_dim, F = cell_.key_dim;
  if (map_.map == FeatureMap::kIdentity && scale == 1.0f) return x;
  const size_t count = static_cast<size_t>(call.tokens) * heads * F;
  float* out = call.arena.Take<float>(count);
  if (map_.map == FeatureMap::kIdentity) {
    for (size_t i = 0; i < count; ++i) out[i] = scale * x[i];
    return out;
  }
  const float* weight = settings_.Array(is_query ? "queryWeight" : "keyWeight");
  const float* bias = settings_.Array(is_query ? "queryBias" : "keyBias");
  for (int h = 0; h < heads; ++h) {
    ApplyFeatureMap(call.tokens, map_,
                    {.x = x + h * K,
                     .x_stride = heads * K,
                     .weight = weight ? weight + h * K * K : nullptr,
                     .bias = bias ? bias + h * K : nullptr,
                     .out = out + h * F,
                     .out_stride = heads * F});
  }
  for (size_t row = 0; row < count; row += F) {
    for (int i = 0; i < F && scale != 1.0f; ++i) out[row + i] *= scale;
    // A map of zero need not be zero.
    for (int i = given().key_dim; i < K && F == K; ++i) out[row + i] = 0.0f;
  }
  return out;
}

// Gates and keys are the call's inputs: they are changed in copies.
void CellRule::Stabilise(const RuleCall& call, LinearRecurrenceArgs* args,
                         const float** floor) const {
  const int keys = cell_.key_heads * cell_.key_dim;
  const auto copy = [&](const float* from, int floats) {
    const size_t count = static_cast<size_t>(call.tokens) * floats;
    return std::copy_n(from, count, call.arena.Take<float>(count)) - count;
  };
  const MlstmGates gates = {.i = copy(call.inputs[3], cell_.heads),
                            .f = copy(call.inputs[4], cell_.heads),
                            .k = copy(args->k, keys),
                            .k_stride = keys,
                            .m = Stabilisers(call)};
  for (int h = 0; h < cell_.heads; ++h) {
    StabiliseMlstm(call.tokens, cell_, gates, h);
  }
  args->k = gates.k;
  args->g = gates.f;
  *floor = gates.i;
}

void CellRule::Forward(const RuleCall& call) const {
  const ArenaScope scope(call.arena);
  const int keys = cell_.key_heads * cell_.key_dim;
  const int values = cell_.heads * cell_.value_dim;
  LinearRecurrenceArgs args = {.q = Map(call, 0, true),
                               .q_stride = keys,
                               .k = Map(call, 1, false),
                               .k_stride = keys,
                               .v = call.inputs[2],
                               .v_stride = values,
                               .g = nullptr,
                               .beta = nullptr,
                               .p_stride = keys,
                               .b_stride = keys,
                               .state = call.state,
                               .state_stride = static_cast<int>(MatrixFloats()),
                               .out = call.out,
                               .out_stride = values};
  const float* floor = nullptr;
  if (spec_.norm == CellSpec::Norm::kStabilised) Stabilise(call, &args, &floor);
  const CellCall cell = {call, shape(), settings_};
  if (spec_.prepare) spec_.prepare(cell, &args);
  float* scratch = call.arena.Take<float>(LinearRecurrenceScratchFloats(cell_));
  float* sum_scratch = call.arena.Take<float>(NormaliserScratchFloats(cell_));
  for (int h = 0; h < cell_.heads; ++h) {
    LinearRecurrence(call.tokens, cell_, args, h, scratch);
    if (spec_.norm == CellSpec::Norm::kNone) continue;
    Normalise(call.tokens, cell_, args,
              {.kind = floor ? Normaliser::kSumOrOne : Normaliser::kSum,
               .epsilon = epsilon_,
               .floor = floor,
               .z = Sums(call),
               .z_stride = cell_.key_dim},
              h, sum_scratch);
  }
  if (spec_.finish) spec_.finish(cell);
}

void CellRule::Read(const RuleCall& call) const {
  const ArenaScope scope(call.arena);
  const int keys = cell_.key_heads * cell_.key_dim;
  LinearRecurrenceShape still = cell_;
  still.decay = Decay::kNone;
  LinearRecurrenceArgs args = {};
  args.q = Map(call, 0, true);
  args.q_stride = keys;
  args.state = call.state;
  args.state_stride = static_cast<int>(MatrixFloats());
  args.out = call.out;
  args.out_stride = cell_.heads * cell_.value_dim;
  // Reading divides by the sum as it is: nothing is added to it.
  float* nothing = call.arena.Take<float>(keys);
  std::fill_n(nothing, keys, 0.0f);
  args.k = nothing;
  args.k_stride = 0;
  float* floor = nullptr;
  if (spec_.norm == CellSpec::Norm::kStabilised) {
    floor = call.arena.Take<float>(call.tokens * cell_.heads);
    for (int i = 0; i < call.tokens * cell_.heads; ++i) {
      floor[i] = std::exp(-Stabilisers(call)[i % cell_.heads]);
    }
  }
  for (int h = 0; h < cell_.heads; ++h) {
    LinearRecurrenceRead(call.tokens, still, args, h);
    if (spec_.norm == CellSpec::Norm::kNone) continue;
    Normalise(call.tokens, still, args,
              {.kind = floor ? Normaliser::kSumOrOne : Normaliser::kSum,
               .epsilon = epsilon_,
               .floor = floor,
               .z = Sums(call),
               .z_stride = cell_.key_dim},
              h, nullptr);
  }
}

Setting ScaleSetting() {
  return {.name = "scale", .value = 1, .least = -1e6, .most = 1e6};
}

std::vector<Setting> MapSettings(FeatureMap by_default) {
  std::vector<const char*> maps;
  for (const FeatureMapInfo& info : FeatureMaps()) {
    const auto place = info.map == by_default ? maps.begin() : maps.end();
    maps.insert(place, info.name.data());
  }
  const auto array = [](const char* name, Extent extent) {
    return Setting{.name = name, .extent = extent};
  };
  return {ScaleSetting(),
          {.name = "featureMap", .choices = maps},
          {.name = "nu", .value = 1, .least = 1, .most = 16, .whole = true},
          array("queryWeight", Extent::kKeyKey),
          array("queryBias", Extent::kKey),
          array("keyWeight", Extent::kKeyKey),
          array("keyBias", Extent::kKey)};
}

std::vector<Setting> Joined(std::vector<Setting> a, std::vector<Setting> b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace fastweights
