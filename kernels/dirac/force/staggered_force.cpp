#include "kernels/dirac/force/staggered_force.hpp"

#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "kernels/dirac/force/staggered_force_launch.hpp"

namespace plaq {
namespace {

constexpr auto staggered_force_precision = Precision::double_precision;

// An outer product takes 90 flops, and the product with the link 198.
void record_staggered_force(const Queue& queue, const Geometry& geometry, double pairs) {
  const double sites = static_cast<double>(geometry.local_volume());
  record(queue, {"staggered_hop_force",
                 "smearing",
                 staggered_force_precision,
                 18,
                 1,
                 false,
                 {sites * 4 * (pairs * 90 + 198), sites * (4 * (18 + 16) + 6 * pairs) * 8}});
}

// A pass over one kind of links.
void record_staggered_gradient(const Queue& queue, const Geometry& geometry, double pairs) {
  const double sites = static_cast<double>(geometry.local_volume());
  record(queue, {"staggered_gradient",
                 "smearing",
                 staggered_force_precision,
                 18,
                 1,
                 false,
                 {sites * 4 * (pairs * 90 + 36), sites * (4 * 2 * 18 + 6 * pairs) * 8}});
}

}  // namespace

StaggeredForce::StaggeredForce(const ProcessGrid& grid, GeometryPtr geometry,
                               const std::array<int, 4>& boundary, const Queue& queue,
                               std::shared_ptr<Transport> transport, int batch)
    : boundary_(boundary),
      queue_(queue),
      pairs_(grid, std::move(geometry),
             staggered_spec(Subset::full, 1, staggered_force_precision, queue.location()), 1, batch, queue,
             std::move(transport)) {}

void StaggeredForce::begin(Field& force) {
  pairs_.clear();
  queue_.zero_async(force.data(0, 0), force.bytes());
}

void StaggeredForce::add(Field& force, const Field& links, const Field& z, double k) {
  pairs_.add({&z}, k, [&] { finish(force, links); });
}

void StaggeredForce::finish(Field& force, const Field& links) {
  if (pairs_.empty()) return;
  pairs_.exchange();
  record_staggered_force(queue_, links.geometry(), static_cast<double>(pairs_.weights().size()));
  dispatch(queue_.location(), staggered_force_precision, [&](auto kind) {
    StaggeredForceLaunch<typename decltype(kind)::target>::hops(force, links, pairs_.all(), pairs_.weights(),
                                                                boundary_, queue_);
  });
  pairs_.clear();
}

void StaggeredForce::add_gradients(const Gradients& gradients, const Field& z, double k) {
  pairs_.add({&z}, k, [&] { finish_gradients(gradients); });
}

void StaggeredForce::finish_gradients(const Gradients& gradients) {
  if (pairs_.empty()) return;
  pairs_.exchange();
  const auto& [fat, naik, coefficient] = gradients;
  dispatch(queue_.location(), staggered_force_precision, [&](auto kind) {
    using Launch = StaggeredForceLaunch<typename decltype(kind)::target>;
    for (const int steps : {1, 3}) {
      record_staggered_gradient(queue_, fat.geometry(), static_cast<double>(pairs_.weights().size()));
      Launch::gradient(steps == 1 ? fat : naik, pairs_.all(), pairs_.weights(), steps,
                       steps == 1 ? 1 : coefficient, boundary_, queue_);
    }
  });
  pairs_.clear();
}

}  // namespace plaq
