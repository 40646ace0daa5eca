#include "jobs/results/same_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plaq::jobs {
namespace {

// Rounding links to single precision changes a mean over the lattice by some 3e-8 / sqrt(sites). The spread
// of means over an ensemble falls with the number of sites in the same way.
constexpr double rounding_of_links = 3e-7;
constexpr std::size_t words_of_one_sum = 8;  // hexadecimal digits: two of 100,000 fields may share them

double closeness(double sites) { return rounding_of_links / std::sqrt(std::max(1.0, sites)); }

struct Compared {
  bool known = false, near = true;
};
Compared compare(const std::optional<double>& one, const std::optional<double>& other, double sites) {
  if (!one || !other) return {};
  return {true, std::abs(*one - *other) <= closeness(sites)};
}

std::optional<double> number(const Attributes& attributes, std::string_view name) {
  const Attribute* found = find_attribute(attributes, name);
  const auto* value = found == nullptr ? nullptr : std::get_if<double>(found);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::string words(const Attributes& attributes, std::string_view name) {
  const Attribute* found = find_attribute(attributes, name);
  const auto* value = found == nullptr ? nullptr : std::get_if<std::string>(found);
  return value == nullptr ? std::string() : *value;
}

}  // namespace

FieldSums field_sums(const Attributes& of_gauge) {
  FieldSums sums{words(of_gauge, "file"), words(of_gauge, "checksum"), number(of_gauge, "plaquette"),
                 number(of_gauge, "link_trace")};
  if (sums.checksum == "none") sums.checksum.clear();  // of a format without
  return sums;
}

Likeness compare_fields(const FieldSums& one, const FieldSums& other, double sites) {
  const Compared plaquette = compare(one.plaquette, other.plaquette, sites),
                 trace = compare(one.link_trace, other.link_trace, sites);
  if (!plaquette.near || !trace.near) return Likeness::different;
  if (!one.checksum.empty() && one.checksum == other.checksum &&
      (plaquette.known || trace.known || one.checksum.size() > words_of_one_sum))
    return Likeness::same;
  return plaquette.known && trace.known ? Likeness::alike : Likeness::different;
}

std::vector<SameFields> find_same_fields(const std::vector<FieldSums>& fields, double sites) {
  std::vector<SameFields> found;
  const auto look_at = [&](std::size_t i, std::size_t j) {
    const auto [first, second] = std::minmax(i, j);
    const Likeness likeness = compare_fields(fields[first], fields[second], sites);
    if (likeness != Likeness::different) found.push_back({first, second, likeness});
  };
  // Equal ones are neighbours in the order of plaquettes, or of checksums where plaquettes are not known.
  std::vector<std::size_t> with, without;
  for (std::size_t i = 0; i < fields.size(); ++i) (fields[i].plaquette ? with : without).push_back(i);
  std::sort(with.begin(), with.end(),
            [&](std::size_t i, std::size_t j) { return *fields[i].plaquette < *fields[j].plaquette; });
  for (std::size_t a = 0; a < with.size(); ++a)
    for (std::size_t b = a + 1;
         b < with.size() && *fields[with[b]].plaquette - *fields[with[a]].plaquette <= closeness(sites); ++b)
      look_at(with[a], with[b]);
  for (const std::size_t i : without)
    for (std::size_t j = 0; j < fields.size(); ++j)
      if (fields[j].plaquette || j > i) look_at(i, j);
  std::sort(found.begin(), found.end(), [](const SameFields& a, const SameFields& b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  });
  return found;
}

std::string same_fields_text(const std::string& one, const std::string& other, Likeness likeness) {
  if (likeness == Likeness::same)
    return fmt::format("{} has the same links as {} and would count twice", one, other);
  return fmt::format(
      "{} has the plaquette and the link trace of {}: where both are one field, in another format or moved "
      "by "
      "a translation, it counts twice",
      one, other);
}

}  // namespace plaq::jobs
