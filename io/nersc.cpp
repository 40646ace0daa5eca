#include "io/nersc.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "comms/collective.hpp"
#include "comms/mpi_check.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "io/link_codec.hpp"
#include "io/site_file.hpp"
#include "io/temporary_file.hpp"

namespace plaq {
namespace {

constexpr double header_tolerance = 1e-6;

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input_file, fmt::format("{}: {}", path, what));
}

// One rank reads the header, since a thousand opening the same few bytes would wait for each other.
GaugeFileInfo shared_info(const std::string& path, const ProcessGrid& grid) {
  GaugeFileInfo info;
  std::string text;
  all_or_none(grid.comm(), [&] {
    if (grid.rank() != 0) return;
    const ByteSource source = ByteSource::file(path);
    info = read_nersc_info(source);
    text = source.text(0, static_cast<std::size_t>(info.data_offset));
  });
  text = broadcast(grid.comm(), std::move(text));
  std::uint64_t numbers[2] = {info.file_bytes, static_cast<std::uint64_t>(info.links.order)};
  check_mpi(MPI_Bcast(numbers, 2, MPI_UINT64_T, 0, grid.comm()), "MPI_Bcast");
  const auto header = parse_nersc_header(ByteSource::memory(path, std::as_bytes(std::span(text))));
  return nersc_info(path, header, static_cast<ByteOrder>(numbers[1]), numbers[0]);
}

std::uint32_t sum_over_ranks(const ProcessGrid& grid, std::uint32_t mine) {
  std::uint64_t sum = mine;  // MPI promises nothing about overflow
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, grid.comm()), "MPI_Allreduce");
  return static_cast<std::uint32_t>(sum);
}

std::vector<std::byte> buffer_for(const ProcessGrid& grid, const SiteFile& file) {
  std::vector<std::byte> buffer;
  all_or_none(grid.comm(), [&] { buffer.resize(file.piece(0).bytes); });
  return buffer;
}

NerscHeader header_of(const Field& gauge, const NerscWriteOptions& options, double plaquette,
                      double link_trace) {
  NerscHeader header;
  header.extents = gauge.geometry().global();
  header.rows = options.links.rows;
  header.precision = options.links.precision;
  header.order = options.links.order;
  header.plaquette = plaquette;
  header.link_trace = link_trace;
  if (!options.ensemble_id.empty()) header.entries.push_back({"ENSEMBLE_ID", options.ensemble_id});
  if (!options.ensemble_label.empty()) header.entries.push_back({"ENSEMBLE_LABEL", options.ensemble_label});
  if (options.sequence_number)
    header.entries.push_back({"SEQUENCE_NUMBER", std::to_string(*options.sequence_number)});
  header.entries.insert(header.entries.end(), options.more.begin(), options.more.end());
  return header;
}

// What was formatted must be what a reader will find: a line break in a label would break the file.
std::string checked_text(const std::string& path, const NerscHeader& header) {
  const std::string text = format_nersc_header(header);
  try {
    const auto back = parse_nersc_header(ByteSource::memory("header", std::as_bytes(std::span(text))));
    if (back.bytes == text.size()) return text;
  } catch (const Error& error) {
    throw Error(ErrorKind::output_file, fmt::format("cannot write {}: {}", path, error.what()));
  }
  throw Error(ErrorKind::output_file, fmt::format("cannot write {}: END_HEADER inside its header", path));
}

}  // namespace

