// Attributes: named values by which results say of which settings they are.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace plaq::settings {

using Attribute = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>,
                               std::vector<double>, std::vector<std::string>>;
using Attributes = std::vector<std::pair<std::string, Attribute>>;

/// Appends attributes to others.
inline void add(Attributes& to, const Attributes& more) { to.insert(to.end(), more.begin(), more.end()); }

}  // namespace plaq::settings
