#include "io/gauge/link_codec.hpp"

#include <algorithm>

namespace plaq {
namespace {

constexpr int openqcd_directions[4] = {3, 0, 1, 2};

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

// The determinant is (row0 x row1) . row2; of a unitary matrix, positive where it is near 1.
bool has_negative_determinant(const Link& u) {
  Link rebuilt;
  std::copy_n(u, 18, rebuilt);
  third_row(rebuilt);
  double real_part = 0;
  for (int r = 12; r < 18; ++r) real_part += rebuilt[r] * u[r];
  return real_part < 0;
}

template <class Stored>
void load_reals(Link& link, const std::byte* from, int reals, ByteOrder order) {
  for (int r = 0; r < reals; ++r)
    link[r] = load<Stored>(from + static_cast<std::size_t>(r) * sizeof(Stored), order);
}

template <class Stored>
void store_reals(const Link& link, std::byte* to, int reals, ByteOrder order) {
  for (int r = 0; r < reals; ++r)
    store(to + static_cast<std::size_t>(r) * sizeof(Stored), order, static_cast<Stored>(link[r]));
}

void multiply(Link& link, double factor) {
  for (double& real : link) real *= factor;
}

}  // namespace

SiteOrder site_order(LinkOrder order) {
  if (order == LinkOrder::openqcd) return {{2, 1, 0, 3}, true};
  return {};
}

int record_bytes(const LinkFormat& format) {
  return format.link_bytes() * (format.sequence == LinkOrder::openqcd ? 8 : format.matrices);
}

LinkCodec::LinkCodec(const ProcessGrid& grid, const Field& gauge, const LinkFormat& format)
    : gauge_(gauge, format.matrices), format_(format) {
  if (format.sequence == LinkOrder::openqcd) faces_.emplace(grid, gauge_.shape());
}

template <class Visit>
void LinkCodec::for_links(std::int64_t first_row, std::int64_t rows, const Visit& visit) {
  const LatticeShape& shape = gauge_.shape();
  const SiteOrder order = site_order(format_.sequence);
  const auto& directions = order.directions;
  const bool one_parity = order.one_parity;
  const auto place = [&](std::size_t number, const Coordinates& site, int mu, Link* neighbors) {
    return Place{site,
                 mu,
                 number,
                 neighbors,
                 4 * shape.global_index(site) + mu,
                 shape.global_coordinate(site, 3) == shape.global_extent[3] - 1};
  };
  const int fastest = directions[0];
  const auto row_links = static_cast<std::size_t>(format_.matrices * shape.extent[fastest]);
#pragma omp parallel
  {
    LinkSurvey mine;
#pragma omp for schedule(static)
    for (std::int64_t row = 0; row < rows; ++row) {
      std::int64_t number = first_row + row;
      Coordinates c = {{0, 0, 0, 0}};
      for (std::size_t i = 1; i < 4; ++i) {
        const int mu = directions[i];
        c.x[mu] = static_cast<int>(number % shape.extent[mu]);
        number /= shape.extent[mu];
      }
      std::size_t link = static_cast<std::size_t>(row) * row_links;
      c.x[fastest] = one_parity ? (c.x[0] + c.x[1] + c.x[2] + c.x[3] + 1) % 2 : 0;
      for (; c.x[fastest] < shape.extent[fastest]; c.x[fastest] += one_parity ? 2 : 1) {
        if (!one_parity) {
          for (int i = 0; i < format_.matrices; ++i)
            visit(mine, place(link++, c, format_.sequence == LinkOrder::ddalphaamg ? 3 - i : i, nullptr));
          continue;
        }
        for (const int mu : openqcd_directions) {
          Coordinates back = c;
          --back.x[mu];
          visit(mine, place(link++, c, mu, nullptr));
          visit(mine, place(link++, back, mu, back.x[mu] < 0 ? &faces_->link(mu, c) : nullptr));
        }
      }
    }
#pragma omp critical
    survey_.merge(mine);
  }
}

LinkDecoder::LinkDecoder(const ProcessGrid& grid, Field& gauge, const LinkFormat& format,
                         bool strip_antiperiodic)
    : LinkCodec(grid, gauge, format), strip_(strip_antiperiodic) {}

void LinkDecoder::decode(std::int64_t first_row, std::int64_t rows, std::span<const std::byte> bytes) {
  const bool wide = format_.precision == Precision::double_precision;
  std::int64_t stripped = 0;
  double stripped_trace = 0;
  for_links(first_row, rows, [&](LinkSurvey& survey, const Place& place) {
    Link link = {};
    const std::byte* from = bytes.data() + place.number * static_cast<std::size_t>(format_.link_bytes());
    wide ? load_reals<double>(link, from, format_.reals_per_link(), format_.order)
         : load_reals<float>(link, from, format_.reals_per_link(), format_.order);
    const bool may_be_negative = strip_ && place.mu == 3 && place.last_time_slice;
    const bool negative = may_be_negative && (format_.rows == 2 || has_negative_determinant(link));
    if (negative) multiply(link, -1);
    if (format_.rows == 2) third_row(link);
    if (negative) {
      const double trace = link[0] + link[8] + link[16];
#pragma omp atomic
      ++stripped;
#pragma omp atomic
      stripped_trace += trace;
    }
    survey.add(link, place.in_survey, place.last_time_slice);
    if (place.neighbors)
      std::copy_n(link, 18, *place.neighbors);
    else
      gauge_.put(place.mu, place.site, link);
  });
  stripped_ += stripped;
  stripped_trace_ += stripped_trace;
}

void LinkDecoder::finish() {
  if (faces_) faces_->deliver(gauge_);
}

LinkEncoder::LinkEncoder(const ProcessGrid& grid, const Field& gauge, const LinkFormat& format)
    : LinkCodec(grid, gauge, format) {
  if (faces_) faces_->fetch(gauge_);
}

void LinkEncoder::encode(std::int64_t first_row, std::int64_t rows, std::span<std::byte> bytes) {
  const bool wide = format_.precision == Precision::double_precision;
  for_links(first_row, rows, [&](LinkSurvey& survey, const Place& place) {
    Link link;
    if (place.neighbors)
      std::copy_n(*place.neighbors, 18, link);
    else
      gauge_.get(place.mu, place.site, link);
    survey.add(link, place.in_survey, place.last_time_slice);
    std::byte* to = bytes.data() + place.number * static_cast<std::size_t>(format_.link_bytes());
    wide ? store_reals<double>(link, to, format_.reals_per_link(), format_.order)
         : store_reals<float>(link, to, format_.reals_per_link(), format_.order);
  });
}

}  // namespace plaq
