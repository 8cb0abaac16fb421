// SPDX-License-Identifier: MIT

// What of cpp/memory crosses to TypeScript: web/memory/wasm-memory.ts is its
// only caller. Addresses cross as numbers, settings and rules by name.

#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <vector>

#include "bindings/addresses.h"
#include "kernels/feature_maps/feature_maps.h"
#include "memory/memory.h"

namespace fastweights {
namespace {

using emscripten::val;

std::string NameOf(Role role) {
  switch (role) {
    case Role::kQuery:
      return "query";
    case Role::kKey:
      return "key";
    case Role::kValue:
      return "value";
    case Role::kGate:
      return "gate";
  }
  return "";
}

// What TypeScript is told, as plain objects: see web/wasm/memory-glue.ts.
struct InputFacts {
  std::string name;
  int floats;
  std::string role;
  float absent;
  bool like_key, optional;
};

struct SettingFacts {
  std::string name;
  double value, least, most;
  bool whole, flag;
  val choices;
  int floats;
};

struct MapFacts {
  std::string name;
  bool weight, bias, pads;
};

struct RuleFacts {
  val inputs, settings, maps;
  bool known, groups, pads, square;
};

struct ArrayFacts {
  std::string name;
  int matrices, rows, columns;
};

val InputsOf(const RuleSpec& spec, const MemoryShape& shape) {
  std::vector<InputFacts> inputs;
  for (const MemoryInput& input : spec.inputs) {
    inputs.push_back({input.name, RowsOf(input.extent, shape).floats(),
                      NameOf(input.role), input.absent, input.like_key,
                      input.optional});
  }
  return val::array(inputs);
}

val SettingsOf(const RuleSpec& spec, const MemoryShape& shape) {
  std::vector<SettingFacts> settings;
  for (const Setting& setting : spec.settings) {
    const std::vector<std::string> choices(setting.choices.begin(),
                                           setting.choices.end());
    const bool is_array = setting.extent != Extent::kOne;
    settings.push_back({setting.name, setting.value, setting.least,
                        setting.most, setting.whole, setting.flag,
                        val::array(choices),
                        is_array ? RowsOf(setting.extent, shape).floats() : 0});
  }
  return val::array(settings);
}

val Maps() {
  std::vector<MapFacts> maps;
  for (const FeatureMapInfo& info : FeatureMaps()) {
    // Those that take each number by itself.
    const bool pads = !info.has_weight && info.feature_dim(4, 1) == 4;
    maps.push_back(
        {std::string(info.name), info.has_weight, info.has_bias, pads});
  }
  return val::array(maps);
}

// Not known: no rule's name.
RuleFacts MemoryRule(const std::string& name, const MemoryShape& shape) {
  const RuleSpec* spec = FindRule(name);
  if (!spec) return {};
  return {InputsOf(*spec, shape),
          SettingsOf(*spec, shape),
          Maps(),
          true,
          spec->groups,
          spec->pads,
          spec->square};
}

val MemoryRuleNames() {
  std::vector<std::string> names;
  for (const RuleSpec& rule : Rules()) names.push_back(rule.name);
  return val::array(names);
}

// Settings while they are gathered.
struct MemorySettings {
  Config config;
};

void SetNumbers(MemorySettings& settings, const std::string& name,
                unsigned values, int count) {
  const float* from = At<float>(values);
  settings.config.SetNumbers(name, std::vector<double>(from, from + count));
}

std::unique_ptr<Memory> MakeMemory(const std::string& rule,
                                   const MemoryShape& shape,
                                   const MemorySettings& settings) {
  return Memory::Make(*FindRule(rule), shape, settings.config);
}

val StateArrays(const Memory& memory) {
  std::vector<ArrayFacts> arrays;
  for (const StateArray& array : memory.arrays()) {
    arrays.push_back({array.name, array.matrices, array.rows, array.columns});
  }
  return val::array(arrays);
}

}  // namespace

EMSCRIPTEN_BINDINGS(fastweights_memory) {
  using emscripten::class_;

  emscripten::value_object<MemoryShape>("MemoryShape")
      .field("heads", &MemoryShape::heads)
      .field("keyHeads", &MemoryShape::key_heads)
      .field("keyDim", &MemoryShape::key_dim)
      .field("valueDim", &MemoryShape::value_dim);

  emscripten::value_object<InputFacts>("InputFacts")
      .field("name", &InputFacts::name)
      .field("floats", &InputFacts::floats)
      .field("role", &InputFacts::role)
      .field("absent", &InputFacts::absent)
      .field("likeKey", &InputFacts::like_key)
      .field("optional", &InputFacts::optional);

  emscripten::value_object<SettingFacts>("SettingFacts")
      .field("name", &SettingFacts::name)
      .field("value", &SettingFacts::value)
      .field("least", &SettingFacts::least)
      .field("most", &SettingFacts::most)
      .field("whole", &SettingFacts::whole)
      .field("flag", &SettingFacts::flag)
      .field("choices", &SettingFacts::choices)
      .field("floats", &SettingFacts::floats);

  emscripten::value_object<MapFacts>("MapFacts")
      .field("name", &MapFacts::name)
      .field("weight", &MapFacts::weight)
      .field("bias", &MapFacts::bias)
      .field("pads", &MapFacts::pads);

  emscripten::value_object<RuleFacts>("RuleFacts")
      .field("inputs", &RuleFacts::inputs)
      .field("settings", &RuleFacts::settings)
      .field("maps", &RuleFacts::maps)
      .field("known", &RuleFacts::known)
      .field("groups", &RuleFacts::groups)
      .field("pads", &RuleFacts::pads)
      .field("square", &RuleFacts::square);

  emscripten::value_object<ArrayFacts>("ArrayFacts")
      .field("name", &ArrayFacts::name)
      .field("matrices", &ArrayFacts::matrices)
      .field("rows", &ArrayFacts::rows)
      .field("columns", &ArrayFacts::columns);

  class_<MemorySettings>("MemorySettings")
      .constructor<>()
      .function(
          "setText",
          +[](MemorySettings& s, const std::string& name,
              const std::string& text) { s.config.SetText(name, text); })
      .function(
          "setNumber",
          +[](MemorySettings& s, const std::string& name, double number) {
            s.config.SetNumbers(name, {number});
          })
      .function("setNumbers", &SetNumbers);

  class_<Memory>("Memory")
      .function("clone", &Memory::Clone)
      .function("reset", &Memory::Reset)
      .function("reserve", &Memory::Reserve)
      .function(
          "input",
          +[](const Memory& m, int i) { return AddressOf(m.input(i)); })
      .function(
          "output", +[](const Memory& m) { return AddressOf(m.output()); })
      .function("forward", &Memory::Forward)
      .function("read", &Memory::Read)
      .function("arrays", &StateArrays)
      .function(
          "getArray", +[](const Memory& m, int array,
                          unsigned to) { m.GetArray(array, At<float>(to)); })
      .function(
          "setArray",
          +[](Memory& m, int array, unsigned from) {
            m.SetArray(array, At<float>(from));
          })
      .function("position", &Memory::position)
      .function("setPosition", &Memory::set_position)
      .function(
          "pageFloats", +[](const Memory& m) { return int(m.page_floats()); })
      .function("pages", &Memory::pages)
      .function(
          "page", +[](const Memory& m, int i) { return AddressOf(m.page(i)); })
      .function("reservePages", &Memory::ReservePages)
      .function(
          "stateBytes",
          +[](const Memory& m) { return double(m.StateBytes()); });

  emscripten::function("makeMemory", &MakeMemory);
  emscripten::function("memoryRule", &MemoryRule);
  emscripten::function("memoryRuleNames", &MemoryRuleNames);
}

}  // namespace fastweights
