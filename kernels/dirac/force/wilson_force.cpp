#include "kernels/dirac/force/wilson_force.hpp"

#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/error.hpp"
#include "kernels/dirac/clover/chiral_exponential.hpp"
#include "kernels/dirac/force/wilson_force_launch.hpp"

namespace plaq {
namespace {

constexpr auto force_precision = Precision::double_precision;

template <class Launch>
void launch_force(const Queue& queue, const Launch& launch) {
  dispatch(queue.location(), force_precision,
           [&](auto kind) { launch(WilsonForceLaunch<typename decltype(kind)::target>{}); });
}

// Z of six planes (kernels/dirac/force/clover_force.hpp).
FieldSpec planes_spec(Location location) { return {Subset::full, 2, 3, 6, force_precision, location}; }

void record_force(const Queue& queue, std::string_view name, const Geometry& geometry, double flops_a_site,
                  double reals_a_site) {
  const double sites = static_cast<double>(geometry.local_volume());
  record(queue,
         {name, "smearing", force_precision, 18, 1, false, {sites * flops_a_site, sites * reals_a_site * 8}});
}

}  // namespace

WilsonForce::WilsonForce(const ProcessGrid& grid, GeometryPtr geometry, const WilsonParameters& parameters,
                         const Queue& queue, std::shared_ptr<Transport> transport, int batch)
    : grid_(&grid),
      parameters_(parameters),
      queue_(queue),
      pairs_(grid, geometry, spinor_spec(Subset::full, 1, force_precision, queue.location()), 2, batch, queue,
             transport) {
  if (!parameters.has_clover()) return;
  z_ = Field(geometry, planes_spec(queue.location()));
  z_halo_.emplace(grid, geometry, z_.spec(), std::move(transport));
}

void WilsonForce::begin(Field& force) {
  exponent_ = nullptr;
  pairs_.clear();
  queue_.zero_async(force.data(0, 0), force.bytes());
  if (z_) queue_.zero_async(z_.data(0, 0), z_.bytes());
}

void WilsonForce::take_exponent(const Field& exponent, double diagonal) {
  require(pairs_.empty() || exponent_ == &exponent, "pairs of other exponential clover quarks wait");
  exponent_ = &exponent;
  diagonal_ = diagonal;
}

void WilsonForce::add_pair(Field& force, const Field& links, const Field& x, const Field& y, double k,
                           const Field* clover_x) {
  require(clover_x == nullptr || x.subfields() == 1, "pairs of a batch with another x of the clover term");
  pairs_.add({&x, &y}, k, [&] { finish_pairs(force, links, clover_x); });
  if (clover_x != nullptr) finish_pairs(force, links, clover_x);
}

void WilsonForce::finish_pairs(Field& force, const Field& links, const Field* clover_x) {
  if (pairs_.empty()) return;
  require(!parameters_.clover.exponential || exponent_ != nullptr,
          "a force of exponential clover quarks needs their exponent");
  const auto& weights = pairs_.weights();
  const double count = static_cast<double>(weights.size());
  pairs_.exchange();
  record_force(queue_, "hop_force", links.geometry(), 4 * (count * 700 + 198), 4 * (18 + 16) + 48 * count);
  launch_force(queue_, [&](auto kernels) {
    kernels.hops(force, links, pairs_.all(), weights, parameters_, queue_);
    if (!z_) return;
    if (clover_x != nullptr) pairs_.replace_last(0, *clover_x);
    if (!parameters_.clover.exponential)
      return kernels.insert_pairs(z_, pairs_.all(), weights, parameters_.clover, queue_);
    if (!blocks_) blocks_ = Field(exponent_->geometry_ptr(), exponent_->spec());
    const auto& [spatial, temporal, exponential] = parameters_.clover;
    kernels.exponential_pairs(blocks_, *exponent_, pairs_.all(), weights,
                              halvings_of_exponent(spatial, temporal, diagonal_), queue_);
    for (int parity = 0; parity < 2; ++parity)
      kernels.insert_determinant(z_, blocks_, parity, 2, parameters_.clover, queue_);
  });
  pairs_.clear();
}

// Exponential clover quarks with a twist: W of kernels/dirac/force/clover_force.hpp by the second field of
// the inverse, (C + i mu)^-1 = A - i B.
void WilsonForce::add_determinant(CloverField& clover, int parity, double flavours) {
  require(parameters_.has_clover_determinant(),
          "the determinant of a clover term that these quarks do not have");
  const bool exponential = parameters_.clover.exponential;
  const Field& blocks = exponential ? clover.inverse_twist(parity) : clover.inverse(parity);
  const double weight =
      exponential ? -flavours * parameters_.twisted_mass / parameters_.diagonal() : flavours;
  launch_force(queue_, [&](auto kernels) {
    kernels.insert_determinant(z_, blocks, parity, weight, parameters_.clover, queue_);
  });
}

void WilsonForce::add_clover(Field& force, const Field& links) {
  if (!z_) return;
  z_halo_->exchange(z_, queue_, whole_content(6));
  record_force(queue_, "leaf_force", links.geometry(), 4 * 6 * 9 * 198.0, 72 + 72 + 64);
  launch_force(queue_, [&](auto kernels) { kernels.leaves(force, links, z_, queue_); });
}

}  // namespace plaq
