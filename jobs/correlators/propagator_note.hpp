// What the text of a stored propagator says of it, behind the job that made it: the TOML table [stored_propagator], by
// which others know whether two propagators belong together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/lattice/geometry.hpp"

namespace plaq::jobs {

struct PropagatorNote {
  // Of the gauge field: the name of its file, that file's format, and its checksum, of the header where that has one.
  std::string gauge_file, gauge_format, gauge_checksum;
  std::optional<int> source;         // its number
  std::string source_type;           // as [source] has it
  std::optional<std::int64_t> seed;  // of noise
  std::optional<Extents> position;
  std::string action;  // the type of [action]
  std::optional<double> mass;
  std::optional<int> boundary;  // of the quark in time: its sign

  bool is_of_noise() const { return source_type == "z2" || source_type == "z4"; }
  bool operator==(const PropagatorNote&) const = default;
};

// The table, with an empty line before it. All members are there, but for the seed where there is no noise.
std::string text_of(const PropagatorNote& note);
// Of any text: members that it does not say are empty.
PropagatorNote note_in(const std::string& text);

}  // namespace plaq::jobs
