#include <fmt/format.h>
#include <mpi.h>

#include "core/system/log.hpp"
#include "io/propagator/propagator_file.hpp"
#include "jobs/files/convert.hpp"

namespace plaq::jobs {
namespace {

PropagatorWriteOptions asked(const ConvertOptions& options, const StoredField& input) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::usage, fmt::format("convert: {} holds a propagator: {}", options.input, what));
  };
  if (options.format != "hdf5" && options.format != "scidac")
    refuse(fmt::format("expected --format hdf5 or scidac, found {}", options.format));
  const std::pair<bool, const char*> of_gauge_fields[] = {
      {!options.rows.empty(), "--rows"},
      {!options.byte_order.empty(), "--byte-order"},
      {options.strip_antiperiodic, "--strip-antiperiodic"},
      {!options.transform.empty(), "--transform"},
      {!options.ensemble_id.empty(), "--ensemble-id"},
      {!options.ensemble_label.empty(), "--ensemble-label"},
      {!options.ildg_lfn.empty(), "--lfn"}};
  for (const auto& [given, name] : of_gauge_fields)
    if (given) refuse(fmt::format("{} is for gauge fields", name));
  if (!options.phases.empty() && input.quarks != PropagatorKind::staggered)
    refuse("--phases is for those of staggered quarks");
  PropagatorWriteOptions write;
  write.format = options.format == "hdf5" ? PropagatorFormat::hdf5 : PropagatorFormat::scidac;
  write.precision = options.precision.empty()       ? input.precision
                    : options.precision == "double" ? Precision::double_precision
                                                    : Precision::single_precision;
  return write;
}

void compare_propagators(const std::string& name, const ProcessGrid& grid, const Field& original,
                         const std::string& text, const LinkChecksum& checksum) {
  Field back(original.geometry_ptr(), original.spec());
  const PropagatorReadReport report = read_propagator(name, grid, back);
  const std::int64_t different =
      differing_numbers(grid, back, original, original.reals_per_site(), report.info.precision);
  if (report.checksum != checksum || different != 0)
    throw differs(report.checksum.text(), checksum.text(), different);
  if (report.info.metadata != text) throw Error(ErrorKind::input_file, "its text is another one");
}

}  // namespace

void convert_propagator(const ConvertOptions& options, const StoredField& input) {
  PropagatorWriteOptions write = asked(options, input);
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(ranks, input.extents));
  Field propagator(grid.geometry(input.extents), propagator_spec(input.quarks, Precision::double_precision));
  const PropagatorFileInfo of_input = read_propagator(options.input, grid, propagator).info;
  write.metadata = of_input.metadata;
  write.phases = options.phases.empty()     ? of_input.phases
                 : options.phases == "txyz" ? StaggeredPhases::txyz
                                            : StaggeredPhases::xyzt;
  const LinkChecksum checksum = write_propagator(
      options.output, grid, propagator, write, [&](const std::string& name, const LinkChecksum& written) {
        read_back(options, [&] { compare_propagators(name, grid, propagator, write.metadata, written); });
      });
  log::info(fmt::format("wrote {}: {} propagator, {} precision, checksum {}", options.output,
                        name_of(write.format), name_of(write.precision), checksum.text()));
}

}  // namespace plaq::jobs
