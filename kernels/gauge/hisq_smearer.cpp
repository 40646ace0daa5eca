#include "kernels/gauge/hisq_smearer.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "comms/sums/total_sums.hpp"
#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/timer.hpp"
#include "kernels/gauge/hisq_links.hpp"
#include "kernels/gauge/improved_links.hpp"

namespace plaq {
namespace {

constexpr auto hisq_precision = Precision::double_precision;

// Calls launch(HisqForceLaunch<...>).
template <class Launch>
void with_hisq_kernels(const Queue& queue, const Launch& launch) {
  dispatch(queue.location(), hisq_precision,
           [&](auto kind) { launch(HisqForceLaunch<typename decltype(kind)::target>{}); });
}

Field hisq_matrices(const GeometryPtr& geometry, const Queue& queue, int of_a_site = 4) {
  FieldSpec spec = fat_link_spec(hisq_precision, queue.location());
  spec.subfields = of_a_site;
  return Field(geometry, spec);
}

FatLinkSpace fat_link_space(const GeometryPtr& geometry, const Queue& queue) {
  const MemoryName name("staples of fat links");
  return {hisq_matrices(geometry, queue, 3), hisq_matrices(geometry, queue, 3),
          hisq_matrices(geometry, queue, 3), hisq_matrices(geometry, queue, 3)};
}

}  // namespace

HisqSmearer::HisqSmearer(const ProcessGrid& grid, GeometryPtr geometry, GeometryPtr plain,
                         std::vector<double> epsilons, double filter, const Queue& queue,
                         std::shared_ptr<Transport> transport)
    : grid_(grid),
      epsilons_(std::move(epsilons)),
      filter_(filter),
      queue_(queue),
      space_(fat_link_space(geometry, queue)),
      v_(hisq_matrices(geometry, queue)),
      w_(hisq_matrices(geometry, queue)),
      gradient_(hisq_matrices(geometry, queue)),
      has_gradient_(epsilons_.size(), false),
      three_(plain, gauge_spec(hisq_precision, queue.location())),
      three_gradient_(hisq_matrices(geometry, queue)),
      halo_(grid, geometry, w_.spec(), std::move(transport)),
      filtered_(queue.location(), 1) {
  require(!epsilons_.empty(), "HISQ links of no quark");
  if (!(filter >= 0 && std::isfinite(filter)))
    throw Error(ErrorKind::job_file, "the filter of HISQ forces is " + std::to_string(filter) +
                                         ": it must be a finite number from 0 on");
  for (const double epsilon : epsilons_) {
    hisq_coefficients(epsilon);  // throws where it is not finite
    fat_.push_back(hisq_matrices(plain, queue));
    fat_gradients_.push_back(hisq_matrices(geometry, queue));
  }
  filtered_.clear(queue_, 1);
}

void HisqSmearer::expect_geometry(const Field& links) const {
  require(links.geometry_ptr() == w_.geometry_ptr(), "HISQ smearing was given links of another geometry");
}

void HisqSmearer::smear(const Field& links) {
  expect_geometry(links);
  const ScopedRange range("hisq_links");
  record_smearing(links.geometry());
  dispatch(queue_.location(), hisq_precision, [&](auto kind) {
    using Target = typename decltype(kind)::target;
    using Kernels = HisqForceLaunch<Target>;
    launch_fat_links<Target, double>(links, space_.staples, space_.sides, v_, fat7_coefficients(), queue_);
    launch_unitary_links<Target, double>(links, v_, w_, queue_);
    halo_.exchange(w_, queue_);
    launch_three_links<Target, double>(w_, gradient_, queue_);
    queue_.synchronize();  // before a copy
    copy(three_, gradient_);
    launch_fat_links<Target, double>(w_, space_.staples, space_.sides, gradient_,
                                     hisq_coefficients(epsilons_[0]), queue_);
    for (std::size_t k = 0; k < fat_.size(); ++k) {
      if (k > 0)
        Kernels::add(gradient_, w_,
                     hisq_coefficients(epsilons_[k]).one - hisq_coefficients(epsilons_[k - 1]).one, queue_);
      queue_.synchronize();
      copy(fat_[k], gradient_);
      fat_[k].touch();
    }
  });
  three_.touch();
}

void HisqSmearer::begin_force() {
  has_gradient_.assign(has_gradient_.size(), false);
  has_three_gradient_ = false;
}

Field& HisqSmearer::fat_gradient(std::size_t k) {
  Field& gradient = fat_gradients_[k];
  if (!has_gradient_[k]) queue_.zero_async(gradient.data(0, 0), gradient.bytes());
  has_gradient_[k] = true;
  return gradient;
}

Field& HisqSmearer::three_gradient() {
  if (!has_three_gradient_) queue_.zero_async(three_gradient_.data(0, 0), three_gradient_.bytes());
  has_three_gradient_ = true;
  return three_gradient_;
}

void HisqSmearer::carry_back(Field& force, const Field& links) {
  expect_geometry(links);
  const ScopedRange range("hisq_force");
  record_chain_rule(links.geometry());
  with_hisq_kernels(queue_, [&]<class Kernels>(Kernels) {
    // The gradient on F with the first epsilon, to which those of others are added: coefficients other than
    // the first one are the same.
    Field& fat = fat_gradients_[0];
    fat_gradient(0);
    Kernels::add_adjoint(fat, fat, 0, 1, queue_);
    for (std::size_t k = 1; k < epsilons_.size(); ++k)
      if (has_gradient_[k]) Kernels::add_adjoint(fat, fat_gradients_[k], 1, 1, queue_);
    halo_.exchange(fat, queue_);
    queue_.zero_async(gradient_.data(0, 0), gradient_.bytes());
    const auto coefficients = hisq_coefficients(epsilons_[0]);
    Kernels::fat_links(gradient_, fat, w_, coefficients, space_, queue_);
    for (std::size_t k = 1; k < epsilons_.size(); ++k)
      if (has_gradient_[k])
        Kernels::add_adjoint(gradient_, fat_gradients_[k], 1,
                             hisq_coefficients(epsilons_[k]).one - coefficients.one, queue_);
    if (has_three_gradient_) {
      Kernels::add_adjoint(three_gradient_, three_gradient_, 0, 1, queue_);
      for (int mu = 0; mu < 4; ++mu) halo_.exchange(three_gradient_, queue_, {1u << mu, 3u, 1u << mu});
      Kernels::three_links(gradient_, three_gradient_, w_, queue_);
    }
    Kernels::unitary_links(gradient_, v_, w_, filter_, queue_, filtered_);
    halo_.exchange(gradient_, queue_);
    queue_.zero_async(fat.data(0, 0), fat.bytes());
    Kernels::fat_links(fat, gradient_, links, fat7_coefficients(), space_, queue_);
    Kernels::force(force, fat, links, queue_);
  });
  begin_force();
}

std::int64_t HisqSmearer::take_filtered() {
  auto local = filtered_.fetch(queue_, 1);
  filtered_.clear(queue_, 1);
  return std::llround(global_sums(grid_, local)[0]);
}

// Products of 3x3 matrices, 198 flops each, and links that are read and written: fat links by their levels
// (kernels/site/asqtad_link.hpp), twice; unitary factors; two products for a link of N.
void HisqSmearer::record_smearing(const Geometry& geometry) const {
  const double links = 4 * static_cast<double>(geometry.local_volume());
  constexpr double link_bytes = 18 * sizeof(double);
  record(queue_, {"hisq_links",
                  "smearing",
                  hisq_precision,
                  18,
                  1,
                  false,
                  {links * (2 * 48 + 20 + 2) * 198, links * (2 * 25 + 3 + 2) * link_bytes}});
}

// Each level makes the staples again, 36 products a link, and has 144 for the gradient; its kernels read and
// write 66 matrices a link (kernels/site/fat_link_gradient.hpp). Six products for a link of N, some 30 for
// the unitary factor, and 16 matrices for these and for sums of gradients.
void HisqSmearer::record_chain_rule(const Geometry& geometry) const {
  const double links = 4 * static_cast<double>(geometry.local_volume());
  constexpr double link_bytes = 18 * sizeof(double);
  record(queue_, {"hisq_force",
                  "smearing",
                  hisq_precision,
                  18,
                  1,
                  false,
                  {links * (2 * 180 + 30 + 6) * 198, links * (2 * 66 + 16) * link_bytes}});
}

}  // namespace plaq
