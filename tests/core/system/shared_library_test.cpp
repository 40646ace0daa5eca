// Libraries that are loaded when they are wanted: their functions, and errors for what is missing.
#include "core/system/shared_library.hpp"

#include <gtest/gtest.h>

#include "tests/support/errors.hpp"

namespace plaq {
namespace {

TEST(SharedLibrary, FindsFunctions) {
  const SharedLibrary library("libm.so.6", "the mathematical library", ErrorKind::device);
  double (*cosine)(double) = nullptr;
  library.find(cosine, "cos");
  EXPECT_EQ(cosine(0), 1);
  EXPECT_EQ(test::message_of(ErrorKind::device, [&] { library.find(cosine, "no_such_function"); }),
            "libm.so.6 has no no_such_function");
}

TEST(SharedLibrary, SaysWhyItIsNotThere) {
  const std::string why = test::message_of(ErrorKind::comms, [] {
    SharedLibrary("libplaq_none.so.7", "Something, which quarks need,", ErrorKind::comms);
  });
  EXPECT_EQ(why.find("Something, which quarks need, cannot be loaded: "), 0u) << why;
  EXPECT_NE(why.find("libplaq_none.so.7"), std::string::npos) << why;
}

}  // namespace
}  // namespace plaq
