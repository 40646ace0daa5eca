#include <fmt/format.h>

#include "comms/communicator/world.hpp"
#include "core/system/log.hpp"
#include "jobs/common/kept_metadata.hpp"
#include "jobs/files/convert.hpp"
#include "jobs/files/stored_field.hpp"

namespace plaq::jobs {
namespace {

// Options of the command line; the rest is the format's.
GaugeWriteOptions asked(const ConvertOptions& options) {
  if (options.format == "hdf5" || options.format == "fnal")
    throw Error(ErrorKind::usage,
                fmt::format("convert: {} holds a gauge field: --format {} is for propagators", options.input,
                            options.format));
  if (!options.phases.empty())
    throw Error(ErrorKind::usage,
                fmt::format("convert: {} holds a gauge field: --phases is for propagators of "
                            "staggered quarks",
                            options.input));
  GaugeWriteOptions write;
  for (const GaugeFormat* format : gauge_formats())
    if (short_name(format->format) == options.format) write.format = format->format;
  if (!options.precision.empty())
    write.precision =
        options.precision == "double" ? Precision::double_precision : Precision::single_precision;
  if (!options.rows.empty()) write.rows = options.rows == "3x3" ? 3 : 2;
  if (!options.byte_order.empty())
    write.order = options.byte_order == "big" ? ByteOrder::big : ByteOrder::little;
  links_to_write(write);  // or an error that says why not
  return write;
}

// The precision of the input, where the format has it.
void choose_precision(GaugeWriteOptions& write, Precision of_input) {
  if (write.precision) return;
  GaugeWriteOptions wish = write;
  wish.precision = of_input;
  try {
    links_to_write(wish);
  } catch (const Error&) {
    return;
  }
  write = wish;
}

void compare_links(const std::string& name, const ProcessGrid& grid, const Field& original,
                   const LinkChecksum& checksum) {
  Field back(original.geometry_ptr(), original.spec());
  const GaugeReadReport report = read_gauge_file(name, grid, back);
  const GaugeObservables o = measure_on_host(grid, back);
  verify_gauge_file(report, o.plaquette.all, o.link_trace);
  const LinkFormat& links = report.info.links;
  const std::int64_t different =
      differing_numbers(grid, back, original, links.reals_per_link(), links.precision);
  if (report.checksum != checksum || different != 0)
    throw differs(report.checksum.text(), checksum.text(), different);
}

void say_what_is_left_out(const ConvertOptions& options, GaugeFileFormat format,
                          const std::vector<std::string>& keys) {
  std::string list;
  for (const auto& key : keys) list += (list.empty() ? "" : ", ") + key;
  if (!list.empty())
    log::info(fmt::format("{}: left out, since {} files have no place for it: {}", options.output,
                          name_of(format), list));
}

}  // namespace

void convert_gauge(const ConvertOptions& options, const StoredField& input) {
  GaugeWriteOptions write = asked(options);
  const ProcessGrid grid(world(), choose_grid(world_size(), input.extents));
  Field links(grid.geometry(input.extents), gauge_spec(Precision::double_precision, Location::host));
  const GaugeReadReport report = read_gauge_file(
      options.input, grid, links,
      {.strip_antiperiodic = options.strip_antiperiodic, .accept_checksums = options.accept_checksums});
  GaugeObservables o = measure_on_host(grid, links);
  verify_gauge_file(report, o.plaquette.all, o.link_trace);

  choose_precision(write, report.info.links.precision);
  KeptMetadata kept = keep_metadata(report.info, options, write.format);
  if (!options.transform.empty()) {
    add_gauge_entries(kept, transform_links(options.transform, grid, links, o.plaquette.all), write.format);
    o = measure_on_host(grid, links);
  }
  write.metadata = std::move(kept.metadata);
  say_what_is_left_out(options, write.format, kept.left_out);
  const LinkChecksum checksum =
      write_gauge_file(options.output, grid, links, write, o.plaquette.all, o.link_trace,
                       [&](const std::string& name, const LinkChecksum& written) {
                         read_back(options, [&] { compare_links(name, grid, links, written); });
                       });
  const LinkFormat format = links_to_write(write);
  log::info(fmt::format("wrote {}: {}, {}, {} precision, {}, plaquette {:.12f}, checksum {}", options.output,
                        name_of(write.format), format.rows == 3 ? "3x3" : "3x2", name_of(format.precision),
                        name_of(format.order), o.plaquette.all, checksum.text()));
}

}  // namespace plaq::jobs
