#include "multigrid/hierarchy/wide_level.hpp"

#include <utility>

#include "core/system/error.hpp"
#include "multigrid/coarse/coarse_whole.hpp"

namespace plaq {

WideLevel::WideLevel(const ProcessGrid& grid, CoarseLinks links, Precision storage, const Queue& queue,
                     std::shared_ptr<Transport> transport)
    : grid_(grid), transport_(std::move(transport)) {
  const Precision precision = links.nearest.precision(), kept = at_least_half(storage);
  CoarseLinks stored{coarse_links_in(links.nearest, kept), {}};
  for (const Field& diagonal : links.diagonal) stored.diagonal.push_back(coarse_links_in(diagonal, kept));
  const auto made = [&](CoarseLinks of) {
    return std::make_shared<WideOperator>(grid_, std::move(of), precision, queue, transport_);
  };
  m_ = made(std::move(links));
  stored_ = kept == precision ? m_ : made(std::move(stored));
}

std::unique_ptr<SchurOperator> WideLevel::reduced(int) {
  return std::make_unique<CoarseWhole>(stored_, false);
}

void WideLevel::set_twist(const Twist& twist) {
  require(twist == Twist(), "a twist of a coarse operator without chirality");
}

void WideLevel::shift_mass(double, const Twist&) {
  require(false, "a change of mass of a coarse operator that has to be made again");
}

void WideLevel::set_even_share(Field) { set_twist({1, 0}); }

CoarseOperator& WideLevel::even_share() {
  throw Error(ErrorKind::internal, "internal error: the even sites of a coarse operator without chirality");
}

}  // namespace plaq
