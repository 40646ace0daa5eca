// Two-point functions of quark fields.
#include <fmt/format.h>
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

#include "core/system/error.hpp"
#include "jobs/correlators/channels.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/results/results.hpp"
#include "kernels/quark/mesons.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/contractions.hpp"
#include "python/bindings/fields.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

// One momentum, or a list of them: results have an axis for a list.
struct Momenta {
  std::vector<Momentum> all;
  bool list = false;

  explicit Momenta(nb::handle given) {
    const nb::object first = nb::list(given)[0];
    list = nb::isinstance<nb::sequence>(first) || nb::hasattr(first, "__len__");
    if (!list) {
      all = {nb::cast<Momentum>(given)};
      return;
    }
    for (nb::handle one : nb::list(given)) all.push_back(nb::cast<Momentum>(one));
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

// From which site correlators count.
Extents source_of(const QuarkField& q, const std::optional<Extents>& given) {
  if (given) return *given;
  if (q.source) return *q.source;
  throw Error(ErrorKind::usage, "the source's position is not known: say source = (x, y, z, t)");
}

// Quark and antiquark, or u, d and s: those that are not given are the first one.
std::vector<const QuarkField*> quarks_of(const QuarkField& first,
                                         const std::vector<const QuarkField*>& others) {
  std::vector<const QuarkField*> all = {&first};
  expect_propagator(first);
  for (const QuarkField* given : others) {
    const QuarkField* one = given == nullptr ? &first : given;
    expect_propagator(*one);
    expect_same_lattice(first, *one);
    if (one->field.spec().spins != first.field.spec().spins)
      throw Error(ErrorKind::usage, "one quark has spins and another one has none");
    if (one->source && first.source && one->source != first.source)
      throw Error(ErrorKind::usage, "the quarks have sources at different places");
    all.push_back(one);
  }
  return all;
}

jobs::Channel channel_named(const std::string& name, const QuarkField& quark, bool meson, bool one_quark) {
  std::string known;
  for (const jobs::Channel& channel :
       one_quark ? jobs::channels_of_one_quark() : jobs::channels_of_flavours()) {
    if (channel.is_meson() != meson || channel.spins() != quark.field.spec().spins) continue;
    if (channel.name == name) return channel;
    known += (known.empty() ? "" : ", ") + channel.name;
  }
  throw Error(ErrorKind::usage, fmt::format("\"{}\" is none of {}", name, known));
}

// [momentum][t] of a channel that jobs have, as they contract it.
std::vector<std::vector<std::complex<double>>> contracted(const std::string& name,
                                                          const std::vector<const QuarkField*>& quarks,
                                                          bool meson, const Momenta& momenta,
                                                          const Extents& at) {
  const QuarkField& first = *quarks.front();
  const bool one_quark =
      std::all_of(quarks.begin(), quarks.end(), [&](const QuarkField* q) { return q == &first; });
  jobs::CorrelatorPlan plan{
      {channel_named(name, first, meson, one_quark)}, momenta.all, false, first.time_boundary};
  jobs::Results results;
  {
    const Call call = first.call();
    jobs::CorrelatorSet set(first.lattice->context(), std::move(plan));
    jobs::QuarkContent content;
    for (const QuarkField* q : quarks) {
      content.names.push_back(fmt::format("{}", content.names.size()));
      content.fields.push_back(&q->field);
    }
    one_quark ? set.add("point", first.field, at) : set.add("point", content, at);
    set.move_to(results, "");
  }
  std::vector<std::vector<std::complex<double>>> found;
  for (const jobs::Dataset& dataset : results.datasets) {
    const auto& numbers = std::get<std::vector<double>>(dataset.values);
    auto& one = found.emplace_back();
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) one.emplace_back(numbers[i], numbers[i + 1]);
  }
  return found;
}

// Of a channel (sink, source) of matrices.
nb::object meson_of_matrices(const std::vector<GammaMatrix>& pair,
                             const std::vector<const QuarkField*>& quarks, const Momenta& momenta,
                             const Extents& at) {
  const QuarkField& q = *quarks.front();
  if (pair.size() != 2 || q.field.spec().spins != 4)
    throw Error(ErrorKind::usage, "a channel is a name, or of spinors the matrices (sink, source)");
  Correlators found;
  {
    const Call call = q.call();
    MesonContraction contract(q.lattice->grid(), q.lattice->geometry(), {{"", {{pair[0], pair[1], 1}}}},
                              momenta.all, q.queue());
    found = contract(q.field, quarks[1]->field, at);
  }
  return array_of_momenta(found.front(), momenta);
}

nb::object meson(const QuarkField& quark, nb::handle channel, const QuarkField* antiquark,
                 nb::handle momentum, std::optional<Extents> source) {
  const Momenta momenta(momentum);
  const auto quarks = quarks_of(quark, {antiquark});
  const Extents at = source_of(quark, source);
  if (!nb::isinstance<nb::str>(channel))
    return meson_of_matrices(nb::cast<std::vector<GammaMatrix>>(channel), quarks, momenta, at);
  return array_of_momenta(contracted(nb::cast<std::string>(channel), quarks, true, momenta, at), momenta);
}

nb::object baryon(const QuarkField& up, const std::string& channel, const QuarkField* down,
                  const QuarkField* strange, nb::handle momentum, std::optional<Extents> source) {
  const Momenta momenta(momentum);
  const auto quarks = quarks_of(up, {down, strange});
  return array_of_momenta(contracted(channel, quarks, false, momenta, source_of(up, source)), momenta);
}

// Densities that were written in Python.
nb::object momentum_sums(const LatticePtr& lattice, nb::handle density, nb::handle momentum,
                         const Extents& source, const std::string& order) {
  const Momenta momenta(momentum);
  const auto channels = nb::cast<int>(nb::object(density.attr("shape"))[0]);
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

nb::object matrix_of(const GammaMatrix& g) {
  constexpr std::complex<double> power[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  std::vector<std::complex<double>> m(16);
  for (std::size_t row = 0; row < 4; ++row)
    m[4 * row + (row ^ static_cast<std::size_t>(g.flip))] = power[g.phase[row]];
  return numpy_of(m, {4, 4});
}

}  // namespace

void bind_contractions(nb::module_& module) {
  nb::class_<GammaMatrix>(module, "GammaMatrix",
                          "A product of Euclidean gamma matrices, DeGrand-Rossi basis.")
      .def("__matmul__", [](const GammaMatrix& a, const GammaMatrix& b) { return a * b; })
      .def("__neg__", [](const GammaMatrix& a) { return -a; })
      .def("__eq__", [](const GammaMatrix& a, const GammaMatrix& b) { return a == b; })
      .def_prop_ro("matrix", &matrix_of, "As a 4x4 array.");
  module.def(
      "gamma",
      [](int mu) {
        if (mu < 0 || mu > 3) throw Error(ErrorKind::usage, "gamma(mu) is of mu = 0, 1, 2, 3: x, y, z, t");
        return gamma(mu);
      },
      "mu"_a, "gamma_x, gamma_y, gamma_z, gamma_t: mu = 0, 1, 2, 3.");
  module.attr("gamma5") = gamma5();
  module.attr("identity") = unit_gamma();

  module.def("meson", &meson, "quark"_a, "channel"_a = "pion", "antiquark"_a = nb::none(),
             "momentum"_a = nb::make_tuple(0, 0, 0), "source"_a = nb::none(),
             "C(p, t) = sum_x exp(-i p (x - source)) of a meson, [t] from the source on; for\n"
             "a list of momenta [p][t].\n\n"
             "channel: as in [correlators] of job files, \"pion\", \"rho\", \"a0\", ..., of\n"
             "staggered quarks \"pion_ps\", \"rho_vt\", ...; or the matrices (sink, source).\n"
             "antiquark: another propagator, as of a kaon. momentum: integers n of 2 pi n /\n"
             "L. Collective; the same bits on any process grid.");
  module.def("baryon", &baryon, "up"_a, "channel"_a = "proton", "down"_a = nb::none(),
             "strange"_a = nb::none(), "momentum"_a = nb::make_tuple(0, 0, 0), "source"_a = nb::none(),
             "C(p, t) of a baryon, projected onto positive parity; NAME_minus: onto negative\n"
             "parity.\n\n"
             "channel: as in [correlators] of job files, \"proton\", \"delta\", \"lambda\",\n"
             "...; of staggered quarks \"nucleon\". With other propagators for down and\n"
             "strange also \"sigma\", \"xi\", ... Collective; the same bits on any process\n"
             "grid.");
  module.def("momentum_sums", &momentum_sums, "lattice"_a, "density"_a,
             "momentum"_a = nb::make_tuple(0, 0, 0), "source"_a = std::array<int, 4>{0, 0, 0, 0},
             "order"_a = "even-odd",
             "sum_x exp(-i p (x - source)) density(x, t) of densities that you made:\n"
             "[n][parity][t][z][y][x/2] of this rank's sites, or [n][t][z][y][x] with order\n"
             "= \"lexicographic\". Returns [n][p][t], [n][t] for one momentum. Collective;\n"
             "exact sums, the same bits on any process grid.");
}

}  // namespace plaq::python
