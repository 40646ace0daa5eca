// Systems (A + shift) x = b, each with a shift of its own, that are solved several in a batch: they share
// passes over the links, and each has the bits that it has alone.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"

namespace plaq {

/// One shift of one right-hand side, by their numbers.
struct ShiftedSystem {
  std::size_t shift = 0, rhs = 0;
};

/// Solves systems in groups, in their order.
/// @param x        [shift]: first guesses, and then solutions
/// @param b        right-hand sides of all shifts
/// @param systems  to be solved
/// @param group_x  workspace: a batch of the size of a group
/// @param group_b  workspace of the same kind
/// @param queue    of `solve`
/// @param solve    takes the systems first .. first + count - 1: the first right-hand sides of the workspace,
///   in which it solves from group_x
void solve_in_groups(std::vector<Field>& x, const Field& b, const std::vector<ShiftedSystem>& systems,
                     Field& group_x, Field& group_b, const Queue& queue,
                     const std::function<void(std::size_t first, std::size_t count)>& solve);

}  // namespace plaq
