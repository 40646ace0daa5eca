// Matrices in the fifth dimension, one group of sites and one right-hand side a team (core/launch/team.hpp):
//   out = a add + b R A^-1 Q in
// with R, A and Q diagonal plus cyclic shift (kernels/dirac/domain_wall/fifth_dimension.hpp, where the steps
// are made). What each member does for four real components of a site, which are of
// one chirality, over i = 0..Ls-1:
//   first all:   x' = sum_i start_i b_i                    the last x, from once round the loop
//   then each:   x = in b_i + in_before b_(i-1) + before x',   y = out x + out_before x',   x' = x
// b_i and y being those of the slice first + direction i. So the slices of a site are read once, whatever Ls
// is, and wait in the team's scratch memory, or in registers where Ls is known when the kernel is compiled.
// The order of additions is that of i.
#pragma once

#include "core/field/views.hpp"
#include "core/launch/arch.hpp"
#include "core/launch/team.hpp"
#include "core/operator/active_set.hpp"

namespace plaq {

template <class T>
struct alignas(16) FifthStep {
  T start, in, in_before, before, out, out_before;
  T padding[2];
};

// The numbers of a add + b R A^-1 Q in, and their order in the kernels that have it.
template <class T>
struct FifthMatrix {
  const FifthStep<T>* steps;  // [chirality][step]
  int Ls;
  int first[2], direction[2];  // by chirality
  T a, b;

  PLAQ_HD int slice_of(int chirality, int i) const {
    const int s = first[chirality] + direction[chirality] * i;  // -Ls < s < 2 Ls
    return s < 0 ? s + Ls : s >= Ls ? s - Ls : s;
  }
  PLAQ_HD int step_of(int chirality, int slice) const {
    const int i = (slice - first[chirality]) * direction[chirality];
    return i < 0 ? i + Ls : i;
  }
  // y of one step; `last` is x' before and x after.
  template <class Real>
  static PLAQ_HD Real step_out(const FifthStep<T>& step, const Real& here, const Real& before, Real& last) {
    const Real x = fma(Real(step.before), last, fma(Real(step.in_before), before, Real(step.in) * here));
    const Real y = fma(Real(step.out_before), last, Real(step.out) * x);
    last = x;
    return y;
  }
};

// S: storage of the spinors. KnownLs: Ls, 0 where it is known at run time only.
template <class TargetT, class S, int KnownLs = 0>
struct FifthDimension : FifthMatrix<Compute<S>> {
  using T = Compute<S>;
  using Matrix = FifthMatrix<T>;
  using Matrix::a;
  using Matrix::b;
  using Matrix::direction;
  using Matrix::first;
  using Matrix::Ls;
  using Matrix::slice_of;
  using Matrix::step_of;
  using Matrix::step_out;
  using Matrix::steps;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  using Array = typename SpinorView<TargetT, S>::Array;
  static constexpr int fours = 6;  // of real components; each chirality has three
  static constexpr int max_team_size = 32 * fours;
  static constexpr int at_once = sizeof(T) == 4 ? 4 : 2;  // slices that a member waits for
  static constexpr bool with_scale = has_scale<S>;
  static constexpr bool in_registers = KnownLs > 0;
  static_assert(!in_registers || !with_scale, "a scale needs all numbers of a slice");

  Array in, add, out;  // add may be closed
  int sites, groups;   // of the parity, and how many groups these are
  int group_sites;     // a multiple of Arch::width
  ActiveSet active;

  static PLAQ_HD constexpr std::size_t scratch_bytes(int Ls, int group_sites) {
    return scratch_bytes_of<T>(24 * Ls * group_sites);
  }

  PLAQ_HD void operator()(Team<TargetT>& team, int index) const {
    const int rhs = active[index / groups], first_site = index % groups * group_sites;
    const int members = group_sites / Arch::width;  // that share four components
    T* memory = nullptr;
    if constexpr (!in_registers) memory = team.template scratch<T>(24 * Ls * group_sites);
    team.for_range(fours * members, [&](int item) {
      const int four = item / members, member = item % members;
      if (first_site + member * Arch::width >= sites) return;
      if constexpr (in_registers) {
        run_in_registers(site_of(first_site + member * Arch::width), rhs, four);
      } else {
        run(site_of(first_site + member * Arch::width), rhs, four, member, memory);
      }
    });
    if constexpr (with_scale)
      team.for_range(Ls * members, [&](int item) {
        const int slice = item / members, member = item % members;
        if (first_site + member * Arch::width >= sites) return;
        collect(site_of(first_site + member * Arch::width), rhs, slice, member, memory);
      });
  }

 private:
  PLAQ_HD Site site_of(int index) const {
    if constexpr (Arch::width == 1) {
      return Site{index};
    } else {
      const int count = sites - index < Arch::width ? sites - index : Arch::width;
      return Site{index, static_cast<decltype(Site::mask)>((std::uint64_t{1} << count) - 1)};
    }
  }

