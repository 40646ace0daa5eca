#include "dynamics/quark/sea_quark.hpp"

#include "kernels/blas/operations.hpp"

namespace plaq {

blas::Workspace& SeaQuark::work(int batch) {
  auto& made = work_[batch];
  if (!made) made = std::make_unique<blas::Workspace>(lattice_.queue, batch);
  return *made;
}

double SeaQuark::real_product(const Field& a, const Field& b) {
  const int batch = a.subfields();
  auto local = blas::update_and_sum<blas::Dot>(
      work(batch), std::vector<blas::Coefficients>(static_cast<std::size_t>(batch)), {&a, &b});
  const auto sums = global_sums(*lattice_.grid, local);
  double sum = sums.at(0);
  for (std::size_t k = 1; k < static_cast<std::size_t>(batch); ++k) sum += sums.at(k * blas::Dot::sums);
  return sum;
}

void SeaQuark::add(Field& y, double factor, const Field& x) {
  std::vector<blas::Coefficients> all(static_cast<std::size_t>(y.subfields()));
  for (blas::Coefficients& c : all) c.value[0] = factor;
  blas::update<blas::Triad>(work(y.subfields()), all, {&y, &x, &y});
}

}  // namespace plaq
