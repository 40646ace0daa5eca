#include "core/system/wording.hpp"

#include <fmt/format.h>

#include <atomic>

namespace plaq {
namespace {

std::atomic<const Wording*> current = nullptr;

}  // namespace

std::string Wording::key(std::string_view table, std::string_view key) const {
  return fmt::format("key '{}'{}", key, place(table));
}

std::string Wording::place(std::string_view table) const {
  return table.empty() ? " at the top of the file" : fmt::format(" in [{}]", table);
}

std::string Wording::setting(std::string_view table, std::string_view key, std::string_view value) const {
  return fmt::format("{} = {}{}", key, value, place(table));
}

std::string Wording::label(std::string_view table, std::string_view key) const {
  constexpr std::string_view noun = "key ";
  const std::string text = this->key(table, key);
  return text.starts_with(noun) ? text.substr(noun.size()) : text;
}

const Wording& job_file_wording() {
  static const Wording of_job_files;
  return of_job_files;
}

const Wording& wording() {
  const Wording* found = current;
  return found ? *found : job_file_wording();
}

WordingScope::WordingScope(const Wording& wording) : before_(current.exchange(&wording)) {}
WordingScope::~WordingScope() { current = before_; }

}  // namespace plaq
