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

#include <algorithm>
#include <utility>
#include <variant>

#include "core/operator/active_set.hpp"
#include "core/system/error.hpp"
#include "kernels/quark/mesons.hpp"
#include "observables/quark/channels.hpp"
#include "observables/quark/quarks_together.hpp"
#include "observables/quark/two_point.hpp"
#include "python/bindings/arguments.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/contractions.hpp"
#include "python/bindings/fields.hpp"
#include "python/bindings/gamma.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

// One momentum, or a list of them: results have an axis for a list.
struct Momenta {
  std::vector<Momentum> all;
  bool list = false;

  Momenta(nb::handle given, const Lattice& lattice) {
    if (PySequence_Check(given.ptr()) != 0)
      for (nb::handle one : nb::list(given)) list = list || nb::hasattr(one, "__len__");
    if (!list)
      all = {momentum_of(given)};
    else
      for (nb::handle one : nb::list(given)) all.push_back(momentum_of(one));
    for (const Momentum& n : all)
      if (const auto fault = fault_of_momentum(n, lattice.context().extents))
        throw Error(ErrorKind::usage, *fault);
  }
};

nb::object array_of_momenta(const std::vector<std::vector<std::complex<double>>>& found,
                            const Momenta& momenta) {
  std::vector<std::complex<double>> numbers;
  for (const auto& one : found) numbers.insert(numbers.end(), one.begin(), one.end());
  std::vector<std::size_t> shape = {found.size(), found.front().size()};
  if (!momenta.list) shape.erase(shape.begin());
  return numpy_of(numbers, shape);
}

void expect_propagator(const QuarkField& q) {
  const FieldSpec& spec = q.field.spec();
  if (spec.slices > 1 || spec.subfields != 3 * spec.spins)
    throw Error(ErrorKind::usage, fmt::format("a propagator is wanted, of {} columns; the field has {}",
                                              3 * spec.spins, spec.batch()));
}

// Quark and antiquark, or u, d and s, under the names of the arguments. Those that are not given are the first one.
struct Quarks {
  std::vector<const QuarkField*> fields;
  NotedQuarks noted;

  const QuarkField& first() const { return *fields.front(); }
  bool are_one() const {
    return std::all_of(fields.begin(), fields.end(),
                       [&](const QuarkField* q) { return q == fields.front(); });
  }
};

void refuse(const std::optional<std::string>& why) {
  if (why) throw Error(ErrorKind::usage, *why);
}

Quarks together(const std::vector<std::pair<const char*, const QuarkField*>>& given) {
  Quarks quarks;
  const QuarkField& first = *given.front().second;
  for (const auto& [name, field] : given) {
    const QuarkField* one = field == nullptr ? &first : field;
    expect_propagator(*one);
    expect_same_lattice(first, *one);
    if (one->field.spec().spins != first.field.spec().spins)
      throw Error(ErrorKind::usage, "one quark has spins and another one has none");
    quarks.fields.push_back(one);
    quarks.noted.push_back({field == nullptr ? given.front().first : name, &one->note});
  }
  refuse(mismatch_of_gauge_fields(nullptr, quarks.noted));
  refuse(mismatch_of_sources(quarks.noted));
  refuse(mismatch_of_boundaries(quarks.noted));
  return quarks;
}

// What one of them says, or nothing: they do not contradict each other.
template <class T>
std::optional<T> known(const Quarks& quarks, std::optional<T> PropagatorNote::*member) {
  for (const NotedQuark& quark : quarks.noted)
    if (const auto& found = quark.note->*member) return found;
  return std::nullopt;
}

// From which site correlators count.
Extents source_of(const Quarks& quarks, const std::optional<Extents>& given) {
  const auto site = known(quarks, &PropagatorNote::position);
  if (given) expect_site(quarks.first().lattice, *given);
  if (site && given && *site != *given)
    throw Error(
        ErrorKind::usage,
        fmt::format("the quarks have their source at ({}), and source = ({}) says another site: leave it "
                    "out, or set the attribute `source` of the quarks",
                    fmt::join(*site, ", "), fmt::join(*given, ", ")));
  if (!site && !given)
    throw Error(ErrorKind::usage, "the source's position is not known: say source = (x, y, z, t)");
  return site ? *site : *given;
}

