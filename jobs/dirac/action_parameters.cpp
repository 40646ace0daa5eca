#include "jobs/dirac/action_parameters.hpp"

#include "core/system/error.hpp"
#include "kernels/dirac/domain_wall/optimal_weights.hpp"

namespace plaq::jobs {

DomainWallParameters DomainWallChoice::parameters(
    const std::optional<std::pair<double, double>>& measured) const {
  DomainWallParameters p;
  switch (kind) {
    case WallKind::shamir:
      p = DomainWallParameters::shamir(n_s, m0, mass);
      break;
    case WallKind::borici:
      p = DomainWallParameters::borici(n_s, m0, mass);
      break;
    case WallKind::moebius:
      p = DomainWallParameters::moebius(n_s, m0, mass, b5, c5);
      break;
    case WallKind::optimal: {
      const auto& range = bounds ? bounds : measured;
      require(range.has_value(), "optimal weights without the spectral bounds that they are for");
      p = DomainWallParameters::optimal(optimal_weights(n_s, range->first, range->second), m0, mass);
      break;
    }
  }
  p.boundary = boundary;
  return p;
}

double mass_of(const ActionParameters& parameters) {
  struct Mass {
    double operator()(const WilsonParameters& p) const { return p.mass; }
    double operator()(const StaggeredParameters& p) const { return p.mass; }
    double operator()(const AsqtadParameters& p) const { return p.staggered.mass; }
    double operator()(const DomainWallChoice& p) const { return p.mass; }
  };
  return std::visit(Mass(), parameters);
}

int slices_of(const ActionParameters& parameters) {
  const auto* wall = std::get_if<DomainWallChoice>(&parameters);
  return wall != nullptr ? wall->n_s : 1;
}

FieldSpec full_spec(const ActionParameters& parameters, int batch, Location location) {
  constexpr Precision precision = Precision::double_precision;
  if (const auto* wall = std::get_if<DomainWallChoice>(&parameters))
    return five_dimensional_spec(Subset::full, batch, wall->n_s, precision, location);
  if (std::holds_alternative<WilsonParameters>(parameters))
    return spinor_spec(Subset::full, batch, precision, location);
  return staggered_spec(Subset::full, batch, precision, location);
}

}  // namespace plaq::jobs
