// Keys and rule of the residual mass in [correlators].
#include <fmt/format.h>

#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/propagator/propagator_keys.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {
namespace {

void check_plateau(Problems& problems, const ResidualMassKeys& keys, const LatticeKeys& lattice) {
  if (!keys.plateau) return;
  const KeyName plateau = "correlators.plateau";
  if (keys.residual_mass == ResidualMass::none)
    problems.add(plateau, "is of the residual mass; for it residual_mass = \"summed\" or \"midpoint\"");
  const auto [first, last] = *keys.plateau;
  if (first > last) return problems.add(plateau, "the first time slice comes after the last one");
  if (lattice.extents && last >= (*lattice.extents)[3])
    problems.add(plateau, fmt::format("time slices from the source are 0 to {}", (*lattice.extents)[3] - 1));
}

void check(Problems& problems, const ResidualMassKeys& keys, const LatticeKeys& lattice, const JobFile& job) {
  check_plateau(problems, keys, lattice);
  if (keys.residual_mass == ResidualMass::none) return;
  const ActionPtr action = action_of_any_mass(job);
  const KeyName residual_mass = "correlators.residual_mass";
  if (const std::string none = action->no_residual_mass(); !none.empty())
    return problems.add(residual_mass, none);
  const std::string none = action->no_midpoint();
  if (keys.residual_mass == ResidualMass::midpoint && !none.empty()) problems.add(residual_mass, none);
}

}  // namespace

std::vector<Key> residual_mass_keys() {
  return {choice(&ResidualMassKeys::residual_mass, "residual_mass",
                 "Domain wall: also the residual mass and the PCAC mass of each source: summed, by the Ward "
                 "identity summed over the lattice; midpoint, also in time, by the pion in the middle of the "
                 "fifth dimension, of even n_s and weights that are the same on all slices.",
                 {{"none", ResidualMass::none},
                  {"summed", ResidualMass::summed},
                  {"midpoint", ResidualMass::midpoint}}),
          field(&ResidualMassKeys::plateau, "plateau",
                "Of these masses: first and last time slice, from the source, that are averaged.")
              .within(0, 4095)
              .such_as("[4, 12]")
              .without("the middle half of all")};
}

Rule residual_mass_rule() {
  return {
      {"correlators.residual_mass", "correlators.plateau", "action.type", "action.n_s", "action.variant",
       "action.omega", "action.sigma", "lattice.extents"},
      "A residual mass is of domain-wall quarks, with omega_s - sigma_s the same on all slices or weights "
      "that are the same read backwards; a midpoint there is for even n_s and the same weights on all "
      "slices; the plateau must be on the lattice.",
      check};
}

}  // namespace plaq::jobs
