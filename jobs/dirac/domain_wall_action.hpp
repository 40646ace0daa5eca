// Domain-wall quarks.
#pragma once

#include "jobs/dirac/discretisation.hpp"
#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"

namespace plaq::jobs {

enum class WallKind { shamir, borici, moebius, optimal };

struct DomainWallChoice {
  WallKind kind = WallKind::shamir;
  int n_s = 8;
  double m0 = 1.8, mass = 0;
  double b5 = 1, c5 = 0;                 // Moebius
  std::optional<SpectralBounds> bounds;  // of |H_w|, for optimal weights; none: measured
  std::array<int, 4> boundary{1, 1, 1, -1};

  bool measures_bounds() const { return kind == WallKind::optimal && !bounds; }
  // Where bounds are measured: with these ones. Throws Error(job_file).
  DomainWallParameters parameters(const std::optional<SpectralBounds>& measured = {}) const;
};

ActionParameters domain_wall_action(const DomainWallChoice& choice);

}  // namespace plaq::jobs
