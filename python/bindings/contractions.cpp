// Two-point functions of quark fields.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/operators.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "core/operator/active_set.hpp"
#include "core/system/error.hpp"
#include "kernels/quark/mesons.hpp"
#include "kernels/quark/momentum_projection.hpp"
#include "plaq/correlators.hpp"
#include "python/bindings/arguments.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/fields.hpp"
#include "python/bindings/gamma.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

// The quarks in the memory of a field; by its own name, a field that is not given is the first one.
Propagator propagator(const SpinorField* field, const SpinorField& first) {
  const SpinorField& q = field == nullptr ? first : *field;
  return Propagator(SpinorField(q.lattice(), q.field(), q.note()));
}

constexpr const char* channel_text = "a name, or of spinors the matrices (sink, source)";

nb::object meson_array(const SpinorField& quark, nb::handle channel, const SpinorField* antiquark,
                       nb::handle momentum, const std::optional<Extents>& source) {
  const Momenta momenta(momentum);
  const Propagator q = propagator(&quark, quark), other = propagator(antiquark, quark);
  if (nb::isinstance<nb::str>(channel)) {
    const auto name = nb::cast<std::string>(channel);
    return array_of_momenta(in_call(quark, [&] { return meson(q, other, name, momenta.all, source); }),
                            momenta);
  }
  const auto pair = argument_as<std::vector<SpinMatrix>>(channel, "channel", channel_text);
  if (pair.size() != 2 || q.spins() != 4)
    throw Error(ErrorKind::usage, fmt::format("argument 'channel': expected {}", channel_text));
  const auto spins = structures_of(pair[0], pair[1]);
  return array_of_momenta(in_call(quark, [&] { return meson(q, other, spins, momenta.all, source); }),
                          momenta);
}

nb::object baryon_array(const SpinorField& up, const std::string& channel, const SpinorField* down,
                        const SpinorField* strange, nb::handle momentum,
                        const std::optional<Extents>& source) {
  const Momenta momenta(momentum);
  const Propagator u = propagator(&up, up), d = propagator(down, up), s = propagator(strange, up);
  return array_of_momenta(in_call(up,
                                  [&] {
                                    return baryon({u, d, s}, channel, momenta.all, source);
                                  }),
                          momenta);
}

// Densities that were written in Python.
nb::object momentum_sums(const Lattice& lattice, nb::handle density, nb::handle momentum,
                         const Extents& source, const std::string& order) {
  const Momenta momenta(momentum);
  const SharedLattice& shared = lattice.shared();
  for (const Momentum& n : momenta.all)
    if (const auto fault = validate_momentum(n, lattice.extents())) throw Error(ErrorKind::usage, *fault);
  const auto refuse_density = [&] {
    refuse_argument("density", "an array [n][parity][t][z][y][x/2] or, lexicographic, [n][t][z][y][x]",
                    density);
  };
  if (!nb::hasattr(density, "shape")) refuse_density();
  const nb::object shape_of = density.attr("shape");
  if (!nb::isinstance<nb::tuple>(shape_of) || nb::len(shape_of) == 0) refuse_density();
  const std::int64_t count = integer_of(shape_of[0], "density", "an array");
  if (count < 1 || count > ActiveSet::capacity) refuse_density();
  const auto channels = static_cast<int>(count);
  MomentumProjection project(*shared.grid, shared.geometry, momenta.all, shared.queue);
  Field field = project.make_density(channels);
  set_array(field, density, packed_order(order), shared.queue);
  const Correlators found = in_call(lattice, [&] { return project(field, source); });
  std::vector<std::complex<double>> numbers;
  for (const auto& channel : found)
    for (const auto& one : channel) numbers.insert(numbers.end(), one.begin(), one.end());
  std::vector<std::size_t> shape = {found.size(), momenta.all.size(), found.front().front().size()};
  if (!momenta.list) shape.erase(shape.begin() + 1);
  return numpy_of(numbers, shape);
}

}  // namespace

void bind_contractions(nb::module_& module) {
  module.def("meson", &meson_array, "quark"_a, "channel"_a = "pion", "antiquark"_a = nb::none(),
             "momentum"_a = nb::make_tuple(0, 0, 0), "source"_a = nb::none(),
             nb::sig("def meson(quark: QuarkField, channel: str | Sequence[GammaMatrix] = 'pion', antiquark: "
                     "QuarkField | "
                     "None = None, momentum: Sequence[int] | Sequence[Sequence[int]] = (0, 0, 0), source: "
                     "Sequence[int] | "
                     "None = None) -> numpy.typing.NDArray"),
             "The correlator C(p, t) of a meson, summed over space with exp(-i p (x -\n"
             "source)). Returns [t] counted from the source, or [p][t] for a list of momenta.\n\n"
             "channel: a channel of [correlators] in job files, \"pion\", \"rho\", \"a0\", ..., for\n"
             "staggered quarks \"pion_ps\", \"rho_vt\", ...; or the spin matrices (sink, source).\n"
             "antiquark: another propagator, for example for a kaon; default: the same one.\n"
             "momentum: integers n of 2 pi n / L. source: the position of the source, if the\n"
             "quark does not know it. Collective; the same bits on any process grid.");
  module.def(
      "baryon", &baryon_array, "up"_a, "channel"_a = "proton", "down"_a = nb::none(),
      "strange"_a = nb::none(), "momentum"_a = nb::make_tuple(0, 0, 0), "source"_a = nb::none(),
      nb::sig(
          "def baryon(up: QuarkField, channel: str = 'proton', down: QuarkField | None = None, strange: "
          "QuarkField | None = None, momentum: Sequence[int] | Sequence[Sequence[int]] = (0, 0, 0), source: "
          "Sequence[int] | None = None) -> numpy.typing.NDArray"),
      "The correlator C(p, t) of a baryon with positive parity, or with negative parity\n"
      "for a channel NAME_minus. Returns [t], or [p][t] for a list of momenta.\n\n"
      "channel: a channel of [correlators] in job files, \"proton\", \"delta\", \"lambda\",\n"
      "..., for staggered quarks \"nucleon\". With other propagators as `down` and\n"
      "`strange` also \"sigma\", \"xi\", ..., of staggered quarks \"nucleon_uds\". Collective;\n"
      "the same bits on any process grid.");
  module.def(
      "momentum_sums", &momentum_sums, "lattice"_a, "density"_a, "momentum"_a = nb::make_tuple(0, 0, 0),
      "source"_a = std::array<int, 4>{0, 0, 0, 0}, "order"_a = "even-odd",
      nb::sig(
          "def momentum_sums(lattice: Lattice, density: numpy.typing.ArrayLike, momentum: Sequence[int] | "
          "Sequence[Sequence[int]] = (0, 0, 0), source: Sequence[int] = (0, 0, 0, 0), order: str = "
          "'even-odd') "
          "-> numpy.typing.NDArray"),
      "Sums your own densities over space, sum_x exp(-i p (x - source)) density(x, t).\n"
      "density: [n][parity][t][z][y][x/2] on the sites of this rank, or\n"
      "[n][t][z][y][x] with order = \"lexicographic\". Returns [n][p][t], or [n][t] for\n"
      "one momentum. Collective; exact sums, the same bits on any process grid.");
}

}  // namespace plaq::python
