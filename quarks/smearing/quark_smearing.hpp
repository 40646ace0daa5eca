// Gaussian smearing of quarks with spin or staggered quarks, by plain parameters.
#pragma once

#include <memory>

#include "kernels/gauge/link_smearing.hpp"
#include "kernels/quark/gaussian_smearing_parameters.hpp"

namespace plaq {

class QuarkSmearing;
struct SharedLattice;

/// Settings of Gaussian smearing.
struct QuarkSmearingSettings {
  GaussianSmearingParameters gaussian = {};  ///< width, steps and boundary
  LinkSmearing links = {};                   ///< of the links that the smearing hops on
};

/// The smearing of quarks of `spins` spins, 4 or 1 of staggered quarks, in double precision. Collective. It
/// has its own copy of the links. Throws Error(job_file) for impossible parameters.
/// @param gauge  links as smear_links() takes them; smeared themselves if `settings` says so
/// @param lattice  ranks and sites
/// @param settings  smearing of quarks and of links
/// @param spins  4, or 1 of staggered quarks
std::unique_ptr<QuarkSmearing> make_quark_smearing(const SharedLattice& lattice, Field gauge,
                                                   const QuarkSmearingSettings& settings, int spins);

}  // namespace plaq
