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

// The X and Y of all pairs together.
FieldSpec pairs_spec(int pairs, Location location) {
  return spinor_spec(Subset::full, 2 * pairs, force_precision, location);
}

// Z of six planes (kernels/dirac/force/clover_force.hpp).
FieldSpec planes_spec(Location location) { return {Subset::full, 2, 3, 6, force_precision, location}; }

// All subfields travel.
ExtendedHaloContent whole(int subfields) {
  ExtendedHaloContent content;
  content.subfields = subfields >= 32 ? ~0u : (1u << subfields) - 1;
  return content;
}

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
      batch_(batch),
      pairs_(geometry, pairs_spec(batch, queue.location())),
      pairs_halo_(grid, geometry, pairs_.spec(), transport) {
  require(batch >= 1 && batch <= 16, "a force reads 1 to 16 pairs of spinors at once");
  if (!parameters.has_clover()) return;
  z_ = Field(geometry, planes_spec(queue.location()));
  z_halo_.emplace(grid, geometry, z_.spec(), std::move(transport));
}

void WilsonForce::begin(Field& force) {
  exponent_ = nullptr;
  weights_.clear();
  queue_.zero_async(force.data(0, 0), force.bytes());
  if (z_) queue_.zero_async(z_.data(0, 0), z_.bytes());
}

void WilsonForce::take_exponent(const Field& exponent, double diagonal) {
  require(weights_.empty() || exponent_ == &exponent, "pairs of other exponential clover quarks wait");
  exponent_ = &exponent;
  diagonal_ = diagonal;
}

void WilsonForce::add_pair(Field& force, const Field& links, const Field& x, const Field& y, double k,
                           const Field* clover_x) {
  require(clover_x == nullptr || x.subfields() == 1, "pairs of a batch with another x of the clover term");
  queue_.synchronize();
  const Field &of_x = with_halo(0, x), &of_y = with_halo(1, y);
  for (int rhs = 0; rhs < x.subfields(); ++rhs) {
    const int place = static_cast<int>(weights_.size());
    queue_.synchronize();
    copy_subfield(pairs_, place, of_x, rhs);
    copy_subfield(pairs_, batch_ + place, of_y, rhs);
    weights_.push_back(k);
    if (place + 1 == batch_ || clover_x != nullptr) finish_pairs(force, links, clover_x);
  }
}

// Spinors, or a copy of them on the geometry of the links.
const Field& WilsonForce::with_halo(std::size_t place, const Field& spinors) {
  if (spinors.layout().sites == pairs_.layout().sites) return spinors;
  Field& there = on_the_way_[place];
  if (!there || there.subfields() != spinors.subfields())
    there = Field(pairs_.geometry_ptr(),
                  spinor_spec(Subset::full, spinors.subfields(), force_precision, queue_.location()));
  copy(there, spinors);
  return there;
}

void WilsonForce::finish_pairs(Field& force, const Field& links, const Field* clover_x) {
  if (weights_.empty()) return;
  require(!parameters_.clover.exponential || exponent_ != nullptr,
          "a force of exponential clover quarks needs their exponent");
  const double count = static_cast<double>(weights_.size());
  pairs_halo_.exchange(pairs_, queue_, whole(2 * batch_));
  record_force(queue_, "hop_force", links.geometry(), 4 * (count * 700 + 198), 4 * (18 + 16) + 48 * count);
  launch_force(queue_, [&](auto kernels) {
    kernels.hops(force, links, pairs_, weights_, parameters_, queue_);
    if (!z_) return;
    if (clover_x != nullptr) {
      queue_.synchronize();
      copy_subfield(pairs_, static_cast<int>(weights_.size()) - 1, with_halo(0, *clover_x), 0);
    }
    if (!parameters_.clover.exponential)
      return kernels.insert_pairs(z_, pairs_, weights_, parameters_.clover, queue_);
    if (!blocks_) blocks_ = Field(exponent_->geometry_ptr(), exponent_->spec());
    const auto& [spatial, temporal, exponential] = parameters_.clover;
    kernels.exponential_pairs(blocks_, *exponent_, pairs_, weights_,
                              halvings_of_exponent(spatial, temporal, diagonal_), queue_);
    for (int parity = 0; parity < 2; ++parity)
      kernels.insert_determinant(z_, blocks_, parity, 2, parameters_.clover, queue_);
  });
  weights_.clear();
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
  z_halo_->exchange(z_, queue_, whole(6));
  record_force(queue_, "leaf_force", links.geometry(), 4 * 6 * 9 * 198.0, 72 + 72 + 64);
  launch_force(queue_, [&](auto kernels) { kernels.leaves(force, links, z_, queue_); });
}

}  // namespace plaq
