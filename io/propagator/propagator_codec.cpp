#include "io/propagator/propagator_codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "io/propagator/spin_basis.hpp"

namespace plaq {

PropagatorCodec::PropagatorCodec(const Field& propagator, const Stored& stored, std::optional<int> column)
    : propagator_(propagator),
      stored_(stored),
      rotates_(propagator.spec().spins == 4 && stored.basis == SpinBasis::fnal && !column),
      changes_phases_(propagator.spec().spins == 1 && stored.phases != StaggeredPhases::xyzt) {
  const PropagatorKind quarks = quarks_of(propagator);
  const int columns = propagator.spec().subfields;
  require(propagator.spec() == propagator_spec(quarks, propagator.precision(), columns) &&
              (columns == columns_of(quarks) || (columns == 1 && column)) &&
              propagator.geometry().halo_depth() == 0,
          "a propagator file is for a column of each spin and color on the full lattice, or for one quark "
          "field, on the host, without halo");
  const int spins = propagator.spec().spins, reals = 2 * columns_of(quarks);
  const auto place = [&](int subfield, int real) -> Place {
    const bool negative =
        stored.basis == SpinBasis::milc && spins == 4 && changes_sign_of_milc(subfield / 3, real / 6);
    return {subfield, real, negative};
  };
  if (column) {
    for (int real = 0; real < reals; ++real) places_.push_back(place(*column, real));
    return;
  }
  places_.resize(static_cast<std::size_t>(propagator_reals(quarks)));
  for (int sink_spin = 0; sink_spin < spins; ++sink_spin)
    for (int source_spin = 0; source_spin < spins; ++source_spin)
      for (int sink_color = 0; sink_color < 3; ++sink_color)
        for (int source_color = 0; source_color < 3; ++source_color)
          for (int part = 0; part < 2; ++part) {
            const int subfield = 3 * source_spin + source_color,
                      real = 2 * (3 * sink_spin + sink_color) + part;
            const int qdp = 2 * (3 * (3 * (4 * sink_spin + source_spin) + sink_color) + source_color) + part;
            const int at = stored.numbers == SiteNumbers::qdp ? qdp : reals * subfield + real;
            places_[static_cast<std::size_t>(at)] = place(subfield, real);
          }
}

template <class Number, class Kept>
void PropagatorCodec::move(std::int64_t first_row, std::int64_t rows, std::byte* bytes, bool decoding) {
  const LatticeShape shape = propagator_.geometry().shape();
  const Layout& layout = propagator_.layout();
  const std::size_t stride = layout.offset(0, 1) - layout.offset(0, 0);
  const std::size_t reals = places_.size(), record = reals * sizeof(Number);
  const bool changes_phases = changes_phases_;
  const ByteOrder order = stored_.order;
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
      const bool negative =
          changes_phases && shape.global_coordinate(c, 3) % 2 != 0 &&
          (shape.global_coordinate(c, 0) + shape.global_coordinate(c, 1) + shape.global_coordinate(c, 2)) %
                  2 !=
              0;
      const auto kept = [&](std::size_t i) -> Kept& {
        return static_cast<Kept*>(propagator_.data(
            places_[i].subfield, parity))[site + static_cast<std::size_t>(places_[i].real) * stride];
      };
      const auto note = [&](std::size_t i, bool finite) {
        if (!finite)
          first_bad = std::min(first_bad, static_cast<std::int64_t>(reals) * shape.global_index(c) +
                                              static_cast<std::int64_t>(i));
      };
      if (rotates_) {
        std::array<double, 288> numbers;
        if (!decoding) {
          for (std::size_t i = 0; i < reals; ++i) numbers[i] = static_cast<double>(kept(i));
          to_fnal(numbers);
        }
        for (std::size_t i = 0; i < reals; ++i) {
          if (decoding)
            numbers[i] = static_cast<double>(load<Number>(at + i * sizeof(Number), order));
          else
            store(at + i * sizeof(Number), order, static_cast<Number>(numbers[i]));
          note(i, std::isfinite(static_cast<Number>(numbers[i])));
        }
        if (!decoding) continue;
        from_fnal(numbers);
        for (std::size_t i = 0; i < reals; ++i) {
          kept(i) = static_cast<Kept>(numbers[i]);
          note(i, std::isfinite(kept(i)));
        }
        continue;
      }
      for (std::size_t i = 0; i < reals; ++i) {
        const bool minus = negative != places_[i].negative;
        Number number;
        if (decoding) {
          number = load<Number>(at + i * sizeof(Number), order);
          kept(i) = static_cast<Kept>(minus ? -number : number);
        } else {
          number = static_cast<Number>(minus ? -kept(i) : kept(i));
          store(at + i * sizeof(Number), order, number);
        }
        note(i, std::isfinite(decoding ? static_cast<Number>(kept(i)) : number));
      }
    }
  }
  not_finite_ = first_bad;
}

void PropagatorCodec::choose(std::int64_t first_row, std::int64_t rows, std::byte* bytes, bool decoding) {
  const bool wide = stored_.precision == Precision::double_precision;
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
  const std::int64_t first = grid.comm().min(not_finite_);
  if (first == nowhere) return;
  const auto reals = static_cast<std::int64_t>(places_.size());
  const Place place = places_[static_cast<std::size_t>(first % reals)];
  std::int64_t site = first / reals;
  Extents x{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    x[mu] = static_cast<int>(site % propagator_.geometry().global()[mu]);
    site /= propagator_.geometry().global()[mu];
  }
  const int spins = propagator_.spec().spins;
  const auto component = [&](std::string_view end, int number) {
    return fmt::format("{}{} color {}", end, spins > 1 ? fmt::format(" spin {}", number / 3) : "",
                       number % 3);
  };
  throw Error(kind,
              fmt::format("{}: expected finite numbers of {} precision, found another at site ({}), {}, {}",
                          path, name_of(stored_.precision), fmt::join(x, ", "),
                          component("source", place.subfield), component("sink", place.real / 2)));
}

namespace {

template <class Kept>
void rotate_sites(Field& propagator) {
  const int sites = propagator.geometry().shape().half_volume;
  const Layout& layout = propagator.layout();
  for (int parity = 0; parity < 2; ++parity) {
#pragma omp parallel for schedule(static)
    for (int site = 0; site < sites; ++site) {
      std::array<double, 288> numbers;
      const auto kept = [&](std::size_t i) -> Kept& {
        return static_cast<Kept*>(
            propagator.data(static_cast<int>(i / 24), parity))[layout.offset(site, static_cast<int>(i % 24))];
      };
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(kept(i));
      from_fnal(numbers);
      for (std::size_t i = 0; i < numbers.size(); ++i) kept(i) = static_cast<Kept>(numbers[i]);
    }
  }
}

}  // namespace

void rotate_from_fnal(Field& propagator) {
  propagator.precision() == Precision::double_precision ? rotate_sites<double>(propagator)
                                                        : rotate_sites<float>(propagator);
  propagator.touch();
}

}  // namespace plaq
