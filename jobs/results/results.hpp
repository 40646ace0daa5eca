// Results of a job: an ordered tree of datasets and groups with attributes, as it goes to an HDF5 file
// (jobs/results/output_file.hpp) and to a journal. They are of one gauge field at first; stack() makes an
// ensemble's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "jobs/schema/job_file.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::jobs {

struct Dataset {
  using Values = std::variant<std::vector<double>, std::vector<std::int64_t>>;
  std::string path;                  // "/correlators/pion"
  std::vector<std::size_t> extents;  // slowest first; none: one number
  Values values;                     // as many as the product of the extents
  Attributes attributes;             // `axes`: the names of the extents; `units`
  bool operator==(const Dataset&) const = default;
};

// NaN and signed zeros included.
bool same_bits(const Dataset::Values& one, const Dataset::Values& other);

struct Group {
  std::string path;  // "/action"; "/" is the root
  Attributes attributes;
  bool numbered = false;  // differs from field to field: stack() makes PATH/000000, PATH/000001, ... of it
  bool operator==(const Group&) const = default;
};

struct Results {
  std::vector<Group> groups;
  std::vector<Dataset> datasets;

  void group(std::string path, Attributes attributes) {
    groups.push_back({std::move(path), std::move(attributes), false});
  }
  void numbered_group(std::string path, Attributes attributes) {
    groups.push_back({std::move(path), std::move(attributes), true});
  }
  void dataset(std::string path, std::vector<std::size_t> extents, Dataset::Values values,
               Attributes attributes = {}) {
    datasets.push_back({std::move(path), std::move(extents), std::move(values), std::move(attributes)});
  }
  void append(const Results& other);
  bool operator==(const Results&) const = default;
};

// Datasets get a leading extent, the number of results, and `axis` in front of their attribute `axes`. All
// results must have the same datasets and groups in the same order, with equal extents and attributes (but
// those of numbered groups): else an internal error. Empty for an empty list.
Results stack(const std::vector<Results>& list, const std::string& axis);

// Little-endian bytes that begin with the number of their layout, and back. No result from bytes of another
// layout, or that end too early or late.
std::string to_bytes(const Results& results);
std::optional<Results> results_from_bytes(std::string_view bytes);

// Null where there is no such dataset.
const Dataset* find_dataset(const Results& results, std::string_view path);
// The gauge field's file that results of one field are of, as /gauge says it; null: they do not.
const std::string* find_gauge_file(const Results& results);
// `axes`, `units` and `meaning`.
Attributes described(std::vector<std::string> axes, std::string units, std::string meaning);
// Null where there is no such attribute.
const Attribute* find_attribute(const Attributes& attributes, std::string_view name);
// Null also where it is of another type than T: a file may say anything.
template <class T>
const T* find_attribute(const Attributes& attributes, std::string_view name) {
  const Attribute* found = find_attribute(attributes, name);
  return found == nullptr ? nullptr : std::get_if<T>(found);
}

}  // namespace plaq::jobs
