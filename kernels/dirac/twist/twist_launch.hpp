// The launch behind kernels/dirac/twist/twist.hpp for one machine and storage.
#pragma once

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "core/operator/active_set.hpp"

namespace plaq {

template <class Target, class S>
struct TwistLaunch {
  static void add(Field& out, const Field& in, double mu, int parity, const ActiveSet& active,
                  const Queue& queue);
};

}  // namespace plaq
