#include "io/gauge/field_checksum.hpp"

#include <vector>

#include "core/system/dry_run.hpp"
#include "io/gauge/link_codec.hpp"
#include "io/gauge/link_sum.hpp"

namespace plaq {

LinkChecksum checksum_of_links(const ProcessGrid& grid, const Field& gauge) {
  const LinkFormat format;
  const int record = record_bytes(format);
  LinkSum sum(ChecksumKind::scidac, format.order, record);
  if (runs_dry()) return sum.of_this_rank();  // 0
  LinkEncoder encoder(grid, gauge, format);
  const LatticeShape& shape = gauge.geometry().shape();
  const std::int64_t rows = shape.extent[1], planes = std::int64_t{shape.extent[2]} * shape.extent[3];
  const auto row_bytes = static_cast<std::size_t>(shape.extent[0] * record);
  std::vector<std::byte> bytes(static_cast<std::size_t>(rows) * row_bytes);
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    encoder.encode(plane * rows, rows, bytes);
    Coordinates c = {
        {0, 0, static_cast<int>(plane % shape.extent[2]), static_cast<int>(plane / shape.extent[2])}};
    for (; c.x[1] < shape.extent[1]; ++c.x[1])
      sum.add(shape.global_index(c),
              std::span(bytes).subspan(static_cast<std::size_t>(c.x[1]) * row_bytes, row_bytes));
  }
  return sum.combine(grid);
}

LinkChecksum checksum_of_any_links(const ProcessGrid& grid, const Field& gauge) {
  if (gauge.location() == Location::host && gauge.precision() == Precision::double_precision)
    return checksum_of_links(grid, gauge);
  Field host(gauge.geometry_ptr(), gauge_spec(Precision::double_precision, Location::host));
  copy(host, gauge);
  return checksum_of_links(grid, host);
}

}  // namespace plaq
