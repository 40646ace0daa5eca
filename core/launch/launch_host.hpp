// Launching on host threads. Included through core/launch/launch.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <exception>
#include <vector>

#include "core/algebra/bits.hpp"
#include "core/lattice/domain.hpp"
#include "core/launch/arch.hpp"
#include "core/launch/launch_shape.hpp"
#include "core/launch/team.hpp"
#include "core/sums/host_sum.hpp"
#include "core/sums/sum_buffer.hpp"
#include "core/system/runs_dry.hpp"

namespace plaq {
namespace detail {

inline constexpr int parallel_threshold = 4;  // words of sites below which threads cost more than they bring

// Calls visit(site) for every group of Width sites among the 64 of mask word `block`.
template <int Width, class Visit>
inline void visit_block(const Domain& d, int block, Visit&& visit) {
  std::uint64_t word = d.masks != nullptr ? d.masks[block] : ~std::uint64_t{0};
  const int first = block * host_mask_sites;
  if (first < d.begin) word &= ~std::uint64_t{0} << (d.begin - first);
  if (first + host_mask_sites > d.end) word &= ~std::uint64_t{0} >> (host_mask_sites - (d.end - first));
  constexpr std::uint64_t full = Width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << Width) - 1;
  for (int i = 0; word != 0; i += Width, word >>= Width) {
    const auto mask = static_cast<LaneMask>(word & full);
    if (mask != 0) visit(LaneSite<Width>{first + i, mask});
  }
}

}  // namespace detail

template <class F>
void for_each(const Domain& domain, const Queue&, const F& functor, const Launch& launch = {}) {
  detail::checked_block<F>(launch);
  if (domain.begin >= domain.end || runs_dry()) return;
  const int first = domain.begin / host_mask_sites;
  const int last = (domain.end + host_mask_sites - 1) / host_mask_sites;
#pragma omp parallel for schedule(static) if (last - first >= detail::parallel_threshold)
  for (int block = first; block < last; ++block) {
    detail::visit_block<F::Arch::width>(domain, block, [&](LaneSite<F::Arch::width> site) {
      for (int inner = 0; inner < domain.inner; ++inner) functor(site, inner);
    });
  }
}

template <class F>
void reduce(const Domain& domain, const Queue& queue, const F& functor, SumBuffer& result, int first_sum = 0,
            int = 0) {
  constexpr int sums = F::sums, width = F::Arch::width;
  auto* out = reinterpret_cast<ExactSum*>(result.limbs()) + first_sum;
  if (domain.begin >= domain.end || runs_dry()) return;
  if (domain.runs > 1) {
    Domain run = domain;
    run.runs = 1;
    for (int i = 0; i < domain.runs; ++i) {
      run.begin = domain.begin + i * detail::run_of(domain);
      run.end = run.begin + detail::run_of(domain);
      reduce(run, queue, functor, result, first_sum + i * domain.inner * sums);
    }
    return;
  }
  const int first = domain.begin / host_mask_sites;
  const int last = (domain.end + host_mask_sites - 1) / host_mask_sites;
#pragma omp parallel if (last - first >= detail::parallel_threshold)
  {
    std::vector<HostSum> mine(static_cast<std::size_t>(domain.inner) * sums);
#pragma omp for schedule(static)
    for (int block = first; block < last; ++block) {
      detail::visit_block<width>(domain, block, [&](LaneSite<width> site) {
        for (int inner = 0; inner < domain.inner; ++inner) {
          typename F::Arch::RealDouble values[sums];
          functor(site, inner, values);
          for (int k = 0; k < sums; ++k)
            mine[static_cast<std::size_t>(inner * sums + k)].add(values[k], site.mask);
        }
      });
    }
#pragma omp critical(plaq_reduce)
    for (int inner = 0; inner < domain.inner; ++inner)
      for (int k = 0; k < sums; ++k)
        mine[static_cast<std::size_t>(inner * sums + k)].hand_over(
            out[detail::place_of(functor, inner) * sums + k]);
  }
}

namespace detail {

// The sites of one parity of a functor of both.
template <class F>
struct OneParity {
  using Arch = typename F::Arch;
  const F& functor;
  int parity;

