#include "io/gauge/gauge_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "comms/halo/extended_halo.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/wording.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/gauge_format.hpp"

namespace plaq {
namespace {

// In a dry run, of a file that is not there yet.
GaugeFileInfo absent(DryRun& run, const std::string& path, const std::optional<Extents>& lattice) {
  if (!lattice)
    throw Error(
        ErrorKind::input_file,
        fmt::format("cannot read {}: no such file; give extents in [lattice] to plan without it", path));
  run.note("Not all gauge fields exist yet: the lattice is that of [lattice].");
  GaugeFileInfo info;
  info.path = path;
  info.extents = *lattice;
  return info;
}

// Sets the extents of the lattice, if the file leaves them to its reader.
void give_extents(GaugeFileInfo& info, const std::optional<Extents>& lattice) {
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorKind::input_file, fmt::format("{}: {}", info.path, what));
  };
  if (!lattice)
    fail(
        "it says neither lattice nor precision (no record ildg-format); a job that says extents in [lattice] "
        "can read it");
  info.extents = *lattice;
  for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
    info.links.precision = precision;
    if (links_bytes(info.path, info.extents, info.links) == info.data_bytes) return;
  }
  fail(fmt::format("its {} bytes are no links of a lattice {} in single or double precision", info.data_bytes,
                   to_string(*lattice)));
}

std::string names_of_formats() {
  std::string names;
  for (const GaugeFormat* format : gauge_formats())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(format->format));
  return names;
}

// Other possible reasons for which header and links disagree.
std::string hint_of(const GaugeReadReport& report) {
  const GaugeFileInfo& info = report.info;
  if (info.format == GaugeFileFormat::openqcd)
    return "; DDalphaAMG has the same header and its links in another order, which fitted less";
  if (info.format == GaugeFileFormat::ddalphaamg && info.links.order == ByteOrder::little)
    return "; openQCD has the same header and its links in another order, which fitted less";
  if (info.links.rows != 2) return "";
  // Two rows cannot show a determinant of -1.
  const std::string strip =
      wording().setting("gauge", "antiperiodic", "\"strip\"") + " (of plaq convert: --strip-antiperiodic)";
  return report.stripped ? "; of 3x2 links the antiperiodic sign was taken off the whole last time slice: "
                           "perhaps they carry none, and are to be read without " +
                               strip
                         : "; 3x2 links may also carry an antiperiodic sign, which " + strip + " takes off";
}

}  // namespace

std::span<const GaugeFormat* const> gauge_formats() {
  // openQCD and DDalphaAMG last: they have no magic number.
  static const std::array formats = {
      &nersc_format(), &ildg_format(),    &scidac_format(),
      &milc_format(),  &openqcd_format(), &ddalphaamg_format(),
  };
  return formats;
}

const GaugeFormat& gauge_format(GaugeFileFormat format) {
  for (const GaugeFormat* known : gauge_formats())
    if (known->format == format) return *known;
  throw Error(ErrorKind::usage, fmt::format("this version of plaq does not know {} files, but {}",
                                            name_of(format), names_of_formats()));
}

std::string_view short_name(GaugeFileFormat format) {
  switch (format) {
    case GaugeFileFormat::nersc:
      return "nersc";
    case GaugeFileFormat::ildg:
      return "ildg";
    case GaugeFileFormat::scidac:
      return "scidac";
    case GaugeFileFormat::milc:
      return "milc";
    case GaugeFileFormat::openqcd:
      return "openqcd";
    case GaugeFileFormat::ddalphaamg:
      return "ddalphaamg";
  }
  return "unknown";
}

const GaugeFormat& recognize_gauge_file(const ByteSource& source) {
  for (const GaugeFormat* format : gauge_formats())
    if (format->recognize(source)) return *format;
  throw Error(ErrorKind::input_file,
              fmt::format("{}: {}: expected a gauge file of a format that this version "
                          "of plaq reads ({})",
                          source.name(), guess_file(source), names_of_formats()));
}

