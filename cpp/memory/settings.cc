// SPDX-License-Identifier: MIT
#include "memory/settings.h"

#include "base/check.h"

namespace fastweights {
namespace {

// `of(row, column)` with zeros after each row.
template <typename F>
std::vector<float> Pad(const Rows& rows, const F& of) {
  const int stored = rows.padded ? Padded(rows.columns) : rows.columns;
  std::vector<float> padded(static_cast<size_t>(rows.count) * stored);
  for (int r = 0; r < rows.count; ++r) {
    for (int c = 0; c < rows.columns; ++c) {
      padded[static_cast<size_t>(r) * stored + c] = of(r, c);
    }
  }
  return padded;
}

}  // namespace

Settings::Settings(const std::vector<Setting>& settings,
                   const MemoryShape& shape, const Config& given) {
  for (const Setting& setting : settings) {
    const std::string name = setting.name;
    if (!setting.choices.empty()) {
      choices_[name] = given.Text(name).value_or(setting.choices[0]);
    } else if (setting.extent == Extent::kOne) {
      numbers_[name] = given.Number(name).value_or(setting.value);
    } else {
      const Rows rows = RowsOf(setting.extent, shape);
      if (const std::vector<double>* list = given.List(name)) {
        arrays_[name] = Pad(rows, [&](int row, int column) {
          return static_cast<float>((*list)[row * rows.columns + column]);
        });
      } else if (setting.at) {
        arrays_[name] = Pad(rows, [&](int row, int column) {
          return setting.at(shape, row, column);
        });
      }
    }
  }
}

bool Settings::Has(const std::string& name) const {
  return numbers_.contains(name) || choices_.contains(name) ||
         arrays_.contains(name);
}

double Settings::NumberOr(const std::string& name, double otherwise) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? otherwise : found->second;
}

double Settings::Number(const std::string& name) const {
  const auto found = numbers_.find(name);
  CHECK(found != numbers_.end());
  return found->second;
}

const std::string& Settings::Choice(const std::string& name) const {
  const auto found = choices_.find(name);
  CHECK(found != choices_.end());
  return found->second;
}

const float* Settings::Array(const std::string& name) const {
  const auto found = arrays_.find(name);
  return found == arrays_.end() ? nullptr : found->second.data();
}

}  // namespace fastweights
