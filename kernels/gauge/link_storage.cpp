#include "kernels/gauge/link_storage.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <optional>

#include "comms/communicator/collective.hpp"
#include "comms/grid/process_grid.hpp"
#include "core/launch/dispatch.hpp"
#include "kernels/gauge/gauge_launch.hpp"
#include "kernels/gauge/link_storage_launch.hpp"

namespace plaq {
namespace {

using Remedy = LinkStorageError::Remedy;

// |U U^dagger - 1| and |det U - 1| of links that may be compressed. Single precision files have 1e-6.
constexpr double largest_violation = 1e-3;
// Stored links that are further off than this are of no use. Of Haar-random links as eight reals in 16 bits
// one in 10^7 is off by 0.01, and the tail falls with the fourth power: 0.25 is for links near a singular
// one.
constexpr double largest_deviation = 0.25;
// Rounding of 18 reals in 16 bits: half a step, and what rounds to the ends.
constexpr double largest_rounding = 1 / 32767.0;

Field in_double(const Field& gauge, const Queue& queue) {
  Field links(gauge.geometry_ptr(), gauge_spec(Precision::double_precision, queue.location()));
  copy(links, gauge);
  return links;
}

double deviation(const Field& stored, const Field& links, const ColorRotation& rotation, const Queue& queue) {
  return dispatch_storage(stored.location(), stored.precision(), [&](auto kind) {
    using K = decltype(kind);
    return with_reconstruction(stored.spec().reals(), [&](auto reconstruction) {
      return launch_link_deviation<typename K::target, typename K::scalar, reconstruction()>(stored, links,
                                                                                             rotation, queue);
    });
  });
}

// Compressed links must be of SU(3); NaN are not.
void check_su3(const Field& links, int reals, const Queue& queue) {
  const auto squares = dispatch(links.location(), links.precision(), [&](auto kind) {
    using K = decltype(kind);
    return launch_unitarity_violation<typename K::target, typename K::scalar>(links, queue);
  });
  for (const double square : squares)
    if (!(std::sqrt(square) <= largest_violation))
      throw LinkStorageError(
          fmt::format("links cannot be stored as {} reals: they are not SU(3), |U U^dagger - 1| is "
                      "{:.2g} and |det U - 1| {:.2g} (allowed {}; is a boundary sign inside of them?)",
                      reals, std::sqrt(squares[0]), std::sqrt(squares[1]), largest_violation),
          std::isfinite(squares[0] + squares[1]) ? Remedy::reconstruction : Remedy::none);
}

}  // namespace

ColorRotation fourier_rotation(int parity) {
  using Complex64 = std::complex<double>;
  ColorRotation rotation;
  rotation.parity = parity;
  constexpr double third = 2 * std::numbers::pi / 3;
  // The determinant of the unitary Fourier matrix is -i: its cube root exp(-i pi / 6) is divided out.
  const Complex64 unit = std::polar(1 / std::sqrt(3.0), std::numbers::pi / 6);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Complex64 z = unit * std::polar(1.0, third * (i * j % 3));
      rotation.r.e[i][j] = {z.real(), z.imag()};
    }
  return rotation;
}

Field store_links(const Field& gauge, const LinkStorage& storage, const ColorRotation& rotation,
                  const Queue& queue) {
  require(gauge.geometry().halo_depth() == 0, "links are stored without halo");
  const bool half = storage.precision == Precision::half_precision;
  Field stored(gauge.geometry_ptr(), gauge_spec(storage.precision, queue.location(), storage.reconstruction));
  if (storage.reconstruction == 18 && rotation.parity < 0 && !half) {
    copy(stored, gauge);
    return stored;
  }
  const Field links = in_double(gauge, queue);
  if (storage.reconstruction != 18) check_su3(links, storage.reconstruction, queue);
  dispatch_storage(stored.location(), stored.precision(), [&](auto kind) {
    using K = decltype(kind);
    with_reconstruction(storage.reconstruction, [&](auto reconstruction) {
      launch_link_compression<typename K::target, typename K::scalar, reconstruction()>(stored, links,
                                                                                        rotation, queue);
    });
  });
  const double off = deviation(stored, links, rotation, queue);
  if (storage.reconstruction == 18) {
    if (half && !(off <= largest_rounding))
      throw LinkStorageError(
          fmt::format("links cannot be stored in half precision: a component is not a number or "
                      "beyond [-1, 1], where the largest deviation would be {:.2g}",
                      off),
          std::isfinite(off) ? Remedy::precision : Remedy::none);
  } else if (!(off <= largest_deviation)) {
    throw LinkStorageError(
        fmt::format("links cannot be stored as {} reals in {} precision: one comes back {:.2g} away "
                    "from what it was (allowed {}), it is near the matrices for which this form is singular",
                    storage.reconstruction, name_of(storage.precision), off, largest_deviation),
        Remedy::reconstruction);
  }
  return stored;
}

Field store_links_on_all(const ProcessGrid& grid, const Field& gauge, const LinkStorage& storage,
                         const ColorRotation& rotation, const Queue& queue) {
  Field links;
  std::optional<Remedy> remedy;  // of a refusal on this rank
  try {
    all_or_none(grid.comm(), [&] {
      try {
        links = store_links(gauge, storage, rotation, queue);
      } catch (const LinkStorageError& error) {
        remedy = error.remedy();
        throw;
      }
    });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
    const int refused = grid.comm().min(remedy ? grid.rank() : grid.size());
    if (refused == grid.size()) throw;
    const int agreed = grid.comm().broadcast(static_cast<int>(remedy.value_or(Remedy::none)), refused);
    throw LinkStorageError(error.what(), static_cast<Remedy>(agreed));
  }
  return links;
}

double link_storage_error(const Field& stored, const Field& gauge, const ColorRotation& rotation,
                          const Queue& queue) {
  return deviation(stored, in_double(gauge, queue), rotation, queue);
}

void rotate_color(Field& out, const Field& in, int parity, const ColorRotation& rotation, bool dagger,
                  const ActiveSet& active, const Queue& queue) {
  dispatch_storage(out.location(), out.precision(), [&](auto kind) {
    using K = decltype(kind);
    launch_rotate_color<typename K::target, typename K::scalar>(out, in, parity, rotation, dagger, active,
                                                                queue);
  });
}

}  // namespace plaq
