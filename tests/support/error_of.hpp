// Errors that a test expects, and their words.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/system/error.hpp"

namespace plaq::test {

// Text of the error of f(), which must be of this kind; "no error" if there is none.
template <class F>
std::string error_of(ErrorKind kind, F&& f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "no error";
}
template <class F>
void expect_error(ErrorKind kind, const std::string& part, F&& f) {
  const std::string text = error_of(kind, f);
  EXPECT_NE(text, "no error");
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace plaq::test
