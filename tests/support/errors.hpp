// Errors that code throws, and checks of them.
#pragma once

#include "core/system/error.hpp"
#include "tests/support/test.hpp"

namespace plaq::test {

using Action = std::function<void()>;
using Parts = std::vector<std::string>;  // of a message

inline std::optional<Error> error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

// The text of the error, which must be of this kind; empty where there is none.
inline std::string message_of(ErrorKind kind, const Action& action) {
  const auto error = error_of(action);
  if (!error) return {};
  EXPECT_EQ(error->kind(), kind) << error->what();
  return error->what();
}

inline void expect_parts(const std::string& text, const Parts& parts) {
  for (const auto& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "no " << part << " in " << text;
}

inline void expect_error(const std::optional<Error>& error, ErrorKind kind, const Parts& parts) {
  ASSERT_TRUE(error.has_value()) << "no error, but one with " << testing::PrintToString(parts)
                                 << " was expected";
  EXPECT_EQ(error->kind(), kind) << error->what();
  expect_parts(error->what(), parts);
}
inline void expect_error(const Action& action, ErrorKind kind, const Parts& parts) {
  expect_error(error_of(action), kind, parts);
}

}  // namespace plaq::test
