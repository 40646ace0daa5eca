// A lattice that ranks share, and how its faces travel: where the subjects of a study are measured.
#pragma once

#include <functional>
#include <memory>

#include "jobs/rates/operator_rates.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

struct StudyLattice {
  std::unique_ptr<ProcessGrid> grid;
  GeometryPtr geometry;
  TransportChoice faces;

  // Collective over `comm`. `transport`: for that grid.
  StudyLattice(const Communicator& comm, const Extents& extents, const Sharing& sharing,
               const std::function<TransportChoice(const ProcessGrid&)>& transport)
      : grid(std::make_unique<ProcessGrid>(comm, sharing.grid, sharing.block)),
        geometry(grid->geometry(extents, sharing.forced)),
        faces(transport(*grid)) {}

  // On random links.
  RateProblem problem(const Queue& queue, int samples, std::uint64_t seed = 11) const {
    return {*grid, random_gauge(geometry, seed), queue, faces.transport, samples};
  }
};

}  // namespace plaq::jobs
