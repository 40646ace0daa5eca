// Walks over the reals of a field.
#pragma once

#include <gtest/gtest.h>

#include "core/field.hpp"

namespace plaq::test {

// Calls visit(slot, parity, checkerboard index, real).
template <class Visit>
void for_reals(const Field& f, Visit&& visit) {
  for (int slot = 0; slot < f.slots(); ++slot)
    for (int parity = 0; parity < 2; ++parity)
      for (int s = 0; f.holds(parity) && s < f.layout().sites; ++s) {
        if (testing::Test::HasFatalFailure()) return;  // one bad site says enough
        for (int r = 0; r < f.reals_per_site(); ++r) visit(slot, parity, s, r);
      }
}

}  // namespace plaq::test
