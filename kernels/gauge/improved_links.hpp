// What links of asqtad and HISQ fermions are made with.
#pragma once

#include "kernels/gauge/asqtad_links.hpp"

namespace plaq {

// Collective. Links on an extended geometry with a halo of depth 2 that is filled, at the queue's location,
// in the precision that is computed in. `gauge`: as asqtad_links() has it.
Field extended_links(const ProcessGrid& grid, const Field& gauge, Precision precision, const Queue& queue,
                     std::shared_ptr<Transport> transport);

// Fat links of these, on the owned sites. Queued.
Field fat_links(const Field& links, const AsqtadCoefficients& coefficients, const Queue& queue);

// Fat links and three-link products of these, on `geometry`, the one that is not extended. Waits for the end.
AsqtadLinks improved_links(const Field& links, const GeometryPtr& geometry,
                           const AsqtadCoefficients& coefficients, const Queue& queue);

}  // namespace plaq
