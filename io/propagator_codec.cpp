#include "io/propagator_codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "comms/mpi_check.hpp"

namespace plaq {

PropagatorCodec::PropagatorCodec(const Field& propagator, PropagatorFormat format, Precision precision,
                                 ByteOrder order)
    : propagator_(propagator), precision_(precision), order_(order) {
  require(propagator.spec() ==
                  spinor_spec(Subset::full, propagator_slots, propagator.precision(), Location::host) &&
              propagator.geometry().halo_depth() == 0,
          "a propagator file is for twelve columns on the full lattice, on the host, without halo");
  for (int sink_spin = 0; sink_spin < 4; ++sink_spin)
    for (int source_spin = 0; source_spin < 4; ++source_spin)
      for (int sink_color = 0; sink_color < 3; ++sink_color)
        for (int source_color = 0; source_color < 3; ++source_color)
          for (int part = 0; part < 2; ++part) {
            const int slot = 3 * source_spin + source_color, real = 2 * (3 * sink_spin + sink_color) + part;
            const int scidac =
                2 * (3 * (3 * (4 * sink_spin + source_spin) + sink_color) + source_color) + part;
            places_[format == PropagatorFormat::scidac ? scidac : 24 * slot + real] = {slot, real};
          }
}

template <class Stored, class Kept>
void PropagatorCodec::move(std::int64_t first_row, std::int64_t rows, std::byte* bytes, bool decoding) {
  const LatticeShape shape = propagator_.geometry().shape();
  const Layout& layout = propagator_.layout();
  const std::size_t stride = layout.offset(0, 1) - layout.offset(0, 0);
  constexpr std::size_t record = propagator_reals * sizeof(Stored);
  std::int64_t first_bad = not_finite_;
#pragma omp parallel for schedule(static) reduction(min : first_bad)
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t number = first_row + row;
    Coordinates c = {{0, 0, 0, 0}};
    for (int mu = 1; mu < 4; ++mu) {
      c.x[mu] = static_cast<int>(number % shape.extent[mu]);
      number /= shape.extent[mu];
    }
    std::byte* at =
        bytes + static_cast<std::size_t>(row) * static_cast<std::size_t>(shape.extent[0]) * record;
    for (; c.x[0] < shape.extent[0]; ++c.x[0], at += record) {
      const std::size_t site = layout.offset(shape.index(c), 0);
      const int parity = shape.parity(c);
      for (std::size_t i = 0; i < propagator_reals; ++i) {
        Kept& kept = static_cast<Kept*>(propagator_.data(
            places_[i].slot, parity))[site + static_cast<std::size_t>(places_[i].real) * stride];
        Stored stored;
        if (decoding) {
          stored = load<Stored>(at + i * sizeof(Stored), order_);
          kept = static_cast<Kept>(stored);
        } else {
          stored = static_cast<Stored>(kept);
          store(at + i * sizeof(Stored), order_, stored);
        }
        if (!std::isfinite(decoding ? static_cast<Stored>(kept) : stored))
          first_bad =
              std::min(first_bad, propagator_reals * shape.global_index(c) + static_cast<std::int64_t>(i));
      }
    }
  }
  not_finite_ = first_bad;
}

void PropagatorCodec::choose(std::int64_t first_row, std::int64_t rows, std::byte* bytes, bool decoding) {
  const bool wide = precision_ == Precision::double_precision;
  if (propagator_.precision() == Precision::double_precision)
    wide ? move<double, double>(first_row, rows, bytes, decoding)
         : move<float, double>(first_row, rows, bytes, decoding);
  else
    wide ? move<double, float>(first_row, rows, bytes, decoding)
         : move<float, float>(first_row, rows, bytes, decoding);
}

void PropagatorCodec::decode(std::int64_t first_row, std::int64_t rows, std::span<const std::byte> bytes) {
  choose(first_row, rows, const_cast<std::byte*>(bytes.data()), true);
}
void PropagatorCodec::encode(std::int64_t first_row, std::int64_t rows, std::span<std::byte> bytes) {
  choose(first_row, rows, bytes.data(), false);
}

void PropagatorCodec::check(const ProcessGrid& grid, ErrorKind kind, const std::string& path) const {
  std::int64_t first = not_finite_;
  wait_mpi("MPI_Allreduce",
           [&] { return MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT64_T, MPI_MIN, grid.comm()); });
  if (first == nowhere) return;
  const Place place = places_[first % propagator_reals];
  std::int64_t site = first / propagator_reals;
  Extents x{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    x[mu] = static_cast<int>(site % propagator_.geometry().global()[mu]);
    site /= propagator_.geometry().global()[mu];
  }
  throw Error(kind,
              fmt::format("{}: expected finite numbers of {} precision, found another at site ({}), source "
                          "spin {} color {}, sink spin {} color {}",
                          path, name_of(precision_), fmt::join(x, ", "), place.slot / 3, place.slot % 3,
                          place.real / 6, place.real / 2 % 3));
}

}  // namespace plaq
