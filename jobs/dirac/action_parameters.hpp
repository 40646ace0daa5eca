// What a job says of its Dirac matrix, before there is a gauge field.
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "core/field/field.hpp"
#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"
#include "kernels/dirac/staggered/staggered_parameters.hpp"
#include "kernels/dirac/wilson/wilson_parameters.hpp"

namespace plaq::jobs {

// Staggered quarks with fat and long links made from the thin ones (kernels/gauge/asqtad_links.hpp).
struct AsqtadParameters {
  StaggeredParameters staggered;  // its naik is what u0 makes of it
  double u0 = 1;                  // tadpole
};

enum class WallKind { shamir, borici, moebius, optimal };

struct DomainWallChoice {
  WallKind kind = WallKind::shamir;
  int n_s = 8;
  double m0 = 1.8, mass = 0;
  double b5 = 1, c5 = 0;                            // Moebius
  std::optional<std::pair<double, double>> bounds;  // of |H_w|, for optimal weights; none: measured
  std::array<int, 4> boundary{1, 1, 1, -1};

  bool measures_bounds() const { return kind == WallKind::optimal && !bounds; }
  // Where bounds are measured: with these ones. Throws Error(job_file).
  DomainWallParameters parameters(const std::optional<std::pair<double, double>>& measured = {}) const;
};

using ActionParameters =
    std::variant<WilsonParameters, StaggeredParameters, AsqtadParameters, DomainWallChoice>;

double mass_of(const ActionParameters& parameters);
int slices_of(const ActionParameters& parameters);  // N_s; 1 in four dimensions
// Of x and b of M x = b: double precision, both parities.
FieldSpec full_spec(const ActionParameters& parameters, int batch, Location location);

}  // namespace plaq::jobs