int boundary_of(const Quarks& quarks) {
  const auto sign = known(quarks, &PropagatorNote::boundary);
  if (!sign)
    throw Error(
        ErrorKind::usage,
        "the sign of the quarks around the lattice in time is not known, and baryons depend on it: set the "
        "attribute time_boundary of the quarks to 1 or -1 (read_quarks() takes it, too)");
  return *sign;
}

Channel channel_named(const std::string& name, const QuarkField& quark, bool meson, bool one_quark) {
  std::string known;
  for (const Channel& channel : one_quark ? channels_of_one_quark() : channels_of_flavours()) {
    if (channel.is_meson() != meson || channel.spins() != quark.field.spec().spins) continue;
    if (channel.name == name) return channel;
    known += (known.empty() ? "" : ", ") + channel.name;
  }
  throw Error(ErrorKind::usage, fmt::format("\"{}\" is none of {}", name, known));
}

// [momentum][t] of a channel that jobs have, as they contract it.
std::vector<std::vector<std::complex<double>>> contracted(const std::string& name, const Quarks& quarks,
                                                          bool meson, const Momenta& momenta,
                                                          const Extents& at) {
  const QuarkField& first = quarks.first();
  const bool one_quark = quarks.are_one();
  const Channel channel = channel_named(name, first, meson, one_quark);
  const bool moves =
      std::any_of(momenta.all.begin(), momenta.all.end(), [](const Momentum& n) { return n != Momentum{}; });
  for (const NotedQuark& quark : quarks.noted) refuse(refuse_noise(quark, channel, moves));
  refuse(
      refuse_in_space(known(quarks, &PropagatorNote::space_boundary).value_or(periodic_in_space), channel));
  CorrelatorPlan plan{{channel}, momenta.all, false, meson ? -1 : boundary_of(quarks)};
  const Call call = first.call();
  CorrelatorSet set(first.lattice->context(), std::move(plan));
  QuarkContent content;
  for (const QuarkField* q : quarks.fields) {
    content.names.push_back(fmt::format("{}", content.names.size()));
    content.fields.push_back(&q->field);
  }
  one_quark ? set.add("point", first.field, at) : set.add("point", content, at);
  std::vector<std::vector<std::complex<double>>> found;
  for (TwoPointFunction& correlator : set.take()) found.push_back(std::move(correlator.values));
  return found;
}

constexpr const char* channel_text = "a name, or of spinors the matrices (sink, source)";

// Of a channel (sink, source) of matrices.
nb::object meson_of_matrices(const std::vector<SpinMatrix>& pair, const Quarks& quarks,
                             const Momenta& momenta, const Extents& at) {
  const QuarkField& q = quarks.first();
  if (pair.size() != 2 || q.field.spec().spins != 4)
    throw Error(ErrorKind::usage, fmt::format("argument 'channel': expected {}", channel_text));
  Correlators found;
  {
    const Call call = q.call();
    MesonContraction contract(q.lattice->grid(), q.lattice->geometry(), {{"", pairs_of(pair[0], pair[1])}},
                              momenta.all, q.queue());
    found = contract(q.field, quarks.fields[1]->field, at);
  }
  return array_of_momenta(found.front(), momenta);
}

nb::object meson(const QuarkField& quark, nb::handle channel, const QuarkField* antiquark,
                 nb::handle momentum, const std::optional<Extents>& source) {
  const Momenta momenta(momentum, *quark.lattice);
  const Quarks quarks = together({{"quark", &quark}, {"antiquark", antiquark}});
  const Extents at = source_of(quarks, source);
  if (!nb::isinstance<nb::str>(channel))
    return meson_of_matrices(argument_as<std::vector<SpinMatrix>>(channel, "channel", channel_text), quarks,
                             momenta, at);
  return array_of_momenta(contracted(nb::cast<std::string>(channel), quarks, true, momenta, at), momenta);
}

nb::object baryon(const QuarkField& up, const std::string& channel, const QuarkField* down,
                  const QuarkField* strange, nb::handle momentum, const std::optional<Extents>& source) {
  const Momenta momenta(momentum, *up.lattice);
  const Quarks quarks = together({{"up", &up}, {"down", down}, {"strange", strange}});
  return array_of_momenta(contracted(channel, quarks, false, momenta, source_of(quarks, source)), momenta);
}

