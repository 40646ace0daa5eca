#include "observables/quark/quarks_together.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace plaq {
namespace {

// The first quark whose note has a member, and each later one that differs from it.
template <class Member, class Fault>
std::optional<std::string> first_that_differs(const NotedQuarks& quarks, const Member& member,
                                              const Fault& fault) {
  const NotedQuark* first = nullptr;
  for (const NotedQuark& quark : quarks) {
    if (!member(*quark.note)) continue;
    if (first == nullptr) first = &quark;
    if (member(*quark.note) != member(*first->note)) return fault(*first, quark);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> mismatch_of_gauge_fields(const NotedQuark* gauge, const NotedQuarks& quarks) {
  const NotedQuark* first = gauge != nullptr && !gauge->note->gauge_checksum.empty() ? gauge : nullptr;
  for (const NotedQuark& quark : quarks) {
    const PropagatorNote& mine = *quark.note;
    if (mine.gauge_checksum.empty()) continue;
    if (first == nullptr) first = &quark;
    const PropagatorNote& other = *first->note;
    if (other.gauge_format != mine.gauge_format || other.gauge_checksum == mine.gauge_checksum) continue;
    return fmt::format(
        "{} is a propagator of the gauge field {} (checksum {}), {} {} {} (checksum {}): "
        "they do not belong together",
        quark.name, mine.gauge_file, mine.gauge_checksum, first->name, first == gauge ? "has" : "of",
        other.gauge_file, other.gauge_checksum);
  }
  return std::nullopt;
}

std::optional<std::string> mismatch_of_sources(const NotedQuarks& quarks) {
  const NotedQuark* typed = nullptr;
  for (const NotedQuark& quark : quarks) {
    const PropagatorNote& mine = *quark.note;
    if (mine.source_type.empty()) continue;
    if (typed == nullptr) typed = &quark;
    const PropagatorNote& other = *typed->note;
    if ((mine.is_of_noise() || other.is_of_noise()) &&
        (mine.source_type != other.source_type || mine.seed != other.seed || mine.source != other.source ||
         mine.dilution != other.dilution))
      return fmt::format("{}: its source is other noise than that of {}, which averages to nothing with it",
                         quark.name, typed->name);
  }
  return first_that_differs(
      quarks, [](const PropagatorNote& note) { return note.position; },
      [](const NotedQuark& first, const NotedQuark& quark) {
        return fmt::format("{}: its source is at {}, that of {} at {}: they do not belong together",
                           quark.name, to_string(*quark.note->position), first.name,
                           to_string(*first.note->position));
      });
}

std::optional<std::string> mismatch_of_boundaries(const NotedQuarks& quarks) {
  if (const auto in_space = first_that_differs(
          quarks, [](const PropagatorNote& note) { return note.space_boundary; },
          [](const NotedQuark& first, const NotedQuark& quark) {
            return fmt::format(
                "{}: its quark has the signs ({}) around the lattice in x, y, z, that of {} has ({}): a "
                "correlator of both has no momenta 2 pi n / L",
                quark.name, fmt::join(*quark.note->space_boundary, ", "), first.name,
                fmt::join(*first.note->space_boundary, ", "));
          }))
    return in_space;
  return first_that_differs(
      quarks, [](const PropagatorNote& note) { return note.boundary; },
      [](const NotedQuark& first, const NotedQuark& quark) {
        return fmt::format(
            "{}: its quark has the sign {} around the lattice in time, that of {} has {}: a "
            "correlator of both has another sign behind the edge of the lattice than before it",
            quark.name, *quark.note->boundary, first.name, *first.note->boundary);
      });
}

std::optional<std::string> misplaced_source(const PropagatorNote& note, const std::string& file,
                                            const Extents& extents) {
  if (!note.position) return std::nullopt;
  for (std::size_t mu = 0; mu < 4; ++mu)
    if ((*note.position)[mu] < 0 || (*note.position)[mu] >= extents[mu])
      return fmt::format("{}: its text says that its source is at ({}), outside the lattice {}", file,
                         fmt::join(*note.position, ", "), to_string(extents));
  return std::nullopt;
}

std::optional<std::string> refuse_in_space(const SpaceSigns& boundary, const Channel& channel) {
  if (boundary == periodic_in_space || channel.is_meson()) return std::nullopt;
  return fmt::format(
      "{}: three quarks that are antiperiodic in space have momenta 2 pi (n + 1/2) / L, which "
      "correlators do not have; take quarks that are periodic in space, or mesons",
      channel.name);
}

std::optional<std::string> refuse_source_in_space(const SpaceSigns& boundary, const std::string& type) {
  if (boundary == periodic_in_space) return std::nullopt;
  for (const char* extended :
       {"wall", "corner_wall", "even_wall", "even_minus_odd_wall", "grid", "momentum", "gaussian", "box"})
    if (type == extended)
      return fmt::format(
          "a {} source knows no sign at the edge of the lattice, and the quarks have ({}) in x, y, z; "
          "take a point, smeared or not, noise, or a source from a file",
          type, fmt::join(boundary, ", "));
  return std::nullopt;
}

std::optional<std::string> refuse_noise(const NotedQuark& quark, const Channel& channel, bool with_momenta) {
  if (!quark.note->is_of_noise()) return std::nullopt;
  if (!channel.no_noise.empty())
    return fmt::format("{}: is of a {} source, and {}", quark.name, quark.note->source_type,
                       channel.no_noise);
  if (with_momenta)
    return fmt::format("{}: is of a {} source, which has momentum 0 alone", quark.name,
                       quark.note->source_type);
  return std::nullopt;
}

}  // namespace plaq
