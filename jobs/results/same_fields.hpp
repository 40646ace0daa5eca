// One gauge field under two names: copies, or files of several formats. Rows of it would count twice. Serial.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "jobs/results/results.hpp"

namespace plaq::jobs {

// Numbers that tell gauge fields apart.
struct FieldSums {
  std::string file, checksum;  // of the links; empty: not known
  std::optional<double> plaquette, link_trace;
};
// Sums in the attributes that results have of a gauge field: /gauge/000000.
FieldSums field_sums(const Attributes& of_gauge);

enum class Likeness {
  different,
  alike,  // in plaquette and link trace: one field in two formats or precisions, or moved by a translation
  same,   // the same links: checksum, and plaquette and link trace as far as they are known
};
// `sites`: of the lattice. Plaquettes and link traces are equal within what single precision changes, which
// is a millionth of their spread over an ensemble.
Likeness compare_fields(const FieldSums& one, const FieldSums& other, double sites);

struct SameFields {
  std::size_t first = 0, second = 0;  // first < second
  Likeness likeness = Likeness::same;
};
// All pairs of fields that are not different, by `second`.
std::vector<SameFields> find_same_fields(const std::vector<FieldSums>& fields, double sites);

// "b.nersc has the same links as a.nersc and would count twice", or why that is likely.
std::string same_fields_text(const std::string& one, const std::string& other, Likeness likeness);

}  // namespace plaq::jobs
