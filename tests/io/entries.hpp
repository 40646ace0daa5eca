// Entries of descriptions in files.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "io/gauge/gauge_file_info.hpp"

namespace plaq::test {

inline void expect_same_entries(const std::vector<HeaderEntry>& found,
                                const std::vector<HeaderEntry>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found[i].key, expected[i].key);
    EXPECT_EQ(found[i].value, expected[i].value);
  }
}

}  // namespace plaq::test
