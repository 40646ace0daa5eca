#include "io/transformation/transformation_file.hpp"

#include <fmt/format.h>

#include "comms/communicator/collective.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/record_file.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/gauge_format.hpp"
#include "io/gauge/link_codec.hpp"
#include "io/lime/lime.hpp"
#include "io/lime/lime_texts.hpp"
#include "io/lime/scidac_field.hpp"

namespace plaq {
namespace {

[[noreturn]] void refuse_matrices(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input_file, fmt::format("{}: {}", path, what));
}

// One rank looks at headers; then all have what it found.
TransformationFileInfo shared_transformation_info(const std::string& path, const ProcessGrid& grid) {
  std::string text;
  all_or_none(grid.comm(), [&] {
    if (grid.rank() == 0) text = to_text(inspect_transformation(path));
  });
  return transformation_info_from_text(broadcast(grid.comm(), std::move(text)));
}

RecordFormat records_of(const LinkFormat& matrices) {
  return {record_bytes(matrices), matrices.order, ChecksumKind::scidac, site_order(matrices.sequence)};
}

}  // namespace

bool is_transformation(const std::string& path) {
  const ByteSource source = ByteSource::file(path);
  return is_lime(source) && is_scidac_transformation(source);
}

TransformationFileInfo inspect_transformation(const std::string& path) {
  return inspect_scidac_transformation(ByteSource::file(path));
}

LinkChecksum write_transformation(const std::string& path, const ProcessGrid& grid, const Field& g,
                                  const TransformationWriteOptions& options, const WrittenFileCheck& check) {
  const Geometry& geometry = g.geometry();
  const LinkFormat matrices = transformation_matrices(options.precision);
  LinkEncoder encoder(grid, g, matrices);
  return write_records(
      path, grid, geometry, records_of(matrices),
      [&] {
        return std::make_unique<FramedFile>(path, links_bytes(path, geometry.global(), matrices),
                                            ChecksumKind::scidac, [&](const LinkChecksum& checksum) {
                                              return frame_scidac_transformation(geometry.global(),
                                                                                 options.precision,
                                                                                 options.entries, checksum);
                                            });
      },
      [&](std::int64_t first, std::int64_t rows, std::span<std::byte> bytes) {
        encoder.encode(first, rows, bytes);
      },
      [&] {
        LinkSurvey survey = encoder.survey();
        survey.combine(grid);
        survey.check(ErrorKind::output_file, "cannot write " + path, geometry.global(), false);
      },
      check);
}

TransformationReadReport read_transformation(const std::string& path, const ProcessGrid& grid, Field& g) {
  TransformationReadReport report;
  report.info = shared_transformation_info(path, grid);
  const TransformationFileInfo& info = report.info;
  const Geometry& geometry = g.geometry();
  if (info.extents != geometry.global())
    refuse_matrices(path, fmt::format("it holds a gauge transformation on {}, expected one on {}",
                                      to_string(info.extents), to_string(geometry.global())));
  for (const auto& warning : info.warnings) log::warning(warning);

  const LinkFormat matrices = transformation_matrices(info.precision);
  LinkDecoder decoder(grid, g, matrices, false);
  report.checksum = read_records(path, grid, geometry, info.data_offset, records_of(matrices),
                                 [&](std::int64_t first, std::int64_t rows, std::span<std::byte> bytes) {
                                   decoder.decode(first, rows, bytes);
                                 });
  g.touch();
  if (info.checksum && *info.checksum != report.checksum)
    refuse_matrices(path, fmt::format("the gauge transformation is damaged: expected checksum {}, found {}",
                                      info.checksum->text(), report.checksum.text()));
  LinkSurvey survey = decoder.survey();
  survey.combine(grid);
  survey.check(ErrorKind::input_file, path, info.extents, false);
  report.unitarity_violation = survey.worst();
  if (info.precision == Precision::double_precision && survey.worst() > usual_double_deviation)
    log::warning(fmt::format("{}: matrices in double precision are SU(3) only within {:.1e} (usual: {:.0e})",
                             path, survey.worst(), usual_double_deviation));
  return report;
}

namespace {

constexpr std::string_view unnamed = "Lattice";  // QDP++: any field

std::string matrix_data_type(Precision precision) {
  return fmt::format("QDP_{}3_ColorMatrix", precision == Precision::single_precision ? 'F' : 'D');
}

void check_matrix_record(const ScidacField& field) {
  const ScidacRecord& found = field.record();
  const auto refuse = [&](const std::string& what) { field.refuse(lime_type::private_record, what); };
  const int size = transformation_matrices(found.precision).site_bytes();
  if (found.type_size != size || found.data_count != 1)
    refuse(fmt::format("expected one object of {} bytes a site, a gauge transformation, found {} of {}{}",
                       size, found.data_count, found.type_size,
                       found.site_bytes() == 4 * size    ? ", a gauge field"
                       : found.site_bytes() == 16 * size ? ", a propagator"
                                                         : ""));
  if (found.datatype != matrix_data_type(found.precision) && found.datatype != unnamed)
    refuse(fmt::format("expected the data type {} or {}, found {}", matrix_data_type(found.precision),
                       unnamed, found.datatype));
  if (found.colors != 3) refuse(fmt::format("expected 3 colors, found {}", found.colors));
}

std::vector<HeaderEntry> read_entries(const ScidacField& field) {
  const std::string text = field.user_record();
  if (const auto own = parse_transformation_info(text)) return entries_of_lines(lines_of(*own));
  if (text.empty()) return {};
  return {{std::string(lime_type::user_record), text}};
}

}  // namespace

bool is_scidac_transformation(const ByteSource& source) {
  const auto found = find_scidac_record(source);
  return found && found->site_bytes() == transformation_matrices(found->precision).site_bytes();
}

TransformationFileInfo inspect_scidac_transformation(const ByteSource& source) {
  if (!is_lime(source))
    throw Error(ErrorKind::input_file,
                fmt::format("{}: {}: expected a gauge transformation, in a SciDAC file", source.name(),
                            guess_contents(source)));
  ScidacField field(source, "a gauge transformation");
  check_matrix_record(field);
  TransformationFileInfo info;
  info.path = source.name();
  info.extents = field.extents();
  info.precision = field.record().precision;
  info.data_offset = field.data_offset();
  info.data_bytes =
      field.expect_records(transformation_matrices(info.precision).site_bytes(), "a gauge transformation");
  info.checksum = field.checksum();
  info.entries = read_entries(field);
  field.check_header_crc();
  info.warnings = field.warnings();
  return info;
}

GaugeFileFrame frame_scidac_transformation(const Extents& extents, Precision precision,
                                           const std::vector<HeaderEntry>& entries,
                                           const LinkChecksum& checksum) {
  std::string text;
  for (const auto& entry : entries) {
    if (const auto complaint = line_complaint(entry.key, entry.value))
      throw Error(ErrorKind::output_file, fmt::format("an entry of a gauge transformation: {}", *complaint));
    text += entry.key + " = " + entry.value + "\n";
  }
  check_user_text("the entries of a gauge transformation", text);
  ScidacRecord record;
  record.datatype = matrix_data_type(precision);
  record.precision = precision;
  record.spins = 4;
  record.type_size = transformation_matrices(precision).site_bytes();
  record.data_count = 1;
  return frame_scidac_field(extents, record, "gauge transformation", format_transformation_info(text),
                            checksum);
}

}  // namespace plaq
