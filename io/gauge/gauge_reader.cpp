#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "comms/communicator/collective.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/record_file.hpp"
#include "io/gauge/gauge_file.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/link_checksum.hpp"
#include "io/gauge/link_codec.hpp"

namespace plaq {
namespace {

[[noreturn]] void refuse_field(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input_file, fmt::format("{}: {}", path, what));
}

// One rank looks at headers, since a thousand opening the same few bytes would wait for each other.
GaugeFileInfo shared_gauge_info(const std::string& path, const ProcessGrid& grid, const Extents& lattice) {
  std::string text;
  all_or_none(grid.comm(), [&] {
    if (grid.rank() == 0) text = to_text(inspect_gauge_file(path, lattice));
  });
  return info_from_text(broadcast(grid.comm(), std::move(text)));
}

// Two rows do not show whether links carry a sign, which changes the third row. Without numbers in the header
// nobody would notice third rows of the wrong sign.
void check_boundary(const GaugeReadOptions& options, const GaugeFileInfo& info) {
  if (info.links.rows == 3 || info.plaquette || info.link_trace) return;
  const std::string states = fmt::format(
      "its header states BOUNDARY {}, and of 3x2 links neither PLAQUETTE nor "
      "LINK_TRACE tells whether the links carry that sign",
      fmt::join(info.boundary, " "));
  if (std::count(info.boundary.begin(), info.boundary.begin() + 3, -1) > 0)
    refuse_field(info.path, states + "; add its PLAQUETTE to the header");
  if (info.boundary[3] == -1 && !options.strip_antiperiodic)
    refuse_field(
        info.path,
        states +
            "; antiperiodic = \"strip\" in [gauge] (of plaq convert: --strip-antiperiodic) takes it off "
            "the links of the last time slice, as the header states it");
}

void check_checksum(const GaugeReadOptions& options, GaugeReadReport& report) {
  const GaugeFileInfo& info = report.info;
  if (!info.checksum || *info.checksum == report.checksum) return;
  if (!accepts(options.accept_checksums, report.checksum))
    refuse_field(info.path, fmt::format("the links are damaged: expected checksum {}, found {}; {}",
                                        info.checksum->text(), report.checksum.text(),
                                        how_to_accept(report.checksum, true)));
  report.stale_checksum = true;
  log::warning(
      fmt::format("{}: it states the checksum {}; its links, of checksum {}, are accepted as asked for",
                  info.path, info.checksum->text(), report.checksum.text()));
}

void report_stripped(const ProcessGrid& grid, const LinkDecoder& decoder, GaugeReadReport& report) {
  const std::int64_t links = grid.comm().sum(decoder.stripped());
  const double trace = grid.comm().sum(decoder.stripped_trace());
  double all_links = 4;
  for (const int extent : report.info.extents) all_links *= extent;
  report.stripped = true;
  report.stripped_link_trace = 2 * trace / (3 * all_links);
  if (links > 0)
    log::info(fmt::format("{}: took the antiperiodic sign off {} links of the last time slice",
                          report.info.path, links));
}

}  // namespace

GaugeReadReport read_gauge_file(const std::string& path, const ProcessGrid& grid, Field& gauge,
                                const GaugeReadOptions& options) {
  const Geometry& geometry = gauge.geometry();
  GaugeReadReport report;
  report.info = shared_gauge_info(path, grid, geometry.global());
  const GaugeFileInfo& info = report.info;
  if (info.extents != geometry.global())
    refuse_field(path, fmt::format("it holds a lattice of {}, the job's is {}", to_string(info.extents),
                                   to_string(geometry.global())));
  for (const auto& warning : info.warnings) log::warning(warning);
  check_boundary(options, info);

  LinkDecoder decoder(grid, gauge, info.links, options.strip_antiperiodic);
  report.checksum = read_records(
      path, grid, geometry, info.data_offset,
      {record_bytes(info.links), info.links.order, info.checksum_kind, site_order(info.links.sequence)},
      [&](std::int64_t first, std::int64_t rows, std::span<std::byte> bytes) {
        decoder.decode(first, rows, bytes);
      });
  decoder.finish();
  gauge.touch();

  if (runs_dry()) {
    report.checksum = info.checksum.value_or(report.checksum);
    return report;
  }
  check_checksum(options, report);
  LinkSurvey survey = decoder.survey();
  survey.combine(grid);
  survey.check(ErrorKind::input_file, path, info.extents);
  report.unitarity_violation = survey.worst();
  if (info.links.precision == Precision::double_precision && survey.worst() > usual_double_deviation)
    log::warning(fmt::format("{}: links in double precision are SU(3) only within {:.1e} (usual: {:.0e})",
                             path, survey.worst(), usual_double_deviation));
  if (options.strip_antiperiodic) report_stripped(grid, decoder, report);
  return report;
}

}  // namespace plaq
