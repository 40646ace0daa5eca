// plaq convert: a field in another file format. The field is read with all checks and written; before the new
// file gets its name it is read back: its numbers must have the same bits, as far as its precision goes.
#include "jobs/files/convert.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "comms/communicator/world.hpp"
#include "comms/placement/launch_site.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/gauge/gauge_file.hpp"
#include "io/propagator/propagator_file.hpp"
#include "jobs/common/path_registry.hpp"
#include "jobs/files/stored_field.hpp"
#include "jobs/results/journal.hpp"
#include "jobs/results/result_file.hpp"

namespace plaq::jobs {

void read_back(const ConvertOptions& options, const std::function<void()>& compare) {
  const Quiet quiet;  // they were said of the input
  try {
    compare();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
    throw Error(ErrorKind::output_file,
                fmt::format("cannot write {}: what was read back differs from what was written, so the file "
                            "does not get its name: {}",
                            options.output, error.what()));
  }
}

std::int64_t differing_numbers(const ProcessGrid& grid, const Field& back, const Field& original, int reals,
                               Precision precision) {
  const int sites = back.geometry().shape().half_volume;
  const bool narrow = precision == Precision::single_precision;
  std::int64_t different = 0;
  for (int subfield = 0; subfield < back.spec().subfields; ++subfield)
    for (int parity = 0; parity < 2; ++parity) {
      const auto* a = static_cast<const double*>(back.data(subfield, parity));
      const auto* b = static_cast<const double*>(original.data(subfield, parity));
#pragma omp parallel for schedule(static) reduction(+ : different)
      for (int site = 0; site < sites; ++site)
        for (int r = 0; r < reals; ++r) {
          const std::size_t at = back.layout().offset(site, r);
          const double expected = narrow ? static_cast<double>(static_cast<float>(b[at])) : b[at];
          if (__builtin_bit_cast(std::uint64_t, a[at]) != __builtin_bit_cast(std::uint64_t, expected))
            ++different;
        }
    }
  return grid.comm().sum(different);
}

Error differs(const std::string& checksum, const std::string& expected_checksum, std::int64_t numbers) {
  return {ErrorKind::input_file, fmt::format("expected checksum {}, found {}; {} numbers differ",
                                             expected_checksum, checksum, numbers)};
}

int convert_file(const ConvertOptions& options) {
  const StoredField input = find_stored_field(options.input, [&] {
    PathRegistry paths;
    paths.reads(options.input, "IN");
    paths.reads(options.transform, "the gauge transformation (--transform)");
    paths.writes(options.output, "OUT");
    paths.check(ErrorKind::usage, "convert");
    if (!options.overwrite && std::filesystem::exists(options.output))
      throw Error(ErrorKind::output_file,
                  fmt::format("cannot write {}: it exists; --overwrite replaces it", options.output));
    check_output(options.output, true);
    if ((is_hdf5(options.input) && !is_propagator(options.input)) || is_journal(options.input))
      inspect_gauge_file(options.input);  // refuses
  });
  if (input.kind == StoredKind::transformation)
    throw Error(ErrorKind::usage,
                fmt::format("convert: {} holds a gauge transformation: expected a gauge field "
                            "or a propagator (--transform applies it to a gauge field)",
                            options.input));
  if (input.kind == StoredKind::multigrid || input.kind == StoredKind::eigenvectors ||
      input.kind == StoredKind::laplacian_modes)
    throw Error(ErrorKind::usage,
                fmt::format("convert: {} holds {}: expected a gauge field or a propagator", options.input,
                            input.kind == StoredKind::multigrid      ? "a multigrid setup"
                            : input.kind == StoredKind::eigenvectors ? "eigenvectors"
                                                                     : "modes of the Laplacian"));
  choose_launch_site(world(), "host", 0);
  input.kind == StoredKind::propagator ? convert_propagator(options, input) : convert_gauge(options, input);
  return 0;
}

}  // namespace plaq::jobs
