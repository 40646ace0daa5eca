#include "jobs/dirac/dirac_matrix.hpp"

namespace plaq::jobs {

void DiracMatrix::own_links(const HoppingTerm& exact) {
  Field& gauge = background_.gauge;
  Field own = exact.links();
  if (!own && gauge) {
    own = Field(gauge.geometry_ptr(), gauge_spec(Precision::double_precision, background_.queue.location()));
    copy(own, gauge);
  }
  gauge = std::move(own);
}

}  // namespace plaq::jobs
