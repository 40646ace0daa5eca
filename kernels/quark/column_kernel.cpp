#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/quark/column_launch.hpp"

namespace plaq {
namespace {

// A team has a site and a column.
template <class TargetT, class S>
struct ColumnsAtSites {
  ScalarComponents<S> b;
  ScalarComponents<double> values;
  int sites, components, first, width;

  PLAQ_HD void operator()(Team<TargetT>& team, int index) const {
    const int subfield = index / sites, site = index - subfield * sites, column = first + subfield;
    const bool there = column % width == 0;
    team.for_range(components, [&](int component) {
      const int k = component - column;
      Complex<double> z{0.0, 0.0};
      if (there && k >= 0 && k < width) z = values.load(k, site, 0);
      b.store(subfield, site, component, {static_cast<S>(z.re), static_cast<S>(z.im)});
    });
  }
};

}  // namespace

template <class Target, class S>
void launch_columns(const Field& b, const Field& values, int first, const Queue& queue) {
  const GeneralShape& shape = b.geometry().general_shape();
  for (int parity = 0; parity < shape.parities(); ++parity) {
    ColumnsAtSites<Target, S> kernel;
    kernel.b = scalar_components<Target, S>(b, parity);
    kernel.values = scalar_components<Target, double>(values, parity);
    kernel.sites = shape.parity_sites(parity);
    kernel.components = b.reals_per_site() / 2;
    kernel.first = first;
    kernel.width = values.subfields();
    TeamDomain teams;
    teams.count = kernel.sites * b.subfields();
    teams.team_size = 32;
    if (teams.count > 0) for_each_team(teams, queue, kernel);
  }
}

template void launch_columns<BuildTarget, float>(const Field&, const Field&, int, const Queue&);
template void launch_columns<BuildTarget, double>(const Field&, const Field&, int, const Queue&);

}  // namespace plaq
