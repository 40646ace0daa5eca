// A fault of a new file is about OUT: it is an error of writing.
#include "jobs/files/convert.hpp"

#include <gtest/gtest.h>

#include "tests/support/errors.hpp"

namespace plaq::convert_test {
namespace {

TEST(Convert, AReadBackThatFails) {
  jobs::ConvertOptions options;
  options.output = "out";
  test::expect_error([&] { jobs::read_back(options, [] { throw jobs::differs("1", "2", 3); }); },
                     ErrorKind::output_file, {"cannot write out", "checksum 2, found 1", "3 numbers differ"});
  jobs::read_back(options, [] {});
}

}  // namespace
}  // namespace plaq::convert_test
