#include "kernels/dirac/twist/twist.hpp"

#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/error.hpp"
#include "kernels/dirac/twist/twist_launch.hpp"

namespace plaq {

void add_twist(Field& out, const Field& in, double mu, int parity, const ActiveSet& active,
               const Queue& queue) {
  require(out.precision() == in.precision() && out.subfields() == in.subfields() &&
              active.batch() == in.subfields() && out.holds(parity) && in.holds(parity),
          "a twist between fields of two kinds");
  if (active.count() == 0) return;
  const double numbers = 12.0 * active.count() * out.geometry().general_shape().parity_sites(parity);
  record(queue, {"twist",
                 "vector_update",
                 out.precision(),
                 0,
                 active.count(),
                 false,
                 {4 * numbers, 3 * 2 * numbers * bytes_of(out.precision())}});
  dispatch_storage(out.location(), out.precision(), [&]<class Kind>(Kind) {
    TwistLaunch<typename Kind::target, typename Kind::scalar>::add(out, in, mu, parity, active, queue);
  });
}

}  // namespace plaq
