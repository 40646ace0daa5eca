// Body of TwistLaunch; generated kernel sources instantiate it.
#pragma once

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/dirac/twist/twist_launch.hpp"

namespace plaq {

template <class TargetT, class S>
struct TwistAdd {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;

  SpinorView<TargetT, S> out, in;
  T mu;
  ActiveSet active;

  PLAQ_HD void operator()(const typename Arch::Site& site, int k) const {
    auto sum = out.template load<Spinor<Real>>(active[k], site);
    const auto psi = in.template load<Spinor<Real>>(active[k], site);
#pragma unroll
    for (int s = 0; s < 4; ++s)
#pragma unroll
      for (int c = 0; c < 3; ++c) sum.s[s].c[c] = fma_i(Real(s < 2 ? mu : -mu), psi.s[s].c[c], sum.s[s].c[c]);
    out.store(active[k], site, sum);
  }
};

template <class Target, class S>
void TwistLaunch<Target, S>::add(Field& out, const Field& in, double mu, int parity, const ActiveSet& active,
                                 const Queue& queue) {
  for_each(make_domain(out.geometry(), Region::all, parity, location_of<Target>, active.count()), queue,
           TwistAdd<Target, S>{spinor_view<Target, S>(out, parity), spinor_view<Target, S>(in, parity),
                               static_cast<Compute<S>>(mu), active});
}

}  // namespace plaq
