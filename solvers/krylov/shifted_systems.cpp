#include "solvers/krylov/shifted_systems.hpp"

#include <algorithm>

namespace plaq {
namespace {

void copy_right_hand_side(Field& to, std::size_t to_rhs, const Field& from, std::size_t from_rhs) {
  const int slices = to.Ls();
  for (int s = 0; s < slices; ++s)
    copy_subfield(to, static_cast<int>(to_rhs) * slices + s, from, static_cast<int>(from_rhs) * slices + s);
}

}  // namespace

void solve_in_groups(std::vector<Field>& x, const Field& b, const std::vector<ShiftedSystem>& systems,
                     Field& group_x, Field& group_b, const Queue& queue,
                     const std::function<void(std::size_t first, std::size_t count)>& solve) {
  const auto together = static_cast<std::size_t>(group_x.batch());
  for (std::size_t first = 0; first < systems.size(); first += together) {
    const std::size_t count = std::min(together, systems.size() - first);
    queue.synchronize();
    for (std::size_t k = 0; k < count; ++k) {
      const auto& [shift, rhs] = systems[first + k];
      copy_right_hand_side(group_x, k, x[shift], rhs);
      copy_right_hand_side(group_b, k, b, rhs);
    }
    solve(first, count);
    queue.synchronize();
    for (std::size_t k = 0; k < count; ++k)
      copy_right_hand_side(x[systems[first + k].shift], systems[first + k].rhs, group_x, k);
  }
}

}  // namespace plaq
