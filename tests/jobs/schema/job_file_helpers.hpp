// Shared by the tests of jobs/: small good job files, and the message of an error.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/system/error.hpp"

namespace plaq::jobs::test {

inline const std::string generate_text = R"(job = "generate"
[lattice]
extents = [4, 4, 4, 8]
[gauge]
beta = 6
[update]
seed = 7
[output]
prefix = "field"
)";

inline const std::string measure_text = R"(job = "measure"
[gauge]
files = ["a.nersc", "b.nersc"]
[output]
file = "out.h5"
)";

inline const std::string propagator_text = R"(job = "propagator"
[gauge]
files = ["a.nersc"]
[action]
kappa = 0.12
[output]
file = "pion.h5"
)";

// The message of the Error that `action` throws; fails the test when there is none or of another kind.
template <class Action>
std::string message_of(ErrorKind kind, Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(exit_code(error.kind()), exit_code(kind)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

inline void expect_holds(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in:\n" << text;
}

}  // namespace plaq::jobs::test
