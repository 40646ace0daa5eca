// The datasets of residual and PCAC masses of domain-wall quarks, [correlators] residual_mass and plateau. Of one source:
//
//   /residual_mass/summed         by the Ward identity summed over the lattice
//   /residual_mass/pcac           [t] bare PCAC mass of the local axial current
//   /residual_mass/pcac_plateau   its average over the plateau
// and with residual_mass = "midpoint"
//   /residual_mass/midpoint           [t] C_mid(t) / C_pion(t)
//   /residual_mass/midpoint_plateau   its average over the plateau
//   /correlators/midpoint_pion/p_0_0_0/point   [t][real, imaginary] C_mid
#pragma once

#include <optional>
#include <string>

#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"
#include "observables/quark/residual_masses.hpp"

namespace plaq::jobs {

// None where the job wants no residual mass. Throws Error(job_file) where the plateau is not on the lattice.
std::optional<ResidualMassSettings> residual_mass_settings(const JobFile& job, const Extents& extents);
// `summed`: over what, at the source.
void add_residual_mass(Results& results, const ResidualMassMeasurement& found, const Plateau& plateau,
                       const std::string& summed);

}  // namespace plaq::jobs
