// Walks over the reals of a field.
#pragma once

#include <gtest/gtest.h>

#include "core/field/field.hpp"

namespace plaq::test {

// Calls visit(subfield, parity, checkerboard index, real).
template <class Visit>
void for_reals(const Field& f, Visit&& visit) {
  for (int subfield = 0; subfield < f.subfields(); ++subfield)
    for (int parity = 0; parity < 2; ++parity)
      for (int s = 0; f.holds(parity) && s < f.layout().sites; ++s) {
        if (testing::Test::HasFatalFailure()) return;  // one bad site says enough
        for (int r = 0; r < f.reals_per_site(); ++r) visit(subfield, parity, s, r);
      }
}

}  // namespace plaq::test
