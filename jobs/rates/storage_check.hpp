// Results of Dirac operators against those of the same operator in double precision with links of 18 reals.
#pragma once

#include <string>

#include "comms/grid/process_grid.hpp"
#include "core/launch/queue.hpp"
#include "kernels/gauge/link_storage.hpp"

namespace plaq::jobs {

// ||found - expected|| / ||expected||, the largest of all right-hand sides; `expected` in double. Collective.
double relative_difference(const ProcessGrid& grid, const Field& found, const Field& expected,
                           const Queue& queue);

// What rounding may do to one hopping term with random links.
double allowed_difference(const LinkStorage& storage);

// The relative difference; throws Error(internal) where `found` is off by more than `factor` times the bound.
double check_against_double(const ProcessGrid& grid, const Field& found, const Field& expected,
                            const LinkStorage& storage, const Queue& queue, double factor = 1);
std::string difference_text(double difference);  // "3.1e-08 off double"

}  // namespace plaq::jobs
