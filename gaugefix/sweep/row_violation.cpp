#include "gaugefix/sweep/row_violation.hpp"

#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"

namespace plaq {

RowViolation row_violation(const ProcessGrid& grid, const Field& g, const Queue& queue) {
  require(g.location() == queue.location(), "g and queue must be in one place");
  SumBuffer sums(g.location(), g.subfields());
  sums.clear(queue, sums.capacity());
  double largest = 0;
  dispatch(g.location(), g.precision(), [&](auto kind) {
    using K = decltype(kind);
    largest = launch_row_violation<typename K::target, typename K::scalar>(g, sums, queue);
  });
  std::vector<ExactSum> all(1);
  for (const ExactSum& of_copy : sums.fetch(queue, sums.capacity())) all[0].merge(of_copy);
  const double sites = static_cast<double>(g.geometry().global_volume()) * g.subfields();
  RowViolation violation;
  violation.average = global_sums(grid, all)[0] / sites;
  violation.largest = global_max(grid, largest);
  return violation;
}

}  // namespace plaq
