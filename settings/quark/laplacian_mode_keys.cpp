#include "settings/quark/laplacian_mode_keys.hpp"

#include "quarks/distillation/laplacian_mode_settings.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

std::vector<Key> laplacian_mode_keys() {
  using Modes = LaplacianModeSettings;
  return {
      field(&Modes::modes, "modes", "Number of modes of each time slice, from the lowest eigenvalue on.")
          .within(1, 1 << 16),
      field(&Modes::tolerance, "tolerance",
            "Largest ||A v - value v|| of a mode v of norm 1, where A is minus the Laplacian, whose "
            "eigenvalues "
            "are at most 12.")
          .between(0, 1),
      field(&Modes::basis, "basis",
            "Number of vectors of the Lanczos basis of each time slice, in double precision. At least modes, "
            "rounded up to blocks, and a block, or all vectors of a slice.")
          .within(4, 1 << 17)
          .such_as("160")
          .without("twice the modes and two blocks"),
      field(&Modes::filter_degree, "filter_degree",
            "Largest degree of the Chebyshev polynomial that filters the Laplacian in Lanczos.")
          .within(1, 10000),
      field(
          &Modes::block, "block",
          "Vectors of a block, in units of four color vectors: so many share the links in each application.")
          .within(1, 64),
      field(
          &Modes::max_applications, "max_applications",
          "Largest number of applications of the Laplacian to a block. Beyond it the job ends with an error.")
          .within(1, 1e9),
      field(&Modes::seed, "seed", "Seed of the random start vectors.").at_least(0),
      field(
          &Modes::boundary, "boundary",
          "Signs of hops over the edge of the lattice in x, y, z: those of the quarks that are smeared. 1 is "
          "periodic, -1 antiperiodic.")
          .within(-1, 1)};
}

Rule laplacian_mode_rule(const std::string& name) {
  const std::string boundary = name + ".boundary";
  return {{boundary.c_str()},
          "Each boundary sign is 1 or -1.",
          [boundary](Problems& problems, const Settings& settings) {
            for (const int sign : settings.get<LaplacianModeSettings>().boundary)
              if (sign == 0) problems.add(boundary.c_str(), "found 0, must be 1 or -1");
          }};
}

}  // namespace plaq::settings
