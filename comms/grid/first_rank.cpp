#include "comms/grid/first_rank.hpp"

#include "comms/grid/collective.hpp"
#include "comms/grid/world.hpp"

namespace plaq {

void on_first_rank(const std::function<void()>& action) {
  const Communicator all = world();
  all_or_none(all, [&] {
    if (all.rank() == 0) action();
  });
}

Extents extents_from_first_rank(const std::function<Extents()>& action) {
  Extents extents{};
  on_first_rank([&] { extents = action(); });
  return world().broadcast(extents);
}

}  // namespace plaq
