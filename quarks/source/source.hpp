// Sources of quark propagators as plain parameters, before there is a lattice,
// and the functions that make them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/field/field.hpp"
#include "core/system/error.hpp"
#include "kernels/quark/momentum.hpp"
#include "kernels/quark/sources.hpp"

namespace plaq {

/// The random numbers of a noise source: a sample of those that belong to a seed.
struct NoiseSample {
  std::int64_t seed;     ///< seed of the random numbers
  std::uint32_t number;  ///< number of the sample, from 0 on
};

/// Right-hand sides of a propagator: one column for each color, and for each spin of quarks with spin,
/// 3 * spin + color. Each column is non-zero in its own component alone, but for sources from files and noise
/// that is diluted in spin alone.
class Source {
 public:
  /// A source at a site.
  explicit Source(const Extents& position) : position_(position) {}
  virtual ~Source() = default;

  /// Kind of the source as results, notes of quark fields and job files name it: "point", "wall", ...
  virtual std::string type() const = 0;
  /// Site x, y, z, t of the source. Correlators count time from its t, and phases of momenta from its x, y,
  /// z.
  const Extents& position() const { return position_; }
  int time_slice() const { return position_[3]; }  ///< t of the site
  /// Seed and number of the sample of a noise source; none of any other source.
  virtual std::optional<NoiseSample> noise() const { return std::nullopt; }
  bool is_noise() const { return noise().has_value(); }  ///< true if the source is noise
  /// Distance of the columns that are not 0, from column 0 on: 1, or 3 of noise diluted in spin alone.
  virtual int column_stride() const { return 1; }
  /// Kind of source that quarks with spin have in place of this one: its own type, unless it is of
  /// staggered quarks alone.
  virtual std::string type_with_spin() const { return type(); }

  /// The first parameter that does not fit a lattice of these extents; none if all do.
  virtual std::optional<ParameterFault> fault(const Extents& lattice) const;
  /// Throws Error(usage) if fault() finds one.
  void expect_on(const Extents& lattice) const;

  /// Overwrites a field of spinors or color vectors with columns `first_column` to first_column +
  /// b.subfields() - 1: both parities, any precision and location, no halo. The bits are the same on any
  /// process grid. Not collective.
  virtual void fill(Field& b, int first_column = 0) const = 0;
  /// Phrase for the normalisation of correlators: the points of the source that they are summed over.
  virtual std::string summed() const = 0;

 private:
  Extents position_;
};
/// A source that may be shared.
using SourcePtr = std::shared_ptr<const Source>;

/// 1 at `position`.
SourcePtr point_source(const Extents& position);

/// 1 on the time slice of `position`.
SourcePtr wall_source(const Extents& position);

/// exp(i p x) on the time slice of `position`, p = 2 pi n / L. x counts from the origin of the lattice.
SourcePtr momentum_wall_source(const Extents& position, const Momentum& n);

/// 1 on the sites of the time slice of `position` whose x, y, z are those of `position` modulo 2. For
/// staggered quarks, whose tastes a wall would mix.
SourcePtr corner_wall_source(const Extents& position);

/// 1 on the sites of the time slice of `position` at even distances x + y + z from it. For staggered quarks.
SourcePtr even_wall_source(const Extents& position);
/// An even wall minus the wall of the other sites of the slice. For staggered quarks.
SourcePtr even_minus_odd_wall_source(const Extents& position);

/// 1 on the sites of the time slice of `position` whose x, y, z are those of `position` modulo `spacing`: a
/// sparse grid. The spacing must divide the extents.
SourcePtr grid_source(const Extents& position, const GridSpacing& spacing);

/// exp(-r^2 / width^2) on the time slice of `center`, r the shortest way from `center` around the lattice.
/// Not gauge-covariant.
/// @param width  in lattice units, above 0
/// @param stride  2 keeps only sites at even distances in x, y and z, for staggered quarks
SourcePtr gaussian_source(const Extents& center, double width, int stride = 1);

/// 1 on `size` sites in x, y, z from `corner` on, around the lattice. Not gauge-covariant.
/// `stride` is that of gaussian_source().
SourcePtr box_source(const Extents& corner, const std::array<int, 3>& size, int stride = 1);

/// Noise on the time slice of `position`, the same in all columns. A slice has the numbers that the whole
/// lattice has there.
SourcePtr noise_source(const Extents& position, Noise noise, const NoiseSample& sample);
/// Noise on the sites of grid_source() alone.
/// @param position  a site of the grid
/// @param noise  kind of random numbers
/// @param sample  random numbers, those that the slice has on these sites
/// @param spacing  distances of the sites of the grid
SourcePtr noise_source(const Extents& position, Noise noise, const NoiseSample& sample,
                       const GridSpacing& spacing);
/// Noise as above that is diluted in spin alone: column 3 spin has numbers of their own in all colors of the
/// spin, and other columns are 0. Averages of mesons are those of other noise, for a third of the solves.
/// @param position  a site of the grid
/// @param noise  kind of random numbers
/// @param sample  random numbers
/// @param spacing  distances of the sites of the grid
SourcePtr spin_noise_source(const Extents& position, Noise noise, const NoiseSample& sample,
                            const GridSpacing& spacing = {1, 1, 1});
/// Noise on the whole lattice. Its position is the origin.
SourcePtr noise_source(Noise noise, const NoiseSample& sample);

/// exp(i p x) on the whole lattice, x from the origin, which is its position: for vertices of quarks
/// (observables/quark/vertices.hpp).
/// @param n  integers of p_mu = 2 pi (n_mu + half_mu / 2) / L_mu, within the Brillouin zone
/// @param half  1 in directions in which the quarks are antiperiodic, else 0
SourcePtr volume_momentum_source(const std::array<int, 4>& n, const std::array<int, 4>& half = {0, 0, 0, 0});

/// The columns of a field, as files have them: any numbers, in double precision.
SourcePtr file_source(const Extents& position, const Field& columns);

/// Site number k of those that begin with `first`, each `shift` from the one before, around the lattice.
/// @param first  site number 0
/// @param shift  distance of neighbouring sites
/// @param k  number of the site
/// @param extents  extents of the whole lattice
Extents source_site(const Extents& first, const Extents& shift, int k, const Extents& extents);

}  // namespace plaq
