// Files of tests of an executable, and when they run (written by cmake/Tests.cmake).
#pragma once

#include <string>
#include <vector>

namespace plaq::test {

struct TestFile {
  std::string name;  // from tests/, without _test.cpp
  std::string runs;  // plain, np1, np2.omp1 ..., with spaces between; none: the file has a process of its own
};
extern const std::vector<TestFile> test_files;

}  // namespace plaq::test
