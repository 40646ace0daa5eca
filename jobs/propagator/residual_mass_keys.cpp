// Keys and rule of the residual mass in [correlators].
#include <fmt/format.h>

#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/propagator/residual_masses.hpp"

namespace plaq::jobs {
namespace {

void check_plateau(const JobFile& job, std::vector<Problem>& problems) {
  if (!job.has("correlators", "plateau")) return;
  const auto complain = [&](const std::string& what) {
    problems.push_back({{"correlators", "plateau"}, "'plateau' in [correlators]: " + what});
  };
  const auto& plateau = job.integers("correlators", "plateau");
  if (residual_mass_of(job) == ResidualMass::none)
    complain("is of the residual mass; for it residual_mass = \"summed\" or \"midpoint\"");
  if (plateau[0] > plateau[1]) return complain("the first time slice comes after the last one");
  if (const auto extents = job.optional_four("lattice", "extents"); extents && plateau[1] >= (*extents)[3])
    complain(fmt::format("time slices from the source are 0 to {}", (*extents)[3] - 1));
}

void check(const JobFile& job, std::vector<Problem>& problems) {
  check_plateau(job, problems);
  const ResidualMass kind = residual_mass_of(job);
  if (kind == ResidualMass::none) return;
  const auto complain = [&](const std::string& what) {
    problems.push_back({{"correlators", "residual_mass"}, "'residual_mass' in [correlators]: " + what});
  };
  if (quark_kind(job) != QuarkKind::domain_wall)
    return complain("is of domain-wall quarks; for them type = \"domain_wall\" in [action]");
  if (kind != ResidualMass::midpoint) return;
  if (const auto n_s = job.optional_integer("action", "n_s").value_or(2); n_s % 2 != 0)
    return complain(fmt::format("an odd number of slices, n_s = {}, has no midpoint; take \"summed\"", n_s));
  if (job.optional_string("action", "variant").value_or("shamir") == "optimal")
    complain("the midpoint says it where all slices have the same weights; for optimal ones take \"summed\"");
}

}  // namespace

std::vector<Key> residual_mass_keys() {
  return {
      key::string("residual_mass",
                  "Domain wall: also the residual mass and the PCAC mass of each source: summed, by the "
                  "Ward identity summed over the lattice; midpoint, also in time, by the pion in the middle "
                  "of the fifth dimension, of even n_s and weights that are the same on all slices.")
          .one_of({"none", "summed", "midpoint"})
          .otherwise("none"),
      key::integers("plateau",
                    "Of these masses: first and last time slice, from the source, that are averaged.")
          .of_length(2)
          .within(0, 4095)
          .such_as("[4, 12]")
          .without("the middle half of all")};
}

Rule residual_mass_rule() {
  return {
      {{"correlators", "residual_mass"},
       {"correlators", "plateau"},
       {"action", "type"},
       {"action", "n_s"},
       {"action", "variant"},
       {"lattice", "extents"}},
      "A residual mass is of domain-wall quarks; a midpoint there is for even n_s and variants other than "
      "optimal; the plateau must be on the lattice.",
      check};
}

}  // namespace plaq::jobs
