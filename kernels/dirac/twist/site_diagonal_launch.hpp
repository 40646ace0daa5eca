// The launch behind kernels/dirac/twist/site_diagonal.hpp for one machine and storage.
#pragma once

#include "kernels/dirac/twist/site_diagonal.hpp"

namespace plaq {

struct SiteDiagonalCall {
  SiteDiagonal diagonal;  // of the dagger, if it is wanted
  const Field* in = nullptr;
  const Field* add = nullptr;
  double factor = 1;
  Field* out = nullptr;
  int parity = 0;
  ActiveSet active;
};
template <class Target, class S>
struct SiteDiagonalLaunch {
  static void run(const SiteDiagonalCall& call, const Queue& queue);
};

}  // namespace plaq
