#include "dynamics/quark/link_copies.hpp"

namespace plaq {

void LinkCopies::take(const Field& links, const Field& hops, bool thin_clover) {
  if (has(links)) return;
  lattice_.queue.synchronize();
  copy_to(hops_, hops);
  if (thin_clover) copy_to(clover_, links);
  version_ = VersionOf(links);
}

void LinkCopies::copy_to(Field& to, const Field& from) {
  if (!to) to = Field(lattice_.geometry, gauge_spec(Precision::double_precision, lattice_.location()));
  copy(to, from);
}

}  // namespace plaq
