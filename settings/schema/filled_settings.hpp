// Structs of settings that a program has filled in, checked as the values of a job file are.
#pragma once

#include <string_view>
#include <vector>

#include "settings/schema/settings.hpp"

namespace plaq::settings {

/// A struct with members that keys are bound to (settings/schema/field.hpp).
struct FilledStruct {
  std::type_index type;
  const void* members;
};

/// Checks the structs against the keys of a schema that are bound to them, and against its rules. Throws
/// Error(usage), which lists every mistake and names keys: those of the first table
/// alone, others as "annealing.steps".
/// @param call  what the settings are for: "fix_gauge()"
void expect_valid(const Schema& schema, std::string_view call, const std::vector<FilledStruct>& structs);

template <class... Structs>
void expect_valid(const Schema& schema, std::string_view call, const Structs&... structs) {
  expect_valid(schema, call, std::vector<FilledStruct>{{typeid(Structs), &structs}...});
}

}  // namespace plaq::settings