GaugeFileInfo inspect_gauge_file(const std::string& path, const std::optional<Extents>& lattice) {
  if (DryRun* run = DryRun::current(); run != nullptr && !std::filesystem::exists(path))
    return absent(*run, path, lattice);
  const ByteSource source = ByteSource::file(path);
  GaugeFileInfo info = recognize_gauge_file(source).inspect(source);
  if (!info.says_extents()) give_extents(info, lattice);
  return info;
}

void verify_gauge_file(const GaugeReadReport& report, double plaquette, double link_trace) {
  if (runs_dry()) return;
  const GaugeFileInfo& info = report.info;
  const auto near = [](double found, double expected, double within) {
    return std::abs(found - expected) <= within;
  };
  const auto fail = [&](const char* what, double expected, double within, double found) {
    throw Error(
        ErrorKind::input_file,
        fmt::format("{}: header and links disagree: expected {} = {:.12g} within {:.2g}, found {:.12g}{}",
                    info.path, what, expected, within, found, hint_of(report)));
  };
  if (info.plaquette && !near(plaquette, *info.plaquette, info.plaquette_within))
    fail("plaquette", *info.plaquette, info.plaquette_within, plaquette);
  if (info.link_trace && !near(link_trace, *info.link_trace, info.link_trace_within) &&
      !near(link_trace - report.stripped_link_trace, *info.link_trace, info.link_trace_within))
    fail("link trace", *info.link_trace, info.link_trace_within, link_trace);
}

std::vector<std::string> compared_with_header(const GaugeReadReport& report, bool stated) {
  std::vector<std::string> names;
  const auto add = [&](const char* name, bool is_stated) {
    if (is_stated == stated) names.emplace_back(name);
  };
  if (!report.stale_checksum) add("checksum", report.info.checksum.has_value());
  add("plaquette", report.info.plaquette.has_value());
  add("link trace", report.info.link_trace.has_value());
  return names;
}

LinkFormat links_to_write(const GaugeWriteOptions& options) {
  const GaugeFormat& format = gauge_format(options.format);
  // The first of all that the format can hold, among those that fit best what is asked for.
  LinkFormat best;
  int most = -1;
  for (const Precision precision : {Precision::double_precision, Precision::single_precision})
    for (const int rows : {3, 2})
      for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
        LinkFormat links{rows, precision, order, LinkOrder::sites};
        links.sequence = link_order(options.format);
        const int fit = (options.rows.value_or(rows) == rows) +
                        (options.precision.value_or(precision) == precision) +
                        (options.order.value_or(order) == order);
        if (fit <= most || format.refuse(links)) continue;
        best = links;
        most = fit;
      }
  LinkFormat asked = best;
  asked.rows = options.rows.value_or(best.rows);
  asked.precision = options.precision.value_or(best.precision);
  asked.order = options.order.value_or(best.order);
  if (const auto refusal = format.refuse(asked)) throw Error(ErrorKind::usage, *refusal);
  return asked;
}

LoadedGauge load_gauge(const SharedLattice& lattice, const std::string& path,
                       const GaugeReadOptions& options) {
  const Phase phase("reading a gauge field");
  LoadedGauge gauge;
  const MemoryName name("gauge field");
  Field host(lattice.geometry, gauge_spec(Precision::double_precision, Location::host));
  gauge.report = read_gauge_file(path, *lattice.grid, host, options);
  const auto extended = lattice.geometry->extended(1);
  gauge.field = Field(extended, gauge_spec(Precision::double_precision, lattice.location()));
  copy(gauge.field, host);
  ExtendedHalo(*lattice.grid, extended, gauge.field.spec(), lattice.transport)
      .exchange(gauge.field, lattice.queue);
  gauge.observables = measure_gauge(*lattice.grid, gauge.field, lattice.queue);
  lattice.expect_intact_faces();
  verify_gauge_file(gauge.report, gauge.observables.plaquette.all, gauge.observables.link_trace);
  log::info(fmt::format("{}: plaquette {:.12f}, link trace {:.12f}, checksum {}", path,
                        gauge.observables.plaquette.all, gauge.observables.link_trace,
                        gauge.report.checksum.text()));
  return gauge;
}

}  // namespace plaq