  void operator()(const LaneSite<Arch::width>& site, int inner) const { functor(parity, site, inner); }
};
template <class F>
struct OneParitySum : OneParity<F> {
  static constexpr int sums = F::sums;

  void operator()(const LaneSite<F::Arch::width>& site, int inner,
                  typename F::Arch::RealDouble (&values)[sums]) const {
    this->functor(this->parity, site, inner, values);
  }
  static int place(int) { return 0; }
};
// Sites of one parity among all that are stored: those that the rank owns and some slices of its halo.
template <class F>
struct OneParityBeyond {
  using Arch = typename F::Arch;
  const F& functor;
  const LatticeShape& shape;
  std::uint32_t beyond;
  int parity;

  void operator()(LaneSite<Arch::width> site, int inner) const {
    for (int lane = 0; lane < Arch::width; ++lane) {
      const LaneMask bit = LaneMask{1} << lane;
      if ((site.mask & bit) != 0 && !shape.is_within(shape.coordinates(parity, site.index + lane), beyond))
        site.mask &= ~bit;
    }
    if (site.mask != 0) functor(parity, site, inner);
  }
};
inline Domain of_parity(const LatticeDomain& domain, int parity) {
  return make_domain(*domain.geometry, Region::all, parity, domain.location, domain.inner);
}

}  // namespace detail

template <class F>
void for_each(const LatticeDomain& domain, const Queue& queue, const F& functor) {
  for (int parity = 0; parity < 2; ++parity) {
    if (domain.beyond == 0 || domain.geometry->halo_depth() == 0) {
      for_each(detail::of_parity(domain, parity), queue, detail::OneParity<F>{functor, parity});
    } else {
      const LatticeShape& shape = domain.geometry->shape();
      for_each(index_domain(shape.half_volume, domain.inner), queue,
               detail::OneParityBeyond<F>{functor, shape, domain.beyond, parity});
    }
  }
}

template <class F>
void reduce(const LatticeDomain& domain, const Queue& queue, const F& functor, SumBuffer& result) {
  require(domain.beyond == 0, "sums of sites that other ranks own");
  for (int parity = 0; parity < 2; ++parity)
    reduce(detail::of_parity(domain, parity), queue, detail::OneParitySum<F>{{functor, parity}}, result);
}

template <class F>
std::array<double, F::maxima> reduce_max(const Domain& domain, const Queue&, const F& functor) {
  constexpr int maxima = F::maxima, width = F::Arch::width;
  if (runs_dry()) return {};
  std::uint64_t largest[maxima] = {};
  const int first = domain.begin / host_mask_sites;
  const int last = (domain.end + host_mask_sites - 1) / host_mask_sites;
#pragma omp parallel for schedule(static) \
    reduction(max                         \
              : largest[:maxima]) if (last - first >= detail::parallel_threshold)
  for (int block = first; block < last; ++block) {
    detail::visit_block<width>(domain, block, [&](LaneSite<width> site) {
      for (int inner = 0; inner < domain.inner; ++inner) {
        typename F::Arch::RealDouble values[maxima];
        functor(site, inner, values);
        for (int k = 0; k < maxima; ++k)
          for (int l = 0; l < width; ++l)
            if ((site.mask >> l) & 1u) largest[k] = std::max(largest[k], to_magnitude(values[k][l]));
      }
    });
  }
  std::array<double, maxima> result;
  for (int k = 0; k < maxima; ++k) result[static_cast<std::size_t>(k)] = from_magnitude(largest[k]);
  return result;
}

// Scratch memory belongs to the thread; the next team finds what the last one left.
template <class F>
void for_each_team(const TeamDomain& teams, const Queue&, const F& functor) {
  detail::check_teams<F>(teams);
  if (runs_dry()) return;
  struct alignas(16) Piece {
    unsigned char bytes[16];
  };
  std::exception_ptr failure;  // none may leave a parallel region
#pragma omp parallel if (teams.count > 1)
  {
    std::vector<Piece> scratch((teams.scratch_bytes + sizeof(Piece) - 1) / sizeof(Piece));
#pragma omp for schedule(static)
    for (int index = 0; index < teams.count; ++index) {
      try {
        Team<Host> team(scratch.data(), teams.scratch_bytes);
        functor(team, index);
      } catch (...) {
#pragma omp critical(plaq_team_failure)
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace plaq
