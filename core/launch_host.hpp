// Launching on host threads. Included through core/launch.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "core/arch.hpp"
#include "core/domain.hpp"
#include "core/magnitude.hpp"
#include "core/sum_buffer.hpp"

namespace plaq {
namespace detail {

inline constexpr int parallel_threshold = 4;  // storage blocks below which threads cost more than they bring

// Calls visit(site, first site's storage block) for every group of Width sites of the storage block.
template <int Width, class Visit>
inline void visit_block(const Domain& d, int block, Visit&& visit) {
  std::uint64_t word = d.masks != nullptr ? d.masks[block] : ~std::uint64_t{0};
  const int first = block * host_site_block;
  if (first < d.begin) word &= ~std::uint64_t{0} << (d.begin - first);
  if (first + host_site_block > d.end) word &= ~std::uint64_t{0} >> (host_site_block - (d.end - first));
  constexpr std::uint64_t full = Width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << Width) - 1;
  for (int i = 0; word != 0; i += Width, word >>= Width) {
    const auto mask = static_cast<LaneMask>(word & full);
    if (mask != 0) visit(LaneSite<Width>{first + i, mask});
  }
}

}  // namespace detail

template <class F>
void for_each(const Domain& domain, const Queue&, const F& functor) {
  if (domain.begin >= domain.end) return;
  const int first = domain.begin / host_site_block;
  const int last = (domain.end + host_site_block - 1) / host_site_block;
#pragma omp parallel for schedule(static) if (last - first >= detail::parallel_threshold)
  for (int block = first; block < last; ++block) {
    detail::visit_block<F::Arch::width>(domain, block, [&](LaneSite<F::Arch::width> site) {
      for (int inner = 0; inner < domain.inner; ++inner) functor(site, inner);
    });
  }
}

template <class F>
void reduce(const Domain& domain, const Queue&, const F& functor, SumBuffer& result) {
  constexpr int sums = F::sums, width = F::Arch::width;
  auto* out = reinterpret_cast<ExactSum*>(result.limbs());
  if (domain.begin >= domain.end) return;
  const int first = domain.begin / host_site_block;
  const int last = (domain.end + host_site_block - 1) / host_site_block;
#pragma omp parallel if (last - first >= detail::parallel_threshold)
  {
    std::vector<ExactSum> mine(static_cast<std::size_t>(domain.inner) * sums);
#pragma omp for schedule(static)
    for (int block = first; block < last; ++block) {
      detail::visit_block<width>(domain, block, [&](LaneSite<width> site) {
        for (int inner = 0; inner < domain.inner; ++inner) {
          typename F::Arch::RealDouble values[sums];
          functor(site, inner, values);
          for (int k = 0; k < sums; ++k)
            for (int l = 0; l < width; ++l)
              if ((site.mask >> l) & 1u) mine[static_cast<std::size_t>(inner * sums + k)].add(values[k][l]);
        }
      });
    }
#pragma omp critical(plaq_reduce)
    for (std::size_t i = 0; i < mine.size(); ++i) {
      mine[i].normalize();
      out[i].merge(mine[i]);
    }
  }
}

template <class F>
std::array<double, F::maxima> reduce_max(const Domain& domain, const Queue&, const F& functor) {
  constexpr int maxima = F::maxima, width = F::Arch::width;
  std::uint64_t largest[maxima] = {};
  const int first = domain.begin / host_site_block;
  const int last = (domain.end + host_site_block - 1) / host_site_block;
#pragma omp parallel for schedule(static) reduction(max : largest[:maxima]) if (last - first >= detail::parallel_threshold)
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

}  // namespace plaq
