#include "jobs/results/result_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace plaq::jobs {
namespace {

std::string text_of(const Attribute& value) {
  return std::visit(
      [](const auto& x) -> std::string {
        if constexpr (requires { x.front(); } && !std::is_same_v<std::decay_t<decltype(x)>, std::string>) {
          return fmt::format("{}", fmt::join(x, "x"));
        } else {
          return fmt::format("{}", x);
        }
      },
      value);
}

const StoredObject* find_machine(const std::vector<StoredObject>& found) {
  const auto at =
      std::find_if(found.begin(), found.end(), [](const auto& object) { return object.path == "/machine"; });
  return at == found.end() ? nullptr : &*at;
}

}  // namespace

std::string fingerprint_of(const Attributes& machine) {
  std::string text;
  for (const auto& [name, value] : machine) text += fmt::format("{} = {}; ", name, text_of(value));
  return text;
}

bool has_machine(const std::vector<StoredObject>& found, const Attributes& machine) {
  const StoredObject* there = find_machine(found);
  return there != nullptr && std::all_of(machine.begin(), machine.end(), [&](const auto& wanted) {
           const Attribute* value = find_attribute(there->attributes, wanted.first);
           return value && *value == wanted.second;
         });
}

std::string machine_difference(const std::vector<StoredObject>& found, const Attributes& machine) {
  const StoredObject* there = find_machine(found);
  if (there == nullptr) return {};
  std::string text;
  for (const auto& [name, wanted] : machine) {
    const Attribute* value = find_attribute(there->attributes, name);
    if (value && *value == wanted) continue;
    text += fmt::format("{}{} is {} there and {} here", text.empty() ? "" : ", ", name,
                        value ? text_of(*value) : "absent", text_of(wanted));
  }
  return text;
}

}  // namespace plaq::jobs
