#include "multigrid/hierarchy/coarse_level.hpp"

#include <utility>

#include "multigrid/hierarchy/chiral_level.hpp"
#include "multigrid/hierarchy/wide_level.hpp"

namespace plaq {

std::unique_ptr<CoarseLevel> make_coarse_level(const ProcessGrid& grid, CoarseLinks links, Precision storage,
                                               const Queue& queue, std::shared_ptr<Transport> transport,
                                               const Twist& twist) {
  if (links.diagonal.empty())
    return std::make_unique<ChiralLevel>(grid, std::move(links.nearest), true, storage, queue,
                                         std::move(transport), twist);
  auto level = std::make_unique<WideLevel>(grid, std::move(links), storage, queue, std::move(transport));
  level->set_twist(twist);
  return level;
}

}  // namespace plaq
