// Bodies of ascent_launch.hpp; kernel sources instantiate them.
#pragma once

#include <type_traits>

#include "gaugefix/fourier/ascent_kernels.hpp"
#include "gaugefix/fourier/ascent_launch.hpp"
#include "gaugefix/sweep/sweep_body.hpp"

namespace plaq {
namespace detail {

// Calls launch(domain, kernel) for the sites of all problems (ProblemSites), of one parity or (-1) both.
template <class Target, class Kernel, class Run>
void for_problems(const Geometry& geometry, int slices, int copies, int parity, Kernel kernel, Run&& run) {
  const int half = geometry.shape().half_volume / slices;
  kernel.sites.half = half;
  kernel.sites.slices = slices;
  if constexpr (std::is_same_v<Target, Device>) {
    kernel.sites.parity = parity;
    const int sites = parity < 0 ? 64 * ((half + 31) / 32) : half;
    run(index_domain(sites, copies * slices), kernel);
  } else {
    for (int p = 0; p < 2; ++p) {
      if (parity >= 0 && p != parity) continue;
      kernel.sites.parity = p;
      for (int s = 0; s < slices; ++s) {
        kernel.sites.slice = s;
        Domain domain = index_domain((s + 1) * half, copies);
        domain.begin = s * half;
        run(domain, kernel);
      }
    }
  }
}

template <class Target, class L, class T, bool Ghosts>
void run_gradient(const SweepCall& sweep, const AscentCall& call, bool both, SumBuffer& sums,
                  const Queue& queue) {
  using Gather = HopKernel<GaugeHop<Target, L, T, T, NeighborSum>, Ghosts>;
  SiteGradient<Gather> kernel;
  kernel.gather = sweep_kernel<Gather, L>(sweep);
  kernel.places = {sweep.g->geometry().shape(), call.rows};
  kernel.r = call.r;
  kernel.d = call.d;
  for_problems<Target>(sweep.g->geometry(), call.slices, sweep.g->subfields(), both ? -1 : sweep.parity,
                       kernel, [&](const Domain& domain, const auto& k) { reduce(domain, queue, k, sums); });
}

template <class Target, class L, class T, bool Ghosts>
void run_curvature(const SweepCall& sweep, const AscentCall& call, SumBuffer& sums, int first,
                   const Queue& queue) {
  using Kernel = SiteCurvature<Target, L, T, Ghosts>;
  const Geometry& geometry = sweep.g->geometry();
  Kernel kernel;
  kernel.lattice = LatticeView<Target, T>(geometry);
  kernel.links = links_view<Target, L, T, T>(*sweep.links);
  kernel.g = transformation_view<Target, T>(*sweep.g);
  kernel.places = {geometry.shape(), call.rows};
  kernel.r = call.r;
  kernel.before = call.before;
  kernel.z = call.z;
  kernel.directions = sweep.directions;
  kernel.copies = sweep.g->subfields();
  if constexpr (Ghosts) {
    for (int mu = 0; mu < 4; ++mu) {
      if (call.halo == nullptr || !call.halo->exchanges(mu)) continue;
      kernel.ghost_g[mu] = {call.ghost_g[mu], sweep.halo->face_layout(2 * mu).size()};
      kernel.ghost_z[mu] = {call.halo->receive(2 * mu), call.halo->face_layout(2 * mu).size()};
    }
  }
  for_problems<Target>(geometry, call.slices, sweep.g->subfields(), -1, kernel,
                       [&](const Domain& domain, const auto& k) { reduce(domain, queue, k, sums, first); });
}

}  // namespace detail

template <class Target, class L, class T>
void AscentLaunch<Target, L, T>::gradient(const SweepCall& sweep, const AscentCall& call, bool both,
                                          SumBuffer& sums, const Queue& queue) {
  // A host asks at every group of sites anyway: one form of it.
  if (std::is_same_v<Target, Host> || sweep.halo->exchanges())
    return detail::run_gradient<Target, L, T, true>(sweep, call, both, sums, queue);
  if constexpr (!std::is_same_v<Target, Host>)
    detail::run_gradient<Target, L, T, false>(sweep, call, both, sums, queue);
}

template <class Target, class L, class T>
void AscentLaunch<Target, L, T>::curvature(const SweepCall& sweep, const AscentCall& call, SumBuffer& sums,
                                           int first, const Queue& queue) {
  if (std::is_same_v<Target, Host> || sweep.halo->exchanges())
    return detail::run_curvature<Target, L, T, true>(sweep, call, sums, first, queue);
  if constexpr (!std::is_same_v<Target, Host>)
    detail::run_curvature<Target, L, T, false>(sweep, call, sums, first, queue);
}

template <class Target, class T>
void AscentStepLaunch<Target, T>::step(Field& g, const AscentCall& call, const StepWeights* weights,
                                       const Queue& queue) {
  SiteStep<Target, T> kernel;
  kernel.g = detail::transformation_view<Target, T>(g);
  kernel.places = {g.geometry().shape(), call.rows};
  kernel.z = call.z;
  kernel.d = call.d;
  kernel.weights = weights;
  detail::for_problems<Target>(g.geometry(), call.slices, g.subfields(), -1, kernel,
                               [&](const Domain& domain, const auto& k) { for_each(domain, queue, k); });
  g.touch();
}

template <class Target, class T>
void AscentStepLaunch<Target, T>::algebra_pack(const Field& g, const AscentCall& call, const Queue& queue) {
  AlgebraFacePack<Target, T> pack;
  pack.lattice = LatticeView<Target, T>(g.geometry());
  pack.places = {g.geometry().shape(), call.rows};
  pack.z = call.z;
  for (int mu = 0; mu < 4; ++mu)
    if (call.halo->exchanges(mu))
      pack.send[mu] = {call.halo->send(2 * mu), call.halo->face_layout(2 * mu).size()};
  for_each(index_domain(call.halo->largest_face(), 8 * g.subfields()), queue, pack);
}

}  // namespace plaq
