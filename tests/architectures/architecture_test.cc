// SPDX-License-Identifier: MIT
#include "architectures/architecture.h"

#include <gtest/gtest.h>

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
