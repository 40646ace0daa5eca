// The twist i mu gamma5 of twisted-mass quarks (Frezzotti et al., JHEP 08 (2001) 058) and of Hasenbusch
// ladders.
#pragma once

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "core/operator/active_set.hpp"

namespace plaq {

// A twist mu for each parity: mu on both for twisted-mass quarks, on even sites alone for a ladder of
// even-odd operators.
struct Twist {
  double even = 0, odd = 0;
  auto operator<=>(const Twist&) const = default;
};

// out <- out + i mu gamma5 in on the sites of `parity`, which both fields hold, for the active right-hand
// sides: spinors of 4 x 3 components in any one precision. Queued.
void add_twist(Field& out, const Field& in, double mu, int parity, const ActiveSet& active,
               const Queue& queue);
inline void add_twist(Field& out, const Field& in, double mu, int parity, const Queue& queue) {
  add_twist(out, in, mu, parity, ActiveSet(in.subfields()), queue);
}

}  // namespace plaq
