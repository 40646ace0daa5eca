#include "jobs/files/stored_field.hpp"

#include <span>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/world.hpp"
#include "comms/halo/extended_halo.hpp"
#include "core/launch/queue.hpp"
#include "io/eigenvectors/eigenvector_file.hpp"
#include "io/gauge/gauge_file.hpp"
#include "io/laplacian_modes/laplacian_mode_file.hpp"
#include "io/multigrid/multigrid_file.hpp"
#include "io/propagator/propagator_file.hpp"
#include "io/state/state_file.hpp"
#include "io/transformation/transformation_file.hpp"
#include "jobs/results/journal.hpp"
#include "jobs/results/result_file.hpp"

namespace plaq::jobs {
namespace {

StoredField look_at(const std::string& path) {
  if (is_propagator(path)) {
    const PropagatorFileInfo info = inspect_propagator(path);
    return {StoredKind::propagator, info.extents, info.precision, info.quarks, info.count};
  }
  if (is_transformation(path)) {
    const TransformationFileInfo info = inspect_transformation(path);
    return {StoredKind::transformation, info.extents, info.precision, {}, 0};
  }
  if (is_multigrid_file(path)) {
    const MultigridFileInfo info = inspect_multigrid_file(path);
    return {StoredKind::multigrid, info.extents, info.precision, {}, 0};
  }
  if (is_eigenvector_file(path)) {
    const EigenvectorFileInfo info = inspect_eigenvector_file(path);
    return {StoredKind::eigenvectors, info.extents, info.precision, {}, 0};
  }
  if (is_laplacian_mode_file(path)) {
    const LaplacianModeFileInfo info = inspect_laplacian_mode_file(path);
    return {StoredKind::laplacian_modes, info.extents, info.precision, {}, 0};
  }
  if (is_hdf5(path)) return {StoredKind::results, {}, {}, {}, 0};
  if (is_journal(path)) return {StoredKind::journal, {}, {}, {}, 0};
  if (is_state_file(path)) return {StoredKind::state, inspect_state(path).extents, {}, {}, 0};
  const GaugeFileInfo info = inspect_gauge_file(path);
  return {StoredKind::gauge, info.extents, info.links.precision, {}, 0};
}

}  // namespace

StoredField find_stored_field(const std::string& path, const std::function<void()>& before) {
  StoredField found;
  on_first_rank([&] {
    if (before) before();
    found = look_at(path);
  });
  const Extents& e = found.extents;
  int words[] = {static_cast<int>(found.kind),
                 static_cast<int>(found.precision),
                 e[0],
                 e[1],
                 e[2],
                 e[3],
                 static_cast<int>(found.quarks),
                 found.columns};
  world().broadcast(std::span(words));
  return {static_cast<StoredKind>(words[0]),
          {words[2], words[3], words[4], words[5]},
          static_cast<Precision>(words[1]),
          static_cast<PropagatorKind>(words[6]),
          words[7]};
}

GaugeObservables measure_on_host(const ProcessGrid& grid, const Field& links) {
  const Queue queue(Location::host);
  const auto extended = links.geometry().extended(1);
  Field gauge(extended, links.spec());
  copy(gauge, links);
  ExtendedHalo(grid, extended, gauge.spec(), make_host_transport(grid, Location::host))
      .exchange(gauge, queue);
  return measure_gauge(grid, gauge, queue);
}

}  // namespace plaq::jobs
