// The launches in the fifth dimension for one machine and storage.
#pragma once

#include "core/field/field.hpp"
#include "core/operator/active_set.hpp"

namespace plaq {

class FifthTable;

struct FifthCall {
  const Field* in = nullptr;
  const Field* add = nullptr;
  Field* out = nullptr;
  const FifthTable* table = nullptr;
  double a = 0, b = 1;
  int parity = 0;
  ActiveSet active;  // right-hand sides
};

template <class Target, class S>
struct FifthLaunch {
  static void run(const FifthCall& call, const Queue& queue);
};

}  // namespace plaq
