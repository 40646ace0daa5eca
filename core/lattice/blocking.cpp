#include "core/lattice/blocking.hpp"

#include <utility>

namespace plaq {
namespace {

// "1, 2, 3, 6".
std::string divisors_text(int n) {
  std::string text;
  for (int d = 1; d <= n; ++d)
    if (n % d == 0) text += (d == 1 ? "" : ", ") + std::to_string(d);
  return text;
}

Extents coarse_extents(const Geometry& fine, const Extents& block) {
  static constexpr const char* names[4] = {"x", "y", "z", "t"};
  require(fine.halo_depth() == 0, "blocks of a lattice with halo");
  Extents global = fine.global();
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const int local = fine.local()[mu];
    if (block[mu] < 1 || local % block[mu] != 0)
      throw Error(ErrorKind::job_file,
                  "blocks of " + to_string(block) + " sites do not tile the " + to_string(fine.local()) +
                      " sites of a rank (lattice " + to_string(fine.global()) + " on process grid " +
                      to_string(fine.decomposition().ranks) + "): " + std::to_string(block[mu]) + " in " +
                      names[mu] + " must be one of " + divisors_text(local));
    global[mu] /= block[mu];
  }
  return global;
}

}  // namespace

Blocking::Blocking(GeometryPtr fine, const Extents& block, LatticeOrder coarse_order)
    : fine_(std::move(fine)), block_(block) {
  Decomposition d = fine_->decomposition();
  d.global = coarse_extents(*fine_, block);
  coarse_ = Geometry::create_general(d, coarse_order);
  map_.fine = fine_->general_shape();
  map_.coarse = coarse_->general_shape();
  map_.block = Geometry::create_general({block}, LatticeOrder::lexicographic)->general_shape();
  map_.block.checkerboard = map_.fine.checkerboard;
  for (std::size_t mu = 0; mu < 4; ++mu) map_.by_block[mu] = Divisor(static_cast<std::uint32_t>(block[mu]));
}

Blocking::Blocking(GeometryPtr fine, const Extents& block)
    : Blocking(fine, block, lattice_order_for(coarse_extents(*fine, block))) {}

}  // namespace plaq
