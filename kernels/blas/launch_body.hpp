// Body of the launch; kernel sources instantiate it.
#pragma once

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/blas/changed_memory.hpp"
#include "kernels/blas/kernel.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "kernels/blas/launch.hpp"

namespace plaq::blas {

template <class K, class Op>
K make_kernel(const std::array<const Field*, Op::vectors>& vectors, int parity,
              const CoefficientList& coefficients) {
  K kernel;
  for (std::size_t i = 0; i < Op::vectors; ++i)
    kernel.vector[i] = {vectors[i]->data(0, parity), vectors[i]->subfield_stride()};
  kernel.shape = typename K::Blocks::Shape(vectors[0]->layout());
  kernel.coefficients = coefficients;
  kernel.Ls = vectors[0]->Ls();
  return kernel;
}

// Chooses the launch of an update without sums. It is tuned on one parity.
template <class Target, class K, class Op, class Run>
Launch choose_launch(const std::array<const Field*, Op::vectors>& vectors, const ActiveSet& active,
                     const Queue& queue, Run&& run) {
  static constexpr int no_width[] = {0};
  static const auto candidates =
      launch_candidates(location_of<Target>, plaq::detail::block_size<K>(), no_width);
  const Field& first = *vectors[0];
  const std::string storage = shape_name(first);
  const auto key = tune_key(Op::name, storage, first.geometry(), active.tuned_count() * first.Ls());
  const int parity = first.holds(0) ? 0 : 1;
  return tuned(
      queue, key, candidates, [&](const Launch& launch) { run(parity, launch); }, changed_by<Op>(vectors));
}

template <class Target, class K, class Op>
void run_update(const std::array<const Field*, Op::vectors>& vectors, int inner,
                const CoefficientList& coefficients, SumBuffer* sums, int first_sum, const Queue& queue) {
  const Field& first = *vectors[0];
  const auto run = [&](int parity, const Launch& shape) {
    const auto kernel = make_kernel<K, Op>(vectors, parity, coefficients);
    const Domain domain = make_domain(first.geometry(), Region::all, parity, location_of<Target>, inner);
    if constexpr (Op::sums > 0) {
      reduce(domain, queue, kernel, *sums, first_sum);
    } else {
      for_each(domain, queue, kernel, shape);
    }
  };
  Launch shape;
  if constexpr (Op::sums == 0) shape = choose_launch<Target, K, Op>(vectors, coefficients.active, queue, run);
  for (int parity = 0; parity < 2; ++parity)
    if (first.holds(parity)) run(parity, shape);
}

// True if an update of spinors is compiled for their 24 reals: in half precision, where they stay in
// registers until their scale is known, and on devices for sums, which win up to 10% by
// having all loads of a site in flight.
template <class Target, class S, class Op>
constexpr bool compiled_for_spinors =
    has_scale<S> ? Op::writes != 0 || Op::vectors<3 || !std::is_same_v<Target, Host> : Op::sums> 0 &&
                                          !std::is_same_v<Target, Host>;

// Calls f(std::integral_constant<int, N>{}): the number of reals where the update is compiled for it, else 0.
template <class Target, class S, class Op, class F>
void with_known_reals(int reals, F&& f) {
  if constexpr (compiled_for_spinors<Target, S, Op>)
    if (reals == 24) return f(std::integral_constant<int, 24>{});
  f(std::integral_constant<int, 0>{});
}

template <class Target, class S, class Op>
void UpdateLaunch<Target, S, Op>::run(const std::array<const Field*, Op::vectors>& vectors,
                                      const CoefficientList& coefficients, SumBuffer* sums, int first_sum,
                                      const Queue& queue) {
  const Field& first = *vectors[0];
  require(coefficients.active.batch() == first.batch(), "coefficients for another batch than the vectors'");
  for (const Field* vector : vectors) expect_alike(*vector, first, location_of<Target>, precision_of<S>);
  const int inner = coefficients.active.count() * first.Ls();
  if (inner == 0) return;
  with_known_reals<Target, S, Op>(first.reals_per_site(), [&](auto reals) {
    run_update<Target, Kernel<Target, S, Op, decltype(reals)::value>, Op>(vectors, inner, coefficients, sums,
                                                                          first_sum, queue);
  });
}

// This rank's time slice t: t is the slowest coordinate, so a slice is a run of checkerboard indices.
inline Domain slice_domain(const Field& x, int t, int inner) {
  const int sites = x.layout().sites / x.geometry().local()[3];
  Domain domain = index_domain((t + 1) * sites, inner);
  domain.begin = t * sites;
  return domain;
}

template <class Target, class S>
void SlicesLaunch<Target, S>::norms(const Field& x, const CoefficientList& coefficients, SumBuffer& sums,
                                    const Queue& queue) {
  expect_alike(x, x, location_of<Target>, precision_of<S>);
  for (int parity = 0; parity < 2; ++parity) {
    if (!x.holds(parity)) continue;
    const auto kernel = make_kernel<Kernel<Target, S, Norm, 0>, Norm>({&x}, parity, coefficients);
    for (int t = 0; t < x.geometry().local()[3]; ++t)
      reduce(slice_domain(x, t, x.subfields()), queue, kernel, sums, t * x.batch());
  }
}

template <class Target, class S>
void SlicesLaunch<Target, S>::copy(const Field& to, const Field& from, const std::vector<char>& wanted,
                                   const CoefficientList& coefficients, const Queue& queue) {
  for (const Field* field : {&to, &from}) expect_alike(*field, to, location_of<Target>, precision_of<S>);
  const int times = to.geometry().local()[3];
  for (int parity = 0; parity < 2; ++parity) {
    if (!to.holds(parity)) continue;
    auto kernel = make_kernel<Kernel<Target, S, Copy, 0>, Copy>({&from, &to}, parity, coefficients);
    for (int i = 0; i < times * to.batch(); ++i) {
      if (!wanted[static_cast<std::size_t>(i)]) continue;
      const int first = i / times * to.Ls();
      kernel.vector[0] = {from.data(first, parity), from.subfield_stride()};
      kernel.vector[1] = {to.data(first, parity), to.subfield_stride()};
      for_each(slice_domain(to, i % times, to.Ls()), queue, kernel);
    }
  }
}

}  // namespace plaq::blas
