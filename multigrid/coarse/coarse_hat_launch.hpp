// The launches of coarse_hat.hpp for one machine.
#pragma once

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"

namespace plaq {

template <class Target, class C>
struct CoarseHatLaunch {
  // `inverse`: one matrix a site, in double; `singular`: an int for each site of `parity`, at their location.
  static void invert_sites(const Field& inverse, const Field& links, int parity, int* singular,
                           const Queue& queue);
  static void shift_sites(const Field& links, double shift, const Queue& queue);
  static void multiply_hops(const Field& hops, const Field& inverse, const Field& links, const Queue& queue);
};

}  // namespace plaq
