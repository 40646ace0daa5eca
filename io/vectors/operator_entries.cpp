#include "io/vectors/operator_entries.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "io/vectors/differences.hpp"

namespace plaq {
namespace {

std::string value_of(const std::vector<HeaderEntry>& entries, const std::string& key) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const HeaderEntry& entry) { return entry.key == key; });
  return found == entries.end() ? "none" : found->value;
}

}  // namespace

HeaderEntry number_entry(const std::string& key, double value) { return {key, fmt::format("{}", value)}; }

HeaderEntry numbers_entry(const std::string& key, const std::vector<double>& values) {
  return {key, fmt::format("{}", fmt::join(values, " "))};
}

HeaderEntry boundary_entry(const std::array<int, 4>& signs) {
  return {"boundary", fmt::format("{}", fmt::join(signs, " "))};
}

void for_different_entries(
    const std::vector<HeaderEntry>& in_file, const std::vector<HeaderEntry>& here,
    const std::function<void(const std::string&, const std::string&, const std::string&)>& visit) {
  for (const HeaderEntry& entry : here) {
    const std::string there = value_of(in_file, entry.key);
    if (there != entry.value) visit(entry.key, there, entry.value);
  }
  for (const HeaderEntry& entry : in_file)
    if (value_of(here, entry.key) == "none" && entry.value != "none") visit(entry.key, entry.value, "none");
}

std::string differences_of_modes(const Extents& lattice_in_file, const std::vector<HeaderEntry>& in_file,
                                 const LinkChecksum& links_in_file, const Extents& lattice,
                                 const std::vector<HeaderEntry>& here, const LinkChecksum& links) {
  Differences differences;
  differences.add("lattice", to_string(lattice_in_file), to_string(lattice));
  for_different_entries(in_file, here, [&](const auto&... texts) { differences.add(texts...); });
  differences.add("checksum of the links", links_in_file.text(), links.text());
  return differences.text();
}

}  // namespace plaq