  PLAQ_HD void run(const Site& site, int rhs, int four, int member, T* memory) const {
    const FifthStep<T>* mine = steps + four / 3 * Ls;
    Real last[4] = {Real(T(0)), Real(T(0)), Real(T(0)), Real(T(0))};
    Real b_before[4] = {last[0], last[1], last[2], last[3]}, ahead[at_once][4];
#pragma unroll 1
    for (int first_of = 0; first_of < Ls; first_of += at_once) {
      load_ahead(in, site, rhs, four, first_of, ahead);
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        const int i = first_of + k;
        if (i >= Ls) break;
        put(memory, i, four, member, ahead[k]);
        const Real start(mine[i].start);
#pragma unroll
        for (int r = 0; r < 4; ++r) {
          last[r] = fma(start, ahead[k][r], last[r]);
          b_before[r] = ahead[k][r];
        }
      }
    }
#pragma unroll 1
    for (int first_of = 0; first_of < Ls; first_of += at_once) {
      if (add) load_ahead(add, site, rhs, four, first_of, ahead);
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        const int i = first_of + k;
        if (i >= Ls) break;
        const FifthStep<T> step = mine[i];
        Real here[4], y[4];
        get(memory, i, four, member, here);
#pragma unroll
        for (int r = 0; r < 4; ++r) {
          y[r] = step_out(step, here[r], b_before[r], last[r]);
          y[r] = add ? fma(Real(b), y[r], Real(a) * ahead[k][r]) : Real(b) * y[r];
          b_before[r] = here[r];
        }
        if constexpr (with_scale) {
          put(memory, i, four, member, y);
        } else {
          out.store_four(rhs * Ls + slice_of(four / 3, i), site, four, y);
        }
      }
    }
  }

  // Gives the numbers of run(), computed in registers.
  PLAQ_HD void run_in_registers(const Site& site, int rhs, int four) const {
    const FifthStep<T>* mine = steps + four / 3 * KnownLs;
    Real b[KnownLs][4], last[4] = {Real(T(0)), Real(T(0)), Real(T(0)), Real(T(0))};
#pragma unroll
    for (int i = 0; i < KnownLs; ++i) in.load_four(subfield_of(rhs, four, i), site, four, b[i]);
    // Several together, since no load may pass the store before it.
    constexpr int together = KnownLs > 12 ? 8 : KnownLs;
    Real x_add[together][4];
    if (add) load_together(site, rhs, four, 0, x_add);
#pragma unroll
    for (int i = 0; i < KnownLs; ++i) {
      const Real start(mine[i].start);
#pragma unroll
      for (int r = 0; r < 4; ++r) last[r] = fma(start, b[i][r], last[r]);
    }
#pragma unroll
    for (int i = 0; i < KnownLs; ++i) {
      const FifthStep<T> step = mine[i];
      Real y[4];
      if (i > 0 && i % together == 0 && add) load_together(site, rhs, four, i, x_add);
#pragma unroll
      for (int r = 0; r < 4; ++r) y[r] = step_out(step, b[i][r], b[i == 0 ? KnownLs - 1 : i - 1][r], last[r]);
#pragma unroll
      for (int r = 0; r < 4; ++r)
        y[r] = add ? fma(Real(this->b), y[r], Real(a) * x_add[i % together][r]) : Real(this->b) * y[r];
      out.store_four(subfield_of(rhs, four, i), site, four, y);
    }
  }
  PLAQ_HD int subfield_of(int rhs, int four, int i) const { return rhs * Ls + slice_of(four / 3, i); }
  template <int Together>
  PLAQ_HD void load_together(const Site& site, int rhs, int four, int first_of,
                             Real (&x_add)[Together][4]) const {
#pragma unroll
    for (int i = 0; i < Together; ++i)
      if (first_of + i < KnownLs) add.load_four(subfield_of(rhs, four, first_of + i), site, four, x_add[i]);
  }

  // The next slices, asked for together, so that their latency passes once; beyond the end the last one
  // again.
  PLAQ_HD void load_ahead(const Array& from, const Site& site, int rhs, int four, int first_of,
                          Real (&ahead)[at_once][4]) const {
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const int i = first_of + k < Ls ? first_of + k : Ls - 1;
      from.load_four(rhs * Ls + slice_of(four / 3, i), site, four, ahead[k]);
    }
  }

  // A slice of a site whose numbers have one scale: all of them must be there.
  PLAQ_HD void collect(const Site& site, int rhs, int slice, int member, const T* memory) const {
    Real all[24];
#pragma unroll
    for (int four = 0; four < fours; ++four) {
      Real some[4];
      get(memory, step_of(four / 3, slice), four, member, some);
#pragma unroll
      for (int r = 0; r < 4; ++r) all[4 * four + r] = some[r];
    }
    out.store(rhs * Ls + slice, site, all);
  }

  // Four components of step i, those of neighbouring members side by side.
  PLAQ_HD T* place(T* memory, int i, int four, int member) const {
    return memory + ((i * fours + four) * group_sites + member * Arch::width) * 4;
  }
  PLAQ_HD void put(T* memory, int i, int four, int member, const Real (&v)[4]) const {
    T* to = place(memory, i, four, member);
    if constexpr (Arch::width == 1) {
      struct alignas(16) Four {
        T v[4];
      };
      *reinterpret_cast<Four*>(to) = Four{{v[0], v[1], v[2], v[3]}};
    } else {
#pragma unroll
      for (int r = 0; r < 4; ++r) v[r].store(to + r * Arch::width);
    }
  }
  PLAQ_HD void get(const T* memory, int i, int four, int member, Real (&v)[4]) const {
    const T* from = place(const_cast<T*>(memory), i, four, member);
    if constexpr (Arch::width == 1) {
      struct alignas(16) Four {
        T v[4];
      };
      const Four got = *reinterpret_cast<const Four*>(from);
#pragma unroll
      for (int r = 0; r < 4; ++r) v[r] = got.v[r];
    } else {
#pragma unroll
      for (int r = 0; r < 4; ++r) v[r] = Real::load(from + r * Arch::width);
    }
  }
};

}  // namespace plaq
