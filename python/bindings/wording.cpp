#include "python/bindings/wording.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace plaq::python {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> dicts = {{
    {"action_smearing", "smearing"},
    {"multigrid", "multigrid"},
    {"annealing", "annealing"},
    {"stochastic", "stochastic"},
    {"overrelaxation", "overrelaxation"},
    {"dilution", "dilution"},
}};

class CallWording final : public Wording {
 public:
  std::string key(std::string_view table, std::string_view key) const override {
    const auto dict = dict_of(table);
    return dict.empty() ? fmt::format("argument '{}'", key) : fmt::format("key '{}' of {}", key, dict);
  }
  std::string place(std::string_view table) const override {
    const auto dict = dict_of(table);
    return dict.empty() ? std::string() : fmt::format(" of {}", dict);
  }
  std::string setting(std::string_view table, std::string_view key, std::string_view value) const override {
    if (key == "antiperiodic") return "antiperiodic = True";  // of two words in job files
    return fmt::format("{} = {}{}", key, this->value(value), place(table));
  }
  std::string value(std::string_view text) const override {
    if (text == "true") return "True";
    if (text == "false") return "False";
    if (text == "true or false") return "True or False";
    return std::string(text);
  }
  bool has_lines() const override { return false; }
};

}  // namespace

std::string_view dict_of(std::string_view table) {
  for (const auto& [name, dict] : dicts)
    if (name == table) return dict;
  return {};
}

const Wording& call_wording() {
  static const CallWording of_calls;
  return of_calls;
}

}  // namespace plaq::python
