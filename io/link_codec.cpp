#include "io/link_codec.hpp"

#include "core/error.hpp"

namespace plaq {
namespace {

// A link in double precision, whatever it came from: single precision survives the way there and back.
using Link = double[18];

void third_row(Link& u) {
  const auto column = [&](int c, int a, int b) {  // (row0 x row1)_c, conjugated
    const double *p = u + 2 * a, *q = u + 2 * b, *r = u + 6 + 2 * a, *s = u + 6 + 2 * b;
    u[12 + 2 * c] = (p[0] * s[0] - p[1] * s[1]) - (q[0] * r[0] - q[1] * r[1]);
    u[13 + 2 * c] = -((p[0] * s[1] + p[1] * s[0]) - (q[0] * r[1] + q[1] * r[0]));
  };
  column(0, 1, 2);
  column(1, 2, 0);
  column(2, 0, 1);
}

template <class Stored>
void load_link(Link& link, const std::byte* from, const LinkFormat& format) {
  const int reals = format.link_reals();
  for (int r = 0; r < reals; ++r)
    link[r] = load<Stored>(from + static_cast<std::size_t>(r) * sizeof(Stored), format.order);
  if (format.rows == 2) third_row(link);
}

template <class Stored>
void store_link(const Link& link, std::byte* to, const LinkFormat& format) {
  const int reals = format.link_reals();
  for (int r = 0; r < reals; ++r)
    store(to + static_cast<std::size_t>(r) * sizeof(Stored), format.order, static_cast<Stored>(link[r]));
}

// What a visit is told of a link.
struct Where {
  std::size_t number;  // in the piece
  int mu, parity;      // which array of the field it is in,
  std::size_t offset;  // where its first real is there,
  std::size_t stride;  // and how far the others are apart
  std::int64_t place;  // in the whole lattice, for the survey
  bool last_time_slice;
};

// Calls visit(survey, where) for all links of the rows, and merges the surveys.
template <class Visit>
LinkSurvey for_links(const Field& gauge, int first_row, int rows, const Visit& visit) {
  const LatticeShape shape = gauge.geometry().shape();
  const Layout& layout = gauge.layout();
  const std::size_t stride = layout.offset(0, 1) - layout.offset(0, 0);
  LinkSurvey total;
#pragma omp parallel
  {
    LinkSurvey mine;
#pragma omp for schedule(static)
    for (int row = 0; row < rows; ++row) {
      const int y = shape.extent[1], z = shape.extent[2], number = first_row + row;
      Coordinates c = {{0, number % y, number / y % z, number / y / z}};
      const bool last = shape.global_coordinate(c, 3) == shape.global_extent[3] - 1;
      for (c.x[0] = 0; c.x[0] < shape.extent[0]; ++c.x[0]) {
        const auto first_link = 4 * (static_cast<std::size_t>(row) * shape.extent[0] + c.x[0]);
        const std::size_t offset = layout.offset(shape.index(c), 0);
        const std::int64_t first_place = 4 * shape.global_index(c);
        for (int mu = 0; mu < 4; ++mu)
          visit(mine, Where{first_link + static_cast<std::size_t>(mu), mu, shape.parity(c), offset, stride,
                            first_place + mu, last});
      }
    }
#pragma omp critical
    total.merge(mine);
  }
  return total;
}

template <class Stored, class Kept>
LinkSurvey decode(const std::byte* bytes, const LinkFormat& format, Field& gauge, int first_row, int rows) {
  return for_links(gauge, first_row, rows, [&](LinkSurvey& survey, const Where& where) {
    Link link;
    load_link<Stored>(link, bytes + where.number * format.link_bytes(), format);
    survey.add(link, where.place, where.last_time_slice);
    Kept* to = static_cast<Kept*>(gauge.data(where.mu, where.parity)) + where.offset;
    for (int r = 0; r < 18; ++r) to[r * where.stride] = static_cast<Kept>(link[r]);
  });
}

template <class Stored, class Kept>
LinkSurvey encode(std::byte* bytes, const LinkFormat& format, const Field& gauge, int first_row, int rows) {
  return for_links(gauge, first_row, rows, [&](LinkSurvey& survey, const Where& where) {
    Link link;
    const Kept* from = static_cast<const Kept*>(gauge.data(where.mu, where.parity)) + where.offset;
    for (int r = 0; r < 18; ++r) link[r] = from[r * where.stride];
    survey.add(link, where.place, where.last_time_slice);
    store_link<Stored>(link, bytes + where.number * format.link_bytes(), format);
  });
}

void expect_gauge(const Field& gauge) {
  require(gauge.spec() == gauge_spec(gauge.precision(), Location::host) && gauge.geometry().halo_depth() == 0,
          "a gauge file is for a gauge field on the host, without halo");
}

}  // namespace

LinkSurvey decode_links(std::span<const std::byte> bytes, const LinkFormat& format, Field& gauge,
                        int first_row, int rows) {
  expect_gauge(gauge);
  const bool wide = format.precision == Precision::double_precision;
  const auto decoder = gauge.precision() == Precision::double_precision
                           ? (wide ? decode<double, double> : decode<float, double>)
                           : (wide ? decode<double, float> : decode<float, float>);
  return decoder(bytes.data(), format, gauge, first_row, rows);
}

LinkSurvey encode_links(std::span<std::byte> bytes, const LinkFormat& format, const Field& gauge,
                        int first_row, int rows) {
  expect_gauge(gauge);
  const bool wide = format.precision == Precision::double_precision;
  const auto encoder = gauge.precision() == Precision::double_precision
                           ? (wide ? encode<double, double> : encode<float, double>)
                           : (wide ? encode<double, float> : encode<float, float>);
  return encoder(bytes.data(), format, gauge, first_row, rows);
}

std::uint32_t word_sum(std::span<const std::byte> bytes, ByteOrder order) {
  const auto words = static_cast<std::int64_t>(bytes.size() / 4);
  std::uint32_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::int64_t w = 0; w < words; ++w) sum += load<std::uint32_t>(bytes.data() + 4 * w, order);
  return sum;
}

}  // namespace plaq
