// Checks that quark fields belong together in one correlator, as far as their notes say it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "observables/quark/channels.hpp"
#include "observables/quark/propagator_note.hpp"

namespace plaq {

// A quark field under the name that errors give it: its file, or an argument.
struct NotedQuark {
  std::string name;
  const PropagatorNote* note;
};
using NotedQuarks = std::vector<NotedQuark>;

// Each function returns what is wrong, or nothing. Members that a note does not have are never wrong.

/// Two quarks are of different gauge fields. Checksums of files of different formats are not compared.
/// `gauge` is the field that the quarks must be of, with its gauge_file, gauge_format
/// and gauge_checksum; it may be null.
std::optional<std::string> mismatch_of_gauge_fields(const NotedQuark* gauge, const NotedQuarks& quarks);

/// Two quarks have sources at different sites, or different noise.
std::optional<std::string> mismatch_of_sources(const NotedQuarks& quarks);

/// Two quarks have different signs around the lattice: the correlator would change its sign at the edge.
std::optional<std::string> mismatch_of_boundaries(const NotedQuarks& quarks);

/// The source that a note states is outside the lattice of its file.
std::optional<std::string> misplaced_source(const PropagatorNote& note, const std::string& file,
                                            const Extents& extents);

/// The channel has no momenta 2 pi n / L with quarks of these signs.
std::optional<std::string> refuse_in_space(const SpaceSigns& boundary, const Channel& channel);

/// The source is a function of x that is not covariant under a shift of the edge of the lattice, where quarks
/// of these signs change theirs. `type` is Source::type().
std::optional<std::string> refuse_source_in_space(const SpaceSigns& boundary, const std::string& type);

/// Noise does not give this channel, or not at momenta other than 0.
std::optional<std::string> refuse_noise(const NotedQuark& quark, const Channel& channel, bool with_momenta);

}  // namespace plaq
