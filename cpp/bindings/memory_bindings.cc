// SPDX-License-Identifier: MIT

// What of cpp/memory crosses to TypeScript: web/associative-memory.ts is its
// only caller. Addresses cross as numbers, settings and rules by name.

#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <vector>

#include "kernels/feature_maps/feature_maps.h"
#include "memory/memory.h"

namespace fastweights {
namespace {

using emscripten::val;

template <typename T>
unsigned AddressOf(T* memory) {
  return static_cast<unsigned>(reinterpret_cast<uintptr_t>(memory));
}

template <typename T>
T* At(unsigned address) {
  return reinterpret_cast<T*>(static_cast<uintptr_t>(address));
}

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

val InputFacts(const MemoryInput& input, const MemoryShape& shape) {
  val facts = val::object();
  facts.set("name", std::string(input.name));
  facts.set("floats", RowsOf(input.extent, shape).floats());
  facts.set("role", NameOf(input.role));
  facts.set("absent", input.absent);
  facts.set("likeKey", input.like_key);
  facts.set("optional", input.optional);
  return facts;
}

val SettingFacts(const Setting& setting, const MemoryShape& shape) {
  val facts = val::object();
  facts.set("name", std::string(setting.name));
  facts.set("value", setting.value);
  facts.set("least", setting.least);
  facts.set("most", setting.most);
  facts.set("whole", setting.whole);
  facts.set("flag", setting.flag);
  facts.set("choices", val::array(std::vector<std::string>(
                           setting.choices.begin(), setting.choices.end())));
  const bool is_array = setting.extent != Extent::kOne;
  facts.set("floats", is_array ? RowsOf(setting.extent, shape).floats() : 0);
  return facts;
}

// Null for no rule's name.
val MemoryRule(const std::string& name, const MemoryShape& shape) {
  const RuleSpec* spec = FindRule(name);
  if (!spec) return val::null();
  val rule = val::object(), inputs = val::array(), settings = val::array();
  for (const MemoryInput& input : spec->inputs) {
    inputs.call<void>("push", InputFacts(input, shape));
  }
  for (const Setting& setting : spec->settings) {
    settings.call<void>("push", SettingFacts(setting, shape));
  }
  rule.set("inputs", inputs);
  rule.set("settings", settings);
  rule.set("groups", spec->groups);
  rule.set("pads", spec->pads);
  rule.set("square", spec->square);
  val maps = val::array();
  for (const FeatureMapInfo& info : FeatureMaps()) {
    val map = val::object();
    map.set("name", std::string(info.name));
    map.set("weight", info.has_weight);
    map.set("bias", info.has_bias);
    // Those that take each number by itself.
    map.set("pads", !info.has_weight && info.feature_dim(4, 1) == 4);
    maps.call<void>("push", map);
  }
  rule.set("maps", maps);
  return rule;
}

val MemoryRuleNames() {
  val names = val::array();
  for (const RuleSpec& rule : Rules())
    names.call<void>("push", std::string(rule.name));
  return names;
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
  val arrays = val::array();
  for (const StateArray& array : memory.arrays()) {
    val facts = val::object();
    facts.set("name", std::string(array.name));
    facts.set("matrices", array.matrices);
    facts.set("rows", array.rows);
    facts.set("columns", array.columns);
    arrays.call<void>("push", facts);
  }
  return arrays;
}

}  // namespace

EMSCRIPTEN_BINDINGS(fastweights_memory) {
  using emscripten::class_;

  emscripten::value_object<MemoryShape>("MemoryShape")
      .field("heads", &MemoryShape::heads)
      .field("keyHeads", &MemoryShape::key_heads)
      .field("keyDim", &MemoryShape::key_dim)
      .field("valueDim", &MemoryShape::value_dim);

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
