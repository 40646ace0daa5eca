#include "io/bytes/record_file.hpp"
#include "io/gauge/gauge_file.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/link_codec.hpp"

namespace plaq {

LinkChecksum write_gauge_file(const std::string& path, const ProcessGrid& grid, const Field& gauge,
                              const GaugeWriteOptions& options, double plaquette, double link_trace,
                              const WrittenFileCheck& check) {
  const Geometry& geometry = gauge.geometry();
  const GaugeFormat& format = gauge_format(options.format);
  const GaugeWriteRequest request{options.format, geometry.global(), links_to_write(options),
                                  plaquette,      link_trace,        options.metadata};
  LinkEncoder encoder(grid, gauge, request.links);
  return write_records(
      path, grid, geometry,
      {record_bytes(request.links), request.links.order, format.checksum, site_order(request.links.sequence)},
      [&] {
        return std::make_unique<FramedFile>(
            path, links_bytes(path, request.extents, request.links), format.checksum,
            [&](const LinkChecksum& checksum) { return format.frame(request, checksum); });
      },
      [&](std::int64_t first, std::int64_t rows, std::span<std::byte> bytes) {
        encoder.encode(first, rows, bytes);
      },
      [&] {
        LinkSurvey survey = encoder.survey();
        survey.combine(grid);
        survey.check(ErrorKind::output_file, "cannot write " + path, geometry.global());
      },
      check);
}

}  // namespace plaq
