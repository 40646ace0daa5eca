// Two-point functions of mesons and baryons, and sums over space of densities of your own.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/error.hpp"
#include "kernels/quark/momentum.hpp"
#include "kernels/site/gamma_matrix.hpp"
#include "plaq/host_field.hpp"
#include "plaq/spinor_field.hpp"

namespace plaq {

inline constexpr std::string_view pion = "pion";      ///< channel of a pseudoscalar meson
inline constexpr std::string_view rho = "rho";        ///< channel of a vector meson
inline constexpr std::string_view a0 = "a0";          ///< channel of a scalar meson
inline constexpr std::string_view a1 = "a1";          ///< channel of an axial vector meson
inline constexpr std::string_view b1 = "b1";          ///< channel of a tensor meson
inline constexpr std::string_view proton = "proton";  ///< channel of the proton, by its positive parity

/// Names of all channels of quarks with 4 spins or of staggered quarks (1), of one quark or of several.
/// Mesons of quarks with spin: Gattringer, Lang 2010, chapter 6; rho, a1 and b1 are averages over directions.
/// The proton is projected onto positive parity, "proton_minus" onto negative parity.
std::vector<std::string> channel_names(int spins = 4, bool one_quark = true);

/// C(p, t) for t = 0, 1, ... from the time slice of the source on, around the lattice.
using Correlator = std::vector<std::complex<double>>;

/// Momentum of a correlator, and the source from which it counts.
struct CorrelatorSettings {
  Momentum momentum{};                           ///< integers n, p = 2 pi n / L in x, y, z
  std::optional<Extents> source = std::nullopt;  ///< site of the source; none: as the quarks say
};

/// C(p, t) = sum_x exp(-i p (x - source)) <O(x) O^dagger(source)> of a meson, connected part. Throws
/// Error(usage) for an unknown channel, and if the quarks are of different gauge fields, sources or
/// boundaries. This and all functions here give the same bits on any process grid.
Correlator meson(const Propagator& quark, std::string_view channel, const CorrelatorSettings& settings = {});
/// C(p, t) as above of a quark and another antiquark.
/// @param quark  propagator of the quark
/// @param antiquark  propagator whose antiquark runs back
/// @param channel  a name of channel_names()
/// @param settings  momentum and source
Correlator meson(const Propagator& quark, const Propagator& antiquark, std::string_view channel,
                 const CorrelatorSettings& settings = {});
/// Spins of a meson: C(p, t) = sum_x exp(...) weight tr[sink S1(x) source gamma5 S2(x)^dagger gamma5], S1 of
/// the quark and S2 of the antiquark.
struct SpinStructure {
  GammaMatrix sink, source;  ///< matrices of spin at the sink and at the source
  double weight = 1;         ///< factor of the trace
};
/// C(p, t) as above, with a spin structure.
/// @param quark  propagator S1
/// @param antiquark  propagator S2
/// @param spins  gamma matrices and weight
/// @param settings  momentum and source
Correlator meson(const Propagator& quark, const Propagator& antiquark, const SpinStructure& spins,
                 const CorrelatorSettings& settings = {});

/// C(p, t) of a baryon of three quarks with equal masses. The boundary's sign in time is taken out.
Correlator baryon(const Propagator& quark, std::string_view channel, const CorrelatorSettings& settings = {});
/// Quarks of a baryon, which may differ.
struct QuarkFlavors {
  const Propagator& up;       ///< u quark
  const Propagator& down;     ///< d quark
  const Propagator& strange;  ///< s quark
};
/// C(p, t) of a baryon as above, of quarks that differ.
Correlator baryon(const QuarkFlavors& quarks, std::string_view channel,
                  const CorrelatorSettings& settings = {});

/// C(p, t) as above for many momenta at once, in their order.
/// @param quark  propagator of the quark
/// @param antiquark  propagator whose antiquark runs back
/// @param channel  a name of channel_names()
/// @param momenta  integers n
/// @param source  site of the source; none: as the quarks say
std::vector<Correlator> meson(const Propagator& quark, const Propagator& antiquark, std::string_view channel,
                              const std::vector<Momentum>& momenta,
                              const std::optional<Extents>& source = std::nullopt);
/// C(p, t) of the sum of spin structures for many momenta at once, in their order.
/// @param quark  propagator S1
/// @param antiquark  propagator S2
/// @param spins  terms of the sum
/// @param momenta  integers n
/// @param source  site of the source; none: as the quarks say
std::vector<Correlator> meson(const Propagator& quark, const Propagator& antiquark,
                              const std::vector<SpinStructure>& spins, const std::vector<Momentum>& momenta,
                              const std::optional<Extents>& source = std::nullopt);
/// C(p, t) of a baryon for many momenta at once, in their order.
/// @param quarks  propagators of the quarks
/// @param channel  a name of channel_names()
/// @param momenta  integers n
/// @param source  site of the source; none: as the quarks say
std::vector<Correlator> baryon(const QuarkFlavors& quarks, std::string_view channel,
                               const std::vector<Momentum>& momenta,
                               const std::optional<Extents>& source = std::nullopt);

/// sum_x exp(-i p (x - source)) density(x, t), t from the time slice of `source` on: a contraction of your
/// own. Sums are exact.
Correlator momentum_sum(const HostField<std::complex<double>>& density, const Momentum& momentum = {},
                        const Extents& source = {});

namespace detail {
/// Sums as above of `numbers` complex numbers a site, density[site][number], as [t][number].
Correlator sum_numbers(const Lattice& lattice, const std::complex<double>* density, int numbers,
                       const Momentum& momentum, const Extents& source);
}  // namespace detail

/// Sums as above of a matrix at each site, such as a propagator: its sink is then a wall.
template <int Rows, int Columns>
std::vector<SiteMatrix<Rows, Columns>> momentum_sum(const HostField<SiteMatrix<Rows, Columns>>& density,
                                                    const Momentum& momentum = {},
                                                    const Extents& source = {}) {
  if (density.count() != 1)
    throw Error(ErrorKind::usage, "momentum_sum(): the field must have one matrix for each site");
  const Correlator sums =
      detail::sum_numbers(density.lattice(), density.data(), Rows * Columns, momentum, source);
  std::vector<SiteMatrix<Rows, Columns>> slices(sums.size() / (Rows * Columns));
  for (std::size_t i = 0; i < sums.size(); ++i)
    slices[i / (Rows * Columns)].values[i % (Rows * Columns)] = sums[i];
  return slices;
}

}  // namespace plaq
