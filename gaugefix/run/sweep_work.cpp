#include "gaugefix/run/gauge_fixer.hpp"

#include "gaugefix/sweep/su3_view.hpp"

namespace plaq {

Work sweep_work(Gauge gauge, FixingPrecision precision, double sites) {
  const double directions = gauge == Gauge::coulomb ? 3 : 4;
  const double link_bytes = precision == FixingPrecision::full ? 8 : 4,
               g_bytes = precision == FixingPrecision::single ? 4 : 8;
  return {sites * (2208 * directions / 4 + 66),
          sites * (2 * directions * sweep_reconstruction * link_bytes + 3 * transformation_reals * g_bytes)};
}

}  // namespace plaq
