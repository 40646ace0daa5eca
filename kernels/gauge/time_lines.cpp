#include "kernels/gauge/time_lines.hpp"

#include <span>

#include "core/system/runs_dry.hpp"

namespace plaq {
namespace {

constexpr int tag = 3;

// Bytes of the sites of one parity in a time slice.
std::size_t line_bytes(const Geometry& geometry, const FieldSpec& gauge) {
  const int bytes = bytes_of(gauge.precision);
  return Layout(gauge.location, 18, geometry.shape().face_sites(3), bytes).size() *
         static_cast<std::size_t>(bytes);
}

}  // namespace

TimeLines::TimeLines(const Field& gauge)
    : per_parity_(line_bytes(gauge.geometry(), gauge.spec())),
      buffer_(gauge.location(), 2 * per_parity_),
      staging_(Location::host, 2 * per_parity_) {
  require(staging_.bytes() < (std::size_t{1} << 33), "lines in time of one rank are too long a message");
}

void TimeLines::receive(const ProcessGrid& grid, int from) {
  on_numbers([&] {
    grid.comm().receive(std::span(staging_.as<float>(), words()), from, tag,
                        [from] { return "lines in time from rank " + std::to_string(from); });
  });
  copy_bytes(buffer_.data(), buffer_.location(), staging_.data(), Location::host, buffer_.bytes());
}

void TimeLines::send(const ProcessGrid& grid, int to) {
  copy_bytes(staging_.data(), Location::host, buffer_.data(), buffer_.location(), buffer_.bytes());
  on_numbers([&] {
    grid.comm().send(std::span(staging_.as<float>(), words()), to, tag,
                     [to] { return "that rank " + std::to_string(to) + " takes lines in time"; });
  });
}

}  // namespace plaq
