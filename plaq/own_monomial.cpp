#include "plaq/own_monomial.hpp"

#include "comms/grid/process_grid.hpp"
#include "core/sums/exact_sum.hpp"
#include "kernels/gauge/momenta.hpp"

namespace plaq {

double exact_sum(const Lattice& lattice, const std::vector<double>& numbers) {
  std::vector<ExactSum> sum(1);
  std::int64_t adds = 0;
  for (const double number : numbers) {
    sum[0].add(number);
    if (++adds % (ExactSum::max_adds / 2) == 0) sum[0].normalize();
  }
  return global_sums(*lattice.shared().grid, sum)[0];
}

const GaugeField& OwnMonomial::plain(const Field& links) {
  lattice_.shared().queue.synchronize();
  if (!links_) {
    links_.emplace(lattice_, links);
  } else {
    copy(links_->field(), links);
    links_->field().touch();
  }
  return *links_;
}

void OwnMonomial::draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) {
  term_->draw(plain(links), seed, trajectory);
}

double OwnMonomial::value(const Field& links) { return term_->value(plain(links)); }

void OwnMonomial::force(Field& force, const Field& links) {
  const Queue& queue = lattice_.shared().queue;
  if (!matrices_) {
    matrices_.emplace(lattice_);
    extended_matrices_ = Field(links.geometry_ptr(), links.spec());
  }
  term_->force(*matrices_, plain(links));
  queue.synchronize();
  copy(extended_matrices_, matrices_->field());
  project_to_algebra(force, extended_matrices_, queue);
}

}  // namespace plaq
