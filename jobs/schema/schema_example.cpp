// A job file with every key of a job type, from its schema.
#include <fmt/format.h>

#include "jobs/common/terminal_text.hpp"
#include "jobs/schema/show_schema.hpp"

namespace plaq::jobs {
namespace {

std::string values_sentence(const Key& key) {
  std::string text = key.values_text();
  if (key.required) text += "; needed";
  if (!key.required && !key.fallback)
    text += "; " + (key.left_out.empty() ? "may be left out" : "left out: " + key.left_out);
  return text;
}

std::string entry(const Key& key) {
  const std::string value =
      key.required || key.in_example || !key.fallback ? key.example_text() : value_text(*key.fallback);
  const bool active = key.required || key.in_example;
  return wrapped(key.meaning, "# ") + wrapped(values_sentence(key), "#   ") +
         fmt::format("{}{} = {}\n", active ? "" : "#", key.name, value);
}

}  // namespace

std::string schema_example(const std::string& job) {
  const Schema& schema = schema_named(job);
  std::string text = wrapped(schema.meaning, "# ") +
                     wrapped(
                         "Every key is here. Those that may be left out are commented out and show their "
                         "default, or an example where there is none.",
                         "# ");
  for (const Table& table : schema.tables) {
    text += '\n';
    if (!table.name.empty()) text += wrapped(table.meaning, "# ") + fmt::format("[{}]\n", table.name);
    for (const Key& key : table.keys) text += entry(key);
  }
  return text;
}

}  // namespace plaq::jobs
