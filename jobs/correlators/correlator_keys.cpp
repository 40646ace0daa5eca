#include "jobs/correlators/correlator_keys.hpp"

#include "jobs/run/job_momenta.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {
namespace {

void check_quark_smearing(Problems& problems, const QuarkSmearingKeys& keys,
                          const CorrelatorKeys& correlators) {
  const double sigma = keys.parameters.sigma;
  const int steps = keys.parameters.steps;
  if (steps > 0 && sigma == 0)
    problems.missing("quark_smearing.sigma", "the width, where steps is not 0; for example sigma = 2.0");
  if (steps == 0 && correlators.has_sink("smeared"))
    problems.add("correlators.sinks", "\"smeared\" needs [quark_smearing] with steps of at least 1");
}

}  // namespace

std::vector<Key> correlator_keys(const std::vector<Channel>& channels, const std::string& more) {
  return {field(&CorrelatorKeys::channels, "channels",
                std::string(
                    "Two-point functions. Mesons: pion (gamma5), rho (gamma_i, averaged), rho_x, rho_y, "
                    "rho_z, a0 (1), a1 (gamma_i gamma5), b1 (gamma_i gamma_j), and axial_pseudoscalar "
                    "(gamma_t gamma5 at the sink, gamma5 at the source, for the PCAC mass). Baryons: proton; "
                    "proton_12, proton_21 and proton_22 with the second operator of the proton; lambda and "
                    "lambda_singlet; delta (spin 3/2) and delta_half (spin 1/2). Each baryon also has its "
                    "partner of negative parity (_minus). Staggered quarks: the local mesons pion_ps, "
                    "pion_sc, rho_vt and rho_pv (sums of _x, _y, _z), and the local nucleon.") +
                    more)
              .one_of(names_of(channels))
              .not_empty()
              .such_as("[\"pion\", \"rho\"]")
              .without("the pion, or pion_ps of staggered quarks"),
          field(&CorrelatorKeys::max_momentum_squared, "max_momentum_squared", job_momenta_meaning)
              .within(0, 100),
          field(&CorrelatorKeys::sinks, "sinks", "Sinks: local, or smeared as in [quark_smearing].")
              .one_of({"point", "smeared"})
              .not_empty(),
          field(&CorrelatorKeys::spin_matrix, "spin_matrix",
                "true: the job also writes the matrix of sink spin and source spin of each baryon.")};
}

void check_spin_matrix(Problems& problems, const CorrelatorKeys& keys, const std::vector<Channel>& channels) {
  if (keys.spin_matrix && baryons_of(channels).empty())
    problems.add("correlators.spin_matrix", "no baryon is among the channels; for example proton");
}

Rule quark_smearing_rule() {
  return {{"quark_smearing.steps", "quark_smearing.sigma", "correlators.sinks"},
          "Smearing needs sigma. A smeared sink needs smearing.",
          check_quark_smearing};
}

}  // namespace plaq::jobs
