// Keys of a contract job: quarks by name, and the quarks of mesons and baryons.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "jobs/schema/job_file.hpp"
#include "kernels/gauge/link_copies.hpp"

namespace plaq::jobs {

struct QuarkKeys {
  std::vector<std::string> names, files;  // a file name for each
  int boundary = -1;                      // of all of them in time: its sign
  SpaceSigns space_boundary = periodic_in_space;
};
// Fault of the name of a quark; none if it is valid.
std::optional<std::string> validate_quark_name(const std::string& name);
// With {source} and what names of files of gauge fields may have (jobs/run/field_names.hpp).
inline constexpr const char* source_word = "{source}";
std::optional<std::string> validate_quark_file_name(const std::string& name);

struct StoredSourceKeys {
  int count = 1;
  std::optional<Extents> position;  // of the first one; none: the files say
  Extents shift{};
};

struct ContentKeys {
  std::vector<std::string> mesons, baryons;  // "light_strange", "light_light_strange"
};

// Numbers of quarks: of quark and antiquark, and of u, d and s.
struct Contents {
  std::vector<std::vector<std::size_t>> mesons, baryons;
};
// Contents of [correlators]. If it names none: mesons of all pairs, each once, and baryons of the only quark,
// as far as there are channels.
Contents contents_of(const Settings& job);
// The numbers of the quarks in "light_strange"; none where it is not of `count` quarks with these names.
std::optional<std::vector<std::size_t>> quarks_in(const std::string& content, std::size_t count,
                                                  const std::vector<std::string>& names);

/// The schema of contract jobs.
const Schema& contract_schema();

}  // namespace plaq::jobs