GaugeReadReport read_nersc(const std::string& path, const ProcessGrid& grid, Field& gauge) {
  GaugeReadReport report;
  report.info = shared_info(path, grid);
  const GaugeFileInfo& info = report.info;
  const Geometry& geometry = gauge.geometry();
  if (info.extents != geometry.global())
    refuse(path, fmt::format("it holds a lattice of {}, the job's is {}", to_string(info.extents),
                             to_string(geometry.global())));
  for (const auto& warning : info.warnings) log::warning(warning);

  LinkSurvey survey;
  std::uint32_t sum = 0;
  SiteFile file(grid, geometry, path, SiteFile::Mode::read, info.data_offset, info.links.site_bytes(), path);
  std::vector<std::byte> buffer = buffer_for(grid, file);
  for (int p = 0; p < file.pieces(); ++p) {
    const auto piece = file.piece(p);
    const auto bytes = std::span(buffer).first(piece.bytes);
    file.read(piece, bytes);
    sum += word_sum(bytes, info.links.order);
    survey.merge(decode_links(bytes, info.links, gauge, piece.first_row, piece.rows));
  }
  gauge.touch();

  report.checksum = {ChecksumKind::nersc, sum_over_ranks(grid, sum)};
  if (info.checksum && *info.checksum != report.checksum)
    refuse(path, fmt::format("the links are damaged: expected CHECKSUM = {:x}, found {:x}", info.checksum->a,
                             report.checksum.a));
  survey.combine(grid);
  survey.check(ErrorKind::input_file, path, info.extents);
  report.unitarity_violation = survey.worst();
  if (info.links.precision == Precision::double_precision && survey.worst() > usual_double_deviation)
    log::warning(fmt::format("{}: links in double precision are SU(3) only within {:.1e} (usual: {:.0e})",
                             path, survey.worst(), usual_double_deviation));
  return report;
}

void verify_nersc(const GaugeFileInfo& info, double plaquette, double link_trace) {
  const auto compare = [&](const char* key, std::optional<double> expected, double found) {
    if (!expected || std::abs(found - *expected) <= header_tolerance) return;
    // Two rows cannot show a determinant of -1.
    const char* hint = info.links.rows == 2 ? "; 3x2 links may also carry an antiperiodic sign" : "";
    refuse(info.path,
           fmt::format("header and links disagree: expected {} = {:.12g} within {}, found {:.12g}{}", key,
                       *expected, header_tolerance, found, hint));
  };
  compare("PLAQUETTE", info.plaquette, plaquette);
  compare("LINK_TRACE", info.link_trace, link_trace);
}

LinkChecksum write_nersc(const std::string& path, const ProcessGrid& grid, const Field& gauge,
                          const NerscWriteOptions& options, double plaquette, double link_trace) {
  const LinkFormat& links = options.links;
  const Geometry& geometry = gauge.geometry();
  NerscHeader header = header_of(gauge, options, plaquette, link_trace);
  const std::uint64_t offset = checked_text(path, header).size();
  const std::uint64_t bytes = offset + static_cast<std::uint64_t>(geometry.global_volume()) *
                                           static_cast<std::uint64_t>(links.site_bytes());

  std::optional<TemporaryFile> temporary;  // on rank 0
  all_or_none(grid.comm(), [&] {
    if (grid.rank() == 0) temporary.emplace(path, bytes);
  });
  const std::string name = broadcast(grid.comm(), temporary ? temporary->name() : "");
  LinkSurvey survey;
  std::uint32_t sum = 0;
  {
    SiteFile file(grid, geometry, name, SiteFile::Mode::write, offset, links.site_bytes(), path);
    std::vector<std::byte> buffer = buffer_for(grid, file);
    for (int p = 0; p < file.pieces(); ++p) {
      const auto piece = file.piece(p);
      const auto out = std::span(buffer).first(piece.bytes);
      survey.merge(encode_links(out, links, gauge, piece.first_row, piece.rows));
      sum += word_sum(out, links.order);
      file.write(piece, out);
    }
    survey.combine(grid);
    survey.check(ErrorKind::output_file, "cannot write " + path, geometry.global());
    file.sync();
  }
  sum = sum_over_ranks(grid, sum);
  header.checksum = sum;
  all_or_none(grid.comm(), [&] {
    if (!temporary) return;
    const std::string text = checked_text(path, header);
    temporary->write(0, std::as_bytes(std::span(text)));
    temporary->publish();
  });
  return {ChecksumKind::nersc, sum};
}

}  // namespace plaq
