#include "jobs/plan/plan_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "comms/sums/peer_sums.hpp"
#include "core/lattice/host_neighbors.hpp"
#include "core/launch/arch.hpp"
#include "core/sums/sum_buffer.hpp"
#include "core/system/error.hpp"
#include "io/bytes/site_file.hpp"
#include "io/gauge/link_codec.hpp"
#include "jobs/run/link_smearing.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/gauge/observables.hpp"
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

void pass_measure_gauge(Plan& plan, const Geometry& geometry, const FieldSpec& gauge) {
  const Helds sums = hold_sums(plan, 2);
  const std::size_t lines = polyakov_line_bytes(geometry, gauge);
  const auto here = plan.hold({"Polyakov lines", 1, lines, gauge.location});
  plan.pass({"Polyakov lines to send and receive", 1, lines, host});
}

void pass_site_file(Plan& plan, int record_bytes, const SiteOrder& order) {
  plan.pass(
      {"pieces of the file", 1, SiteFile::bytes(*plan.geometry(), {0, record_bytes, order}), host, false});
}

void pass_links_file(Plan& plan, const LinkFormat& links) {
  Plan::Held faces;
  if (links.sequence == LinkOrder::openqcd) {
    std::size_t sites = 0;
    for (int mu = 0; mu < 4; ++mu) sites += static_cast<std::size_t>(plan.geometry()->shape().face_sites(mu));
    faces = plan.hold({"links of neighbours", 1, sites * 18 * sizeof(double), host, false});
  }
  pass_site_file(plan, record_bytes(links), site_order(links.sequence));
}

Plan::Held plan_load_gauge(Plan& plan) {
  const Geometry& geometry = *plan.geometry();
  const GeometryPtr extended = geometry.extended(1);
  const FieldSpec on_host = gauge_spec(Precision::double_precision, host);
  const FieldSpec spec = gauge_spec(Precision::double_precision, plan.location());
  plan.phase("reading a gauge field");
  const auto read = hold_field(plan, "gauge field as read", geometry, on_host);
  pass_links_file(plan, LinkFormat());
  auto field = hold_field(plan, "gauge field with its halo", *extended, spec);
  pass_copy(plan, *extended, spec, geometry, on_host);
  { const Helds exchange = hold_extended_halo(plan, *extended, spec); }
  pass_measure_gauge(plan, *extended, spec);
  return field;
}

void pass_smear_links(Plan& plan, const Geometry& geometry, const FieldSpec& gauge) {
  if (!smears_links(plan.job())) return;
  plan.phase("smearing the links");
  const auto work = hold_field(plan, "smeared links", geometry, gauge);
  const Helds exchange = hold_extended_halo(plan, geometry, gauge);
}

bool file_exists(const std::string& path) {
  std::error_code unreadable;
  return std::filesystem::exists(path, unreadable) || unreadable;
}

Extents planned_extents(Plan& plan, const std::string& path, const std::function<Extents()>& read) {
  if (file_exists(path)) return read();
  const auto extents = plan.job().optional_four("lattice", "extents");
  if (!extents)
    throw Error(
        ErrorKind::input_file,
        fmt::format("cannot read {}: no such file; give extents in [lattice] to plan without it", path));
  plan.note(fmt::format("{} is not there yet: the lattice is that of [lattice].", path));
  return *extents;
}

EnsembleInput planned_ensemble(Plan& plan, const ChooseFiles& choose) {
  const JobFile& job = plan.job();
  const auto asked = job.optional_four("lattice", "extents");
  EnsembleInput input;
  bool all_there = true;
  for (const auto& pattern : job.strings("gauge", "files")) {
    auto files = files_matching(pattern);
    if (files.empty()) files.push_back(pattern);
    all_there = all_there && std::all_of(files.begin(), files.end(), file_exists);
    input.files.insert(input.files.end(), files.begin(), files.end());
  }
  if (all_there || !asked) return inspect_ensemble(job, choose);
  if (choose) choose(input.files);
  plan.note("Not all gauge fields are there yet: the lattice is that of [lattice].");
  const auto there = std::find_if(input.files.begin(), input.files.end(), file_exists);
  input.extents = there == input.files.end() ? *asked : inspect_gauge_file(*there, asked).extents;
  return input;
}

void expect_ensemble(Plan& plan, const JobFiles& files, const EnsembleInput& input, const std::string& axis,
                     int parts, const std::vector<std::string>& more) {
  if (input.fingerprints.size() == input.files.size())
    plan.expects(outlook_of_ensemble(plan.job(), files, input, axis, parts, more));
}

}  // namespace plaq::jobs
