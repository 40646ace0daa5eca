#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "gaugefix/sweep/row_violation.hpp"
#include "gaugefix/sweep/site_violation.hpp"

namespace plaq {

template <class Target, class T>
double launch_row_violation(const Field& g, SumBuffer& sums, const Queue& queue) {
  expect(g, location_of<Target>, precision_of<T>, 3, 3, transformation_reals);
  double largest = 0;
  for (int parity = 0; parity < 2; ++parity) {
    SiteViolation<Target, T> kernel;
    kernel.g = {g.data(0, 0), g.layout().size()};
    kernel.parity = parity;
    const auto sites = make_domain(g.geometry(), Region::all, parity, location_of<Target>, g.subfields());
    reduce(sites, queue, kernel, sums);
    const double found = reduce_max(sites, queue, kernel)[0];
    if (!(found <= largest) && largest == largest) largest = found;  // a NaN stays
  }
  return largest;
}

template double launch_row_violation<BuildTarget, double>(const Field&, SumBuffer&, const Queue&);
template double launch_row_violation<BuildTarget, float>(const Field&, SumBuffer&, const Queue&);

}  // namespace plaq
