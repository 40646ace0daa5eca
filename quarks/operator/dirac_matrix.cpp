#include "quarks/operator/dirac_matrix.hpp"

namespace plaq {

void DiracMatrix::own_links(const HoppingTerm& exact) {
  Field& gauge = links_.gauge;
  Field own = exact.links();
  if (!own && gauge) {
    own = Field(gauge.geometry_ptr(), gauge_spec(Precision::double_precision, links_.queue.location()));
    copy(own, gauge);
  }
  gauge = std::move(own);
  version_ = VersionOfLinks(links_);
}

}  // namespace plaq
