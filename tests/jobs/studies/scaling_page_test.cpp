// docs/scaling.md against the program that writes it.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "jobs/common/commands.hpp"

namespace plaq::jobs::test {
namespace {

// The test runs in the source directory.
TEST(ScalingPage, IsWhatTheProgramPrints) {
  std::ifstream stream("docs/scaling.md");
  const std::string page{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_TRUE(page == text_of(ModelOptions()))
      << "docs/scaling.md is not what the program prints; this mends "
         "it:\n  plaq model > docs/scaling.md";
}

}  // namespace
}  // namespace plaq::jobs::test
