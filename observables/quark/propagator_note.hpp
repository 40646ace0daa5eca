// Origin of a quark field: its gauge field, source, action and boundary. It tells whether two quark fields
// belong together, and stored propagators say it in their file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/lattice/geometry.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "quarks/source/source.hpp"

namespace plaq {

class Action;

/// Origin of a quark field. A member without a value is not known.
struct PropagatorNote {
  /// Gauge field: the name of its file, that file's format, and its checksum, from the header if it has one.
  std::string gauge_file = {}, gauge_format = {}, gauge_checksum = {};
  std::optional<int> source = {};                 ///< number of the source
  std::string source_type = {};                   ///< kind of the source: Source::type()
  std::optional<std::int64_t> seed = {};          ///< seed of noise
  std::string dilution = {};                      ///< "spin" of noise that is diluted in spin alone
  std::optional<Extents> position = {};           ///< site of the source
  std::string derivative = {};                    ///< letters of the source's derivatives: "xy" of D_x D_y
  std::string action = {};                        ///< name of the action's type
  std::optional<double> mass = {};                ///< in lattice units
  std::optional<double> twisted_mass = {};        ///< mu of twisted-mass quarks, in lattice units
  std::optional<int> boundary = {};               ///< sign of the quark around the lattice in time
  std::optional<SpaceSigns> space_boundary = {};  ///< signs of the quark around the lattice in x, y, z

  /// True if the source is noise.
  bool is_of_noise() const { return noise_named(source_type).has_value(); }
  bool operator==(const PropagatorNote&) const = default;
};

/// mu of twisted-mass quarks; none for other quarks.
std::optional<double> twisted_mass_of(const Action& action);

/// Note of quarks that were solved for from a source: its type, its position, and seed and sample of noise.
PropagatorNote source_note(const Source& source);

/// Note of a sum of two fields: the members that one of them has, without those that differ between
/// them.
PropagatorNote common_note(const PropagatorNote& a, const PropagatorNote& b);

}  // namespace plaq
