#include "jobs/plan/plan_parts.hpp"

#include <filesystem>

#include "comms/sums/peer_sums.hpp"
#include "core/lattice/host_neighbors.hpp"
#include "core/launch/arch.hpp"
#include "core/sums/sum_buffer.hpp"
#include "core/system/error.hpp"
#include "kernels/blas/blas.hpp"
#include "solvers/krylov/batch_scalars.hpp"

namespace plaq::jobs {
namespace {

constexpr Location host = Location::host;

// Memory at the plan's location, and as much on the host where that is a device.
Helds hold_staged(Plan& plan, const std::string& name, std::size_t bytes) {
  Helds held;
  held.push_back(plan.hold({name, 1, bytes, plan.location()}));
  if (plan.location() == Location::device) held.push_back(plan.hold({name + ", staging", 1, bytes, host}));
  return held;
}

}  // namespace

Plan::Held hold_field(Plan& plan, std::string name, const Geometry& geometry, const FieldSpec& spec,
                      int count) {
  return plan.hold({std::move(name), count, field_bytes(geometry, spec), spec.location});
}

void pass_copy(Plan& plan, const Geometry& to, const FieldSpec& to_spec, const Geometry& from,
               const FieldSpec& from_spec) {
  plan.pass({"copies between host and GPU", 1, copy_staging_bytes(to, to_spec, from, from_spec), host});
}

Helds hold_workspace(Plan& plan, int batch) {
  Helds held = hold_staged(plan, "coefficients and exact sums", blas::Workspace::bytes(batch));
  held.push_back(plan.hold({"sums, rounded", 1, blas::Workspace::total_bytes(batch), plan.location()}));
  return held;
}

Helds hold_batch(Plan& plan, int batch) {
  Helds held = hold_workspace(plan, batch);
  const auto& ranks = plan.geometry()->decomposition().ranks;
  const std::size_t sheets = PeerSums::bytes(ranks[0] * ranks[1] * ranks[2] * ranks[3]);
  if (plan.location() == Location::device && sheets > 0 && plan.first_time(*plan.geometry(), "sums of GPUs"))
    plan.keep({"sums among GPUs", 1, sheets, Location::device, false});
  held.push_back(plan.hold({"scalars of a method", 1, BatchScalars::bytes(batch), plan.location()}));
  held.push_back(plan.hold({"scalars of a method, for the host", 1, BatchScalars::host_bytes(batch), host}));
  return held;
}

Helds hold_scalars(Plan& plan, const SolverSpec& spec, int batch) {
  Helds held;
  const std::size_t bytes = scalar_bytes_of(spec, batch);
  if (bytes > 0) held.push_back(plan.hold({"scalars of its directions", 1, bytes, plan.location()}));
  return held;
}

Helds hold_sums(Plan& plan, int count) { return hold_staged(plan, "exact sums", SumBuffer::bytes(count)); }

Helds hold_tables(Plan& plan, const Geometry& geometry, Precision precision) {
  // Gauge kernels run over the owned sites of an extended geometry, operators over the two parts of a plain
  // one.
  const auto bytes = [&](Location location) {
    if (geometry.halo_depth() > 0) return geometry.region_bytes(Region::all, location);
    return geometry.region_bytes(Region::interior, location) +
           geometry.region_bytes(Region::boundary, location);
  };
  const bool device = plan.location() == Location::device;
  Helds held;
  if (plan.first_time(geometry, "regions")) {
    held.push_back(plan.hold({"masks of sites", 1, bytes(host), host, false}));
    if (device) held.push_back(plan.hold({"lists of sites", 1, bytes(Location::device), Location::device}));
  }
  const bool single = precision == Precision::single_precision;
  if (device || !plan.first_time(geometry, single ? "single" : "double")) return held;
  const int width = single ? Arch<Host, float>::width : Arch<Host, double>::width;
  held.push_back(plan.hold({"table of neighbours", 1,
                            HostNeighborTable::about_bytes(geometry.general_shape(), width), host, false}));
  return held;
}

void keep_tables(Plan& plan, const Geometry& geometry, Precision precision) {
  for (auto& held : hold_tables(plan, geometry, precision)) plan.keep(std::move(held));
}

Outlook outlook(const std::function<Outlook()>& look) {
  try {
    return look();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::output_file) throw;
    return {Outlook::Kind::stops, error.what()};
  }
}

bool file_exists(const std::string& path) {
  std::error_code unreadable;
  return std::filesystem::exists(path, unreadable) || unreadable;
}

}  // namespace plaq::jobs