// Densities that were written in Python.
nb::object momentum_sums(const LatticePtr& lattice, nb::handle density, nb::handle momentum,
                         const Extents& source, const std::string& order) {
  const Momenta momenta(momentum, *lattice);
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
  MomentumProjection project(lattice->grid(), lattice->geometry(), momenta.all, lattice->queue());
  Field field = project.make_density(channels);
  set_array(field, density, packed_order(order), lattice->queue());
  Correlators found;
  {
    const Call call = lattice->call();
    found = project(field, source);
  }
  std::vector<std::complex<double>> numbers;
  for (const auto& channel : found)
    for (const auto& one : channel) numbers.insert(numbers.end(), one.begin(), one.end());
  std::vector<std::size_t> shape = {found.size(), momenta.all.size(), found.front().front().size()};
  if (!momenta.list) shape.erase(shape.begin() + 1);
  return numpy_of(numbers, shape);
}

}  // namespace

void bind_contractions(nb::module_& module) {
  module.def("meson", &meson, "quark"_a, "channel"_a = "pion", "antiquark"_a = nb::none(),
             "momentum"_a = nb::make_tuple(0, 0, 0), "source"_a = nb::none(),
             nb::sig("def meson(quark: QuarkField, channel: str | Sequence[GammaMatrix] = 'pion', antiquark: "
                     "QuarkField | "
                     "None = None, momentum: Sequence[int] | Sequence[Sequence[int]] = (0, 0, 0), source: "
                     "Sequence[int] | "
                     "None = None) -> numpy.typing.NDArray"),
             "C(p, t) = sum_x exp(-i p (x - source)) of a meson, [t] from the source on; for\n"
             "a list of momenta [p][t].\n\n"
             "channel: as in [correlators] of job files, \"pion\", \"rho\", \"a0\", ..., of\n"
             "staggered quarks \"pion_ps\", \"rho_vt\", ...; or the matrices (sink, source).\n"
             "antiquark: another propagator, as of a kaon. momentum: integers n of 2 pi n /\n"
             "L. Collective; the same bits on any process grid.");
  module.def(
      "baryon", &baryon, "up"_a, "channel"_a = "proton", "down"_a = nb::none(), "strange"_a = nb::none(),
      "momentum"_a = nb::make_tuple(0, 0, 0), "source"_a = nb::none(),
      nb::sig(
          "def baryon(up: QuarkField, channel: str = 'proton', down: QuarkField | None = None, strange: "
          "QuarkField | None = None, momentum: Sequence[int] | Sequence[Sequence[int]] = (0, 0, 0), source: "
          "Sequence[int] | None = None) -> numpy.typing.NDArray"),
      "C(p, t) of a baryon, projected onto positive parity; NAME_minus: onto negative\n"
      "parity.\n\n"
      "channel: as in [correlators] of job files, \"proton\", \"delta\", \"lambda\",\n"
      "...; of staggered quarks \"nucleon\". With other propagators for down and\n"
      "strange also \"sigma\", \"xi\", ... Collective; the same bits on any process\n"
      "grid.");
  module.def(
      "momentum_sums", &momentum_sums, "lattice"_a, "density"_a, "momentum"_a = nb::make_tuple(0, 0, 0),
      "source"_a = std::array<int, 4>{0, 0, 0, 0}, "order"_a = "even-odd",
      nb::sig(
          "def momentum_sums(lattice: Lattice, density: numpy.typing.ArrayLike, momentum: Sequence[int] | "
          "Sequence[Sequence[int]] = (0, 0, 0), source: Sequence[int] = (0, 0, 0, 0), order: str = "
          "'even-odd') "
          "-> numpy.typing.NDArray"),
      "sum_x exp(-i p (x - source)) density(x, t) of densities that you made:\n"
      "[n][parity][t][z][y][x/2] of this rank's sites, or [n][t][z][y][x] with order\n"
      "= \"lexicographic\". Returns [n][p][t], [n][t] for one momentum. Collective;\n"
      "exact sums, the same bits on any process grid.");
}

}  // namespace plaq::python
