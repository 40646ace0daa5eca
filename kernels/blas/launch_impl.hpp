// Body of the launch; kernel sources instantiate it.
#pragma once

#include <string>

#include "core/field_views.hpp"
#include "core/launch.hpp"
#include "kernels/blas/changed_memory.hpp"
#include "kernels/blas/kernel.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "kernels/blas/launch.hpp"

namespace plaq::blas {

template <class Target, class S, int N, class Op>
Kernel<Target, S, Op, N> make_kernel(const std::array<const Field*, Op::vectors>& vectors, int parity,
                                     const CoefficientList& coefficients) {
  Kernel<Target, S, Op, N> kernel;
  for (std::size_t i = 0; i < Op::vectors; ++i) {
    expect(*vectors[i], location_of<Target>, precision_of<S>, N / 6, 3);
    kernel.vector[i] = {vectors[i]->data(0, parity), vectors[i]->slot_stride()};
  }
  kernel.coefficients = coefficients;
  kernel.slices = vectors[0]->slices();
  return kernel;
}

// How to launch an update of `active` right-hand sides without sums; decided on one parity, for one and for
// all alike: what lies between is not worth its own trials.
template <class Target, class S, int N, class Op, class Run>
Launch choose_launch(const std::array<const Field*, Op::vectors>& vectors, int active, const Queue& queue,
                     Run&& run) {
  static constexpr int no_width[] = {0};
  static const auto candidates =
      launch_candidates(location_of<Target>, plaq::detail::block_size<Kernel<Target, S, Op, N>>(), no_width);
  const Field& first = *vectors[0];
  const std::string storage = std::string(name_of(precision_of<S>)) + (N == 6 ? " color" : "");
  const auto key =
      tune_key(Op::name, storage, first.geometry(), active == 1 ? first.slices() : first.slots());
  const int parity = first.holds(0) ? 0 : 1;
  return tuned(
      queue, key, candidates, [&](const Launch& launch) { run(parity, launch); }, changed_by<Op>(vectors));
}

template <class Target, class S, int N, class Op>
void UpdateLaunch<Target, S, N, Op>::run(const std::array<const Field*, Op::vectors>& vectors,
                                         const CoefficientList& coefficients, SumBuffer* sums, int first_sum,
                                         const Queue& queue) {
  const Field& first = *vectors[0];
  require(coefficients.active.batch() == first.batch(), "coefficients for another batch than the vectors'");
  for (const Field* vector : vectors)
    require(vector->slots() == first.slots() && vector->slices() == first.slices(),
            "vectors of different batches or fifth extents in one update");
  const int inner = coefficients.active.count() * first.slices();
  if (inner == 0) return;
  const auto run = [&](int parity, const Launch& shape) {
    const auto kernel = make_kernel<Target, S, N, Op>(vectors, parity, coefficients);
    const Domain domain = make_domain(first.geometry(), Region::all, parity, location_of<Target>, inner);
    if constexpr (Op::sums > 0) {
      reduce(domain, queue, kernel, *sums, first_sum);
    } else {
      for_each(domain, queue, kernel, shape);
    }
  };
  Launch shape;
  if constexpr (Op::sums == 0)
    shape = choose_launch<Target, S, N, Op>(vectors, coefficients.active.count(), queue, run);
  for (int parity = 0; parity < 2; ++parity)
    if (first.holds(parity)) run(parity, shape);
}

template <class Target, class S, int N>
void SliceNormsLaunch<Target, S, N>::run(const Field& x, const CoefficientList& coefficients, SumBuffer& sums,
                                         const Queue& queue) {
  const int slices = x.geometry().local()[3], sites = x.layout().sites / slices;
  for (int parity = 0; parity < 2; ++parity) {
    if (!x.holds(parity)) continue;
    for (int slot = 0; slot < x.slots(); ++slot) {
      auto kernel = make_kernel<Target, S, N, Norm>({&x}, parity, coefficients);
      kernel.slices = 1;
      kernel.vector[0] = SiteArray<Target, S, N>(x.data(slot, parity), x.slot_stride());
      // t is the slowest coordinate: a slice is a run of checkerboard indices.
      for (int t = 0; t < slices; ++t) {
        Domain domain = index_domain((t + 1) * sites);
        domain.begin = t * sites;
        reduce(domain, queue, kernel, sums, slot * slices + t);
      }
    }
  }
}

}  // namespace plaq::blas
