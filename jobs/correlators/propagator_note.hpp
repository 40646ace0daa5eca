// What the text of a stored propagator says of it, behind the job that made it: the TOML table [stored_propagator], by
// which others know whether two propagators belong together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "jobs/schema/schema.hpp"
#include "kernels/gauge/boundary_signs.hpp"

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
  std::optional<SpaceSigns> space_boundary;

  bool is_of_noise() const { return source_type == "z2" || source_type == "z4" || source_type == "u1"; }
  bool operator==(const PropagatorNote&) const = default;
};

/// Keys and values of the members that the note has, in the order of the table.
std::vector<std::pair<std::string, Value>> members_of(const PropagatorNote& note);
/// The table with these members, with an empty line before it.
std::string text_of(const PropagatorNote& note);
/// The note in any text, of which only the table must be TOML. Members that the text does not say, or says with another
/// type, are empty.
PropagatorNote note_in(const std::string& text);
/// Whether note_in() would look for members.
bool has_note(std::string_view text);
/// What is known of a sum of two fields: the members that one of them says, but for those that both say differently.
PropagatorNote common_note(const PropagatorNote& a, const PropagatorNote& b);

}  // namespace plaq::jobs
