#include "io/gauge_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

#include "core/error.hpp"
#include "io/file_guess.hpp"

namespace plaq {
namespace {

constexpr double tolerance = 1e-6;  // of plaquette and link trace

std::string names_of_formats() {
  std::string names;
  for (const GaugeFormat* format : gauge_formats())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(format->format));
  return names;
}

}  // namespace

std::span<const GaugeFormat* const> gauge_formats() {
  // openQCD last: it has no magic number.
  static const std::array formats = {
      &nersc_format(), &ildg_format(), &scidac_format(), &milc_format(), &openqcd_format(),
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

GaugeFileInfo inspect_gauge_file(const std::string& path) {
  const ByteSource source = ByteSource::file(path);
  return recognize_gauge_file(source).inspect(source);
}

void verify_gauge_file(const GaugeFileInfo& info, double plaquette, double link_trace) {
  const auto compare = [&](const char* what, std::optional<double> expected, double found) {
    if (!expected || std::abs(found - *expected) <= tolerance) return;
    // Two rows cannot show a determinant of -1.
    const char* hint =
        info.links.rows == 2
            ? "; 3x2 links may also carry an antiperiodic sign, which antiperiodic = \"strip\" "
              "in [gauge] (of plaq convert: --strip-antiperiodic) takes off"
            : "";
    throw Error(ErrorKind::input_file,
                fmt::format("{}: header and links disagree: expected {} = {:.12g} within {}, found {:.12g}{}",
                            info.path, what, *expected, tolerance, found, hint));
  };
  compare("plaquette", info.plaquette, plaquette);
  compare("link trace", info.link_trace, link_trace);
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
        if (options.format == GaugeFileFormat::openqcd) links.sequence = LinkOrder::openqcd;
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

}  // namespace plaq
