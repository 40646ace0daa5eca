#include "dynamics/quark/multigrid_choice.hpp"

#include <algorithm>
#include <cmath>

namespace plaq {
namespace {

constexpr double cg = 1.9, cycle = 5;
constexpr double aged = 1.3;             // setups are renewed, and not for all links
constexpr double common = 1e-5;          // tolerance of the space of all shifts
constexpr double update_of_shift = 0.1;  // of an iteration

double cost_of_multigrid(double reduction, double e) { return aged * cycle * 2 * e / -std::log(reduction); }

}  // namespace

double largest_twist(double reduction) { return reduction < 1 ? cg / cost_of_multigrid(reduction, 1) : 0; }

int shifts_by_multigrid(const std::vector<double>& shifts, double lowest, double reduction,
                        double tolerance) {
  if (!(reduction < 1)) return 0;
  const double e = -std::log(tolerance), in_common = std::min(e, -std::log(common));
  const std::size_t all = shifts.size();
  std::size_t best = 0;
  double least = 0, alone = 0;  // alone: of the shifts behind k, after their common space
  for (std::size_t k = all + 1; k-- > 0;) {
    double cost = static_cast<double>(k) * cost_of_multigrid(reduction, e);
    if (k < all) {
      const double iterations_of_e = cg / std::sqrt(shifts[k] + lowest);
      alone += (e - in_common) * iterations_of_e;
      cost += in_common * iterations_of_e * (1 + update_of_shift * static_cast<double>(all - k)) + alone;
    }
    if (k == all || cost <= least) {
      least = cost;
      best = k;
    }
  }
  return static_cast<int>(best);
}

}  // namespace plaq
