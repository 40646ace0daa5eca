#include "io/transformation/transformation_file.hpp"

#include <fmt/format.h>

#include "comms/grid/collective.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/record_file.hpp"
#include "io/gauge/gauge_info_text.hpp"
#include "io/gauge/link_codec.hpp"
#include "io/gauge/links_size.hpp"
#include "io/lime/lime.hpp"
#include "io/transformation/transformation_scidac.hpp"

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

}  // namespace plaq
