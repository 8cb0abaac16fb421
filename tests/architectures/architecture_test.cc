// SPDX-License-Identifier: MIT
#include "architectures/architecture.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace fastweights {
namespace {

TEST(MakePlan, FileWithoutAnArchitectureIsInvalid) {
  Result<ModelPlan> result = MakePlan(Config(), {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "invalid_metadata");
  EXPECT_EQ(result.error().subject, "general.architecture");
}

TEST(MakePlan, UnknownArchitectureIsNamedBesideTheKnownOnes) {
  for (const char* name : {"llama", "qwen3", "qwen35moe", "", "QWEN35"}) {
    Config config;
    config.SetText("general.architecture", name);
    Result<ModelPlan> result = MakePlan(config, {});
    ASSERT_FALSE(result.ok()) << name;
    EXPECT_EQ(result.error().code, "unsupported_architecture");
    EXPECT_EQ(result.error().subject, name);
    EXPECT_NE(result.error().message.find("qwen35"), std::string::npos);
  }
}

TEST(MakePlan, UnknownArchitectureIsToldWhichIsNearest) {
  const auto message = [](const char* name) {
    Config config;
    config.SetText("general.architecture", name);
    return MakePlan(config, {}).error().message;
  };
  for (const auto& [name, nearest] : {std::pair{"qwen35moe", "qwen35"},
                                      {"qwen3next", "qwen35"},
                                      {"lfm2moe", "lfm2"},
                                      {"mamba3", "mamba"},
                                      {"granitemoe", "granitehybrid"},
                                      {"rwkv6qwen3", "rwkv6qwen2"}}) {
    const std::string expected = std::string("architecture '") + name +
                                 "' is not supported; the nearest is '" +
                                 nearest + "' (of ";
    EXPECT_EQ(message(name).substr(0, expected.size()), expected);
  }
  for (const char* name : {"llama", "kimi-linear", "", "qwe"}) {
    EXPECT_EQ(message(name).find("nearest") != std::string::npos,
              std::string(name) == "qwe");
  }
}

TEST(MakePlan, ALongNameIsToldShortly) {
  Config config;
  std::string name(59, 'x');
  for (int i = 0; i < 1000; ++i) name += "\u00e9";
  config.SetText("general.architecture", name);
  const Error error = MakePlan(config, {}).error();
  EXPECT_EQ(error.subject, std::string(59, 'x') + "...");
  EXPECT_LT(error.message.size(), 1000u);
}

TEST(Config, NumbersArePickedFromListsByIndex) {
  Config config;
  config.SetNumbers("one", {7});
  config.SetNumbers("list", {1, 2, 3});
  config.SetNumbers("empty", {});
  EXPECT_EQ(config.Number("one", 5), 7);
  EXPECT_EQ(config.Number("list", 2), 3);
  EXPECT_EQ(config.Number("list", 3), std::nullopt);
  EXPECT_EQ(config.Number("empty"), std::nullopt);
  EXPECT_EQ(config.Number("absent"), std::nullopt);
  EXPECT_EQ(config.List("list")->size(), 3u);
  EXPECT_EQ(config.List("absent"), nullptr);
  EXPECT_EQ(config.Text("one"), std::nullopt);
}

}  // namespace
}  // namespace fastweights
