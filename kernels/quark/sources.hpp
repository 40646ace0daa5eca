// Sources of quark propagators. Each function overwrites a field of spinors or of color vectors on both
// parities, any precision and location, without halo; subfield i is column first_column + i, of the twelve
// 3 * spin + color or of the three colors, and is non-zero in that component alone, but for random_source. A
// source is made once for each solve: on the host, and copied to a device; random_source where the field is.
// Not collective; the same bits on any process grid. Positions, slices and columns that do not exist are
// an Error(internal), the same on every rank: callers know the job file and check them before.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/field/field.hpp"
#include "kernels/quark/momentum.hpp"

namespace plaq {

/// 1 at `position`.
void point_source(Field& b, const Extents& position, int first_column = 0);

/// exp(i p x), p = 2 pi n / L, on the time slice t: a wall for n = 0. x counts from the origin of the
/// lattice.
/// @param b  the field that is overwritten
/// @param t  time slice
/// @param n  momentum
/// @param first_column  column of subfield 0
void wall_source(Field& b, int t, const Momentum& n = {0, 0, 0}, int first_column = 0);

/// 1 on the sites of the time slice corner[3] whose x, y, z are those of `corner` modulo 2: of each spatial
/// cube of 2^3 staggered sites one corner. A wall on all sites joins the tastes of a staggered quark at the
/// source, where this one has the phases of a point. Both need a fixed gauge to be more than noise of points.
void corner_wall_source(Field& b, const Extents& corner, int first_column = 0);

/// 1 on the sites of the time slice position[3] at even distances x + y + z from `position`, and `odd` on the
/// others.
/// @param b  the field that is overwritten
/// @param position  an even site of the slice
/// @param odd  value on odd sites, such as 0 or -1
/// @param first_column  column of subfield 0
void even_wall_source(Field& b, const Extents& position, double odd, int first_column = 0);

/// Distances in x, y, z of the sites of a sparse grid on a time slice.
using GridSpacing = std::array<int, 3>;

/// 1 on the sites of the time slice position[3] whose x, y, z are those of `position` modulo the spacing.
/// @param b  the field that is overwritten
/// @param position  a site of the grid
/// @param spacing  distances of its sites, which divide the extents
/// @param first_column  column of subfield 0
void grid_source(Field& b, const Extents& position, const GridSpacing& spacing, int first_column = 0);

/// exp(-r^2 / width^2) on the time slice centre[3], r^2 the sum over x, y, z of min(d, L - d)^2, d the
/// distance from the centre: that to its nearest image. 1 at the centre, not normalised. The width is that
/// of MILC's Gaussian sources (r0), and on unit links that of Gaussian smearing of a point
/// (kernels/quark/gaussian_smearing.hpp); others have exp(-r^2 / (2 w^2)), width = sqrt(2) w. `stride` 2: on
/// sites alone whose distances in x, y and z are even, as staggered quarks want it. Not
/// gauge-covariant: for fields in a fixed gauge.
/// @param b  the field that is overwritten
/// @param center  site of the maximum
/// @param width  in lattice units, above 0
/// @param stride  1, or 2 for staggered quarks
/// @param first_column  column of subfield 0
void gaussian_source(Field& b, const Extents& center, double width, int stride = 1, int first_column = 0);

/// 1 on the sites of the time slice corner[3] whose distances ahead of the corner, around the lattice, are
/// less than `size` in x, y, z, and multiples of `stride`.
/// @param b  the field that is overwritten
/// @param corner  first site of the box
/// @param size  sites in x, y, z
/// @param stride  distance of sites
/// @param first_column  column of subfield 0
void box_source(Field& b, const Extents& corner, const std::array<int, 3>& size, int stride = 1,
                int first_column = 0);

/// exp(i p x) on the whole lattice, x from its origin.
/// @param b  the field that is overwritten
/// @param n  integers of the momentum p_mu = 2 pi (n_mu + half_mu / 2) / L_mu
/// @param first_column  column of subfield 0
/// @param half  1 in directions in which the quarks are antiperiodic, else 0
void momentum_source(Field& b, const std::array<int, 4>& n, int first_column = 0,
                     const std::array<int, 4>& half = {0, 0, 0, 0});

/// Random numbers of a source. Z2: 1 or -1. Z4: 1, i, -1 or -i (Dong, Liu 1994), not the (+-1 +-i)/sqrt(2)
/// that some call so. U1: any phase. Z3: exp(2 pi i n / 3). Each with the same probability. Normal: real and
/// imaginary part are normal deviates of variance 1/2, so that |eta| is not 1. The average of
/// eta(x) eta(y)^* is 1 for x = y, else 0.
enum class Noise { z2, z4, u1, z3, normal };

/// A kind of noise as job files, results and Python name it.
struct NoiseName {
  Noise noise;          ///< kind of random numbers
  const char* name;     ///< name in job files and results
  const char* numbers;  ///< values of the numbers
};
/// All kinds of noise, in the order of the enumeration.
inline constexpr NoiseName noise_names[] = {
    {Noise::z2, "z2", "1 and -1"},
    {Noise::z4, "z4", "1, i, -1 and -i"},
    {Noise::u1, "u1", "of any phase"},
    {Noise::z3, "z3", "1 and exp(+-2 pi i/3)"},
    {Noise::normal, "normal", "with normal deviates of variance 1/2 as real and imaginary parts"}};

/// Name of a kind of noise.
constexpr const char* name_of(Noise noise) { return noise_names[static_cast<int>(noise)].name; }
/// Kind of noise of that name; none if no kind has it.
constexpr std::optional<Noise> noise_named(std::string_view name) {
  for (const NoiseName& one : noise_names)
    if (name == one.name) return one.noise;
  return std::nullopt;
}

/// One number eta(x) a site, the same in all columns (diluted in spin and color), on the time slice t or,
/// left out, on the whole lattice: a slice has the numbers that the whole lattice has there. They belong to
/// (seed, global site, sample).
/// @param b  the field that is overwritten
/// @param noise  kind of random numbers
/// @param seed  of the random numbers
/// @param sample  number of the sample
/// @param t  time slice; none: all
/// @param first_column  column of subfield 0
void noise_source(Field& b, Noise noise, std::uint64_t seed, std::uint32_t sample,
                  std::optional<int> t = std::nullopt, int first_column = 0);

/// The numbers of noise_source() on the sites of grid_source(), 0 on others.
/// @param b  the field that is overwritten
/// @param noise  kind of random numbers
/// @param seed  of the random numbers
/// @param sample  number of the sample
/// @param position  a site of the grid
/// @param spacing  distances of its sites
/// @param first_column  column of subfield 0
void grid_noise_source(Field& b, Noise noise, std::uint64_t seed, std::uint32_t sample,
                       const Extents& position, const GridSpacing& spacing, int first_column = 0);

/// Noise on the sites of grid_source() that is diluted in spin alone: column 3 s has in spin s a number of
/// its own for each color c, that of sample 3 sample + c. Other columns are 0.
/// @param b  the field that is overwritten
/// @param noise  kind of random numbers
/// @param seed  of the random numbers
/// @param sample  number of the sample
/// @param position  a site of the grid
/// @param spacing  distances of its sites
/// @param first_column  column of subfield 0
void spin_noise_source(Field& b, Noise noise, std::uint64_t seed, std::uint32_t sample,
                       const Extents& position, const GridSpacing& spacing, int first_column = 0);

/// Numbers of their own in all n components on the whole lattice, 12 of a spinor, 3 of a color vector:
/// component c of subfield i has the eta of sample n (first + i) + c, so that a source is the same in any
/// batch. Norm squared n times the volume. Vectors of any components, on any lattice.
/// @param b  the field that is overwritten
/// @param noise  kind of random numbers
/// @param seed  of the random numbers
/// @param first  number of subfield 0
void random_source(Field& b, Noise noise, std::uint64_t seed, std::uint32_t first = 0);

}  // namespace plaq
