#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "comms/communicator/world.hpp"
#include "core/system/log.hpp"
#include "io/gauge/milc_stamp.hpp"
#include "io/propagator/propagator_file.hpp"
#include "jobs/files/convert.hpp"

namespace plaq::jobs {
namespace {

PropagatorWriteOptions asked(const ConvertOptions& options, const StoredField& input) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::usage, fmt::format("convert: {} holds a propagator: {}", options.input, what));
  };
  PropagatorWriteOptions write;
  const auto format = std::find_if(std::begin(propagator_formats), std::end(propagator_formats),
                                   [&](PropagatorFormat one) { return short_name(one) == options.format; });
  if (format == std::end(propagator_formats))
    refuse(fmt::format("expected --format hdf5, scidac, milc or fnal, found {}", options.format));
  write.format = *format;
  const bool binary = is_binary_format(write.format);
  const std::pair<bool, const char*> of_gauge_fields[] = {
      {!options.rows.empty(), "--rows"},
      {options.strip_antiperiodic, "--strip-antiperiodic"},
      {!options.transform.empty(), "--transform"},
      {!options.ensemble_id.empty(), "--ensemble-id"},
      {!options.ensemble_label.empty(), "--ensemble-label"},
      {!options.ildg_lfn.empty(), "--lfn"}};
  for (const auto& [given, name] : of_gauge_fields)
    if (given) refuse(fmt::format("{} is for gauge fields", name));
  if (!options.byte_order.empty() && !binary)
    refuse("--byte-order is for --format milc and fnal, and for gauge fields");
  if (options.byte_order == "little") write.order = ByteOrder::little;
  if (!options.phases.empty() && input.quarks != PropagatorKind::staggered)
    refuse("--phases is for those of staggered quarks");
  if (options.phases == "xyzt" && binary)
    refuse(fmt::format("{} files have the phases txyz", name_of(write.format)));
  if (!options.precision.empty())
    write.precision =
        options.precision == "double" ? Precision::double_precision : Precision::single_precision;
  else
    write.precision = binary ? Precision::single_precision : input.precision;
  if (const auto why_not = refuse_to_write(input.quarks, input.columns, write)) refuse(*why_not);
  return write;
}

// The text of the input, as far as the format has a place for it.
std::string text_that_stays(const ConvertOptions& options, PropagatorFormat format, const std::string& text) {
  const bool stays = format == PropagatorFormat::milc ? !validate_milc_stamp(text).has_value()
                                                      : format != PropagatorFormat::fnal;
  if (stays || text.empty()) return text;
  log::info(fmt::format("{}: left out, since {} files have no place for it: the text of {}", options.output,
                        name_of(format), options.input));
  return {};
}

// FNAL files keep rotated numbers: those that come back differ by rounding. Relative to the largest number.
double largest_deviation(const ProcessGrid& grid, const Field& back, const Field& original) {
  const int sites = back.geometry().shape().half_volume, reals = original.reals_per_site();
  double largest = 0, off = 0;
  for (int subfield = 0; subfield < back.spec().subfields; ++subfield)
    for (int parity = 0; parity < 2; ++parity) {
      const auto* a = static_cast<const double*>(back.data(subfield, parity));
      const auto* b = static_cast<const double*>(original.data(subfield, parity));
      for (int site = 0; site < sites; ++site)
        for (int r = 0; r < reals; ++r) {
          const std::size_t at = back.layout().offset(site, r);
          largest = std::max(largest, std::abs(b[at]));
          off = std::max(off, std::abs(a[at] - b[at]));
        }
    }
  largest = global_max(grid, largest);
  return largest > 0 ? global_max(grid, off) / largest : global_max(grid, off);
}

void compare_propagators(const std::string& name, const ProcessGrid& grid, const Field& original,
                         const std::string& text, const LinkChecksum& checksum) {
  constexpr double rounding = 1e-6;  // of single precision, in a few additions
  Field back(original.geometry_ptr(), original.spec());
  const PropagatorReadReport report = read_propagator(name, grid, back);
  const bool rotated = report.info.basis == SpinBasis::fnal;
  if (rotated) {
    const double off = largest_deviation(grid, back, original);
    if (report.checksum != checksum || off > rounding)
      throw Error(ErrorKind::input_file,
                  fmt::format("expected checksum {}, found {}; numbers differ by up to {:.1e} of the largest",
                              checksum.text(), report.checksum.text(), off));
  } else {
    const std::int64_t different =
        differing_numbers(grid, back, original, original.reals_per_site(), report.info.precision);
    if (report.checksum != checksum || different != 0)
      throw differs(report.checksum.text(), checksum.text(), different);
  }
  if (report.info.metadata != text)
    throw Error(ErrorKind::input_file, "its text differs from the one that was written");
}

}  // namespace

void convert_propagator(const ConvertOptions& options, const StoredField& input) {
  PropagatorWriteOptions write = asked(options, input);
  const ProcessGrid grid(world(), choose_grid(world_size(), input.extents));
  Field propagator(grid.geometry(input.extents),
                   propagator_spec(input.quarks, Precision::double_precision, input.columns));
  const PropagatorFileInfo of_input =
      read_propagator(options.input, grid, propagator, {options.accept_checksums}).info;
  write.metadata = text_that_stays(options, write.format, of_input.metadata);
  write.phases = options.phases.empty()     ? of_input.phases
                 : options.phases == "txyz" ? StaggeredPhases::txyz
                                            : StaggeredPhases::xyzt;
  const LinkChecksum checksum = write_propagator(
      options.output, grid, propagator, write, [&](const std::string& name, const LinkChecksum& written) {
        read_back(options, [&] { compare_propagators(name, grid, propagator, write.metadata, written); });
      });
  log::info(fmt::format("wrote {}: {} {}, {} precision, checksum {}", options.output, name_of(write.format),
                        input.columns == 1 ? "quark field" : "propagator", name_of(write.precision),
                        checksum.text()));
}

}  // namespace plaq::jobs
