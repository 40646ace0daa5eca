// Links of HISQ fermions (kernels/gauge/hisq_links.hpp) for molecular dynamics: V, W, F, N of links U, and the
// chain rule from gradients on F and N to the force on U. In double precision.
//
// A gradient Sigma of links L, which need not be unitary, has dS = Re sum over links of tr(dL Sigma).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "comms/halo/extended_halo.hpp"
#include "core/sums/sum_buffer.hpp"
#include "kernels/gauge/asqtad_links.hpp"

namespace plaq {

class HisqSmearer {
 public:
  static constexpr int halo_depth = 2;
  // delta in the force alone: where the smallest eigenvalue of V^dagger V is below it, it is added to all
  // three of that link. HISQ_FORCE_FILTER of MILC has this value.
  static constexpr double usual_filter = 5e-5;
};

}  // namespace plaq
