// The TOML table [stored_propagator] in the text of a stored propagator, behind the job that made it: the
// members of its PropagatorNote.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "observables/quark/propagator_note.hpp"
#include "settings/schema/raw_value.hpp"

namespace plaq::settings {

/// Keys and values of the members that the note has, in the order of the table.
std::vector<std::pair<std::string, Value>> members_of(const PropagatorNote& note);
/// The table with these members, with an empty line before it.
std::string note_text(const PropagatorNote& note);
/// The note in any text, of which only the table must be TOML. Members that the text does not say, or says
/// with another type, are empty.
PropagatorNote note_in(const std::string& text);
/// True if the text has the table, so that note_in() looks for members.
bool has_note(std::string_view text);

}  // namespace plaq::settings
