#include "python/bindings/fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/operators.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <type_traits>
#include <variant>

#include "core/system/error.hpp"
#include "python/bindings/arguments.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/copies.hpp"
#include "settings/quark/note_text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {

void expect_same_lattice(const LatticeField& a, const LatticeField& b) {
  if (!(a.lattice() == b.lattice()))
    throw Error(ErrorKind::usage, "the fields lie on different lattices; make all of them on one Lattice");
}

void expect_sign(int sign) {
  if (sign < -1 || sign > 1)
    throw Error(ErrorKind::usage, fmt::format("time_boundary must be 1, -1 or 0, not {}", sign));
}

namespace {

void set_source(SpinorField& quark, const std::optional<Extents>& position) {
  if (position) expect_site(quark.lattice(), *position);
  quark.note().position = position;
}

void set_time_boundary(SpinorField& quark, std::optional<int> sign) {
  if (sign) expect_sign(*sign);
  quark.note().boundary = sign;
}

nb::dict note_of(const SpinorField& quark) {
  nb::dict all;
  for (const auto& [key, value] : settings::members_of(quark.note()))
    std::visit(
        [&](const auto& one) {
          if constexpr (std::is_same_v<std::decay_t<decltype(one)>, std::string>)
            all[nb::str(key.c_str())] = decoded(one);
          else
            all[nb::str(key.c_str())] = nb::cast(one);
        },
        value);
  return all;
}

std::string text_of(const SpinorField& quark) {
  return fmt::format("plaq.QuarkField({} columns of {}{}, {}, {})", quark.columns(),
                     quark.spins() == 1 ? "color vectors" : "spinors",
                     quark.Ls() > 1 ? fmt::format(" on {} slices", quark.Ls()) : "",
                     to_string(quark.lattice().extents()), name_of(quark.precision()));
}

SpinorField scaled(const SpinorField& x, std::complex<double> a) {
  const Call call = call_on(x);
  return a * x;
}

// Numbers of each column, by a function of fields.
template <class Sums, class... Fields>
nb::object sums_of_columns(const Sums& sums, const SpinorField& first, const Fields&... more) {
  const auto found = [&] { return in_call(first, [&] { return sums(first, more...); }); }();
  return numpy_of(found, {found.size()});
}

constexpr const char* array_text =
    "A complex copy of the numbers of this rank: a NumPy array on the host, an array\n"
    "for cupy.from_dlpack or torch.from_dlpack on a GPU. The axes are [column or\n"
    "mu][parity][t][z][y][x/2][spin or row][color] with order \"even-odd\", and\n"
    "[...][t][z][y][x][...] with \"lexicographic\". Color vectors have no axis of\n"
    "spins.";
constexpr const char* set_text =
    "Copies an array into the field; its shape is that of array() in the same order.\n"
    "A field on a GPU takes arrays on the GPU (through DLPack, in the precision of the\n"
    "field) or on the host.";
constexpr const char* touch_text = "Tells plaq that the numbers were changed through raw().";

}  // namespace

void bind_fields(nb::module_& module) {
  nb::class_<LatticeField> field(
      module, "Field",
      "Numbers on the sites of a lattice.\n\n"
      "numpy.asarray(field) is a copy of the numbers of this rank on the host, in the\n"
      "order of array().");
  // Without it numpy would take fields for arrays in sums and products with its
  // numbers, and lose what they are.
  field.attr("__array_ufunc__") = nb::none();
  field
      .def(
          "__array__",
          [](const LatticeField& f, nb::handle dtype, nb::handle copies) -> nb::object {
            expect_copy(copies);
            const nb::object numbers = host_array_of(f.field(), PackedOrder::checkerboard, queue_of(f));
            return dtype.is_none() ? numbers : numbers.attr("astype")(dtype);
          },
          "dtype"_a = nb::none(), "copy"_a = nb::none())
      .def_prop_ro(
          "lattice", [](const LatticeField& f) { return f.lattice(); }, "The Lattice of the field.")
      .def_prop_ro(
          "precision", [](const LatticeField& f) { return std::string(name_of(f.precision())); },
          "\"double\" or \"single\".")
      .def(
          "raw", [](const LatticeField& f) { return raw_view(f.field(), queue_of(f)); },
          "The memory of the field in its own order, not a copy.\n\n"
          "[column or mu][parity][group of sites][chunk of reals][site of the group][real\n"
          "of the chunk]; the reals of a site are [spin or row][color][re, im]. Groups\n"
          "and chunks depend on the machine. After writing, call touch(); on a GPU first\n"
          "wait for your own stream. The array stays valid without the field.")
      .def(
          "array",
          [](const LatticeField& f, const std::string& order) {
            return array_of(f.field(), packed_order(order), queue_of(f));
          },
          "order"_a = "even-odd", array_text)
      .def(
          "set",
          [](LatticeField& f, nb::handle array, const std::string& order) {
            set_array(f.field(), array, packed_order(order), queue_of(f));
          },
          "array"_a, "order"_a = "even-odd", set_text)
      .def(
          "touch", [](LatticeField& f) { f.field().touch(); }, touch_text);

  nb::class_<ColumnsSolved> report(module, "SolveReport", "How the columns of a quark field were solved.");
  def_own_copies(report);
  report.def("__getstate__", [](const ColumnsSolved& r) {
    return std::tuple(r.true_residuals, r.iterations, r.updates, r.attempts);
  });
  report.def("__setstate__", [](ColumnsSolved& r,
                                const std::tuple<std::vector<double>, std::vector<std::int64_t>,
                                                 std::vector<std::int64_t>, std::int64_t>& state) {
    new (&r) ColumnsSolved{std::get<0>(state), std::get<1>(state), std::get<2>(state), std::get<3>(state)};
  });
  report
      .def_prop_ro(
          "true_residual",
          [](const ColumnsSolved& r) { return numpy_of(r.true_residuals, {r.true_residuals.size()}); },
          "||b - M x|| / ||b|| of each column, of the full system, recomputed in double precision.")
      .def_prop_ro(
          "iterations", [](const ColumnsSolved& r) { return numpy_of(r.iterations, {r.iterations.size()}); },
          "Number of iterations of each column.")
      .def_prop_ro(
          "updates", [](const ColumnsSolved& r) { return numpy_of(r.updates, {r.updates.size()}); },
          "How often the residual of each column was recomputed.")
      .def_ro("attempts", &ColumnsSolved::attempts, "Solvers that it took; more than 1: fallbacks.")
      .def("__repr__", [](const ColumnsSolved& r) {
        std::int64_t most = 0;
        double worst = 0;
        for (const auto n : r.iterations) most = std::max(most, n);
        for (const double x : r.true_residuals) worst = std::max(worst, x);
        return fmt::format(
            "plaq.SolveReport({} columns, {} iterations at most, true residual {:.2e} at most)",
            r.iterations.size(), most, worst);
      });

  nb::class_<SpinorField, LatticeField> quarks(
      module, "QuarkField",
      "Spinors (DeGrand-Rossi basis), or color vectors of staggered quarks: one field\n"
      "for each column.\n\n"
      "A propagator has 12 columns, numbered 3 * spin + color of the source. A\n"
      "propagator of staggered quarks has 3.");
  def_copies(
      quarks, [](const SpinorField& q) { return in_call(q, [&] { return SpinorField(q); }); },
      "An independent copy of the field.");
  refuse_pickle(
      quarks,
      "a QuarkField is on the ranks and in the memory of its process: write it by plaq.write_quarks() and "
      "read it by plaq.read_quarks(), or pickle its array()");
  quarks
      .def(
          "set",
          [](SpinorField& q, nb::handle array, const std::string& order) {
            set_array(q.field(), array, packed_order(order), queue_of(q));
            q.forget_origin();
          },
          "array"_a, "order"_a = "even-odd", set_text)
      .def(
          "touch",
          [](SpinorField& q) {
            q.field().touch();
            q.forget_origin();
          },
          touch_text)
      .def_prop_ro("columns", &SpinorField::columns, "How many fields these are.")
      .def_prop_ro("spins", &SpinorField::spins, "4 of spinors, 1 of color vectors.")
      .def_prop_ro("slices", &SpinorField::Ls, "Ls of vectors in five dimensions, else 1.")
      .def_prop_rw(
          "source", [](const SpinorField& q) { return q.note().position; }, &set_source, nb::arg().none(),
          "Position x, y, z, t of the source, from which correlators count; None: not known.")
      .def_prop_rw(
          "time_boundary", [](const SpinorField& q) { return q.note().boundary; }, &set_time_boundary,
          nb::arg().none(),
          "Sign of the quarks around the lattice in time, 1 or -1, which baryons need; None: not known.")
      .def_prop_ro("note", &note_of,
                   "The origin of the quarks as a dict: position and boundary (source and time_boundary),\n"
                   "action, mass, source_type, seed, gauge_file, gauge_checksum, ... write_quarks() writes\n"
                   "it, read_quarks() reads it, and contractions refuse quarks that do not belong together.")
      .def_prop_ro(
          "report", [](const SpinorField& q) { return q.solved(); },
          "SolveReport of a solution; None for other fields.")
      .def(
          "with_precision",
          [](const SpinorField& q, const std::string& precision) {
            return in_call(q, [&] { return q.with_precision(precision_named(precision)); });
          },
          "precision"_a, "A copy in precision \"double\" or \"single\", rounded to nearest.")
      .def(
          "column",
          [](const SpinorField& q, int first, int count) {
            return in_call(q, [&] { return q.some_columns(first, count); });
          },
          "first"_a, "count"_a = 1, "Some of the columns, as a field of their own.")
      .def(
          "set_column",
          [](SpinorField& q, int first, const SpinorField& columns) {
            const Call call = call_on(q);
            q.set_columns(first, columns);
          },
          "first"_a, "columns"_a, "Writes the columns of another field over those from `first` on.")
      .def(
          "norm2",
          [](const SpinorField& q) {
            return sums_of_columns([](const SpinorField& x) { return norm2(x); }, q);
          },
          "|q|^2 of each column. Collective: exact sums, the same bits on any process grid.")
      .def(
          "dot",
          [](const SpinorField& q, const SpinorField& other) {
            return sums_of_columns(
                [](const SpinorField& x, const SpinorField& y) { return inner_product(x, y); }, q, other);
          },
          "other"_a, "q^dagger other of each column. Collective: exact sums.")
      .def(
          "__add__",
          [](const SpinorField& a, const SpinorField& b) { return in_call(a, [&] { return a + b; }); },
          nb::is_operator())
      .def(
          "__sub__",
          [](const SpinorField& a, const SpinorField& b) { return in_call(a, [&] { return a - b; }); },
          nb::is_operator())
      .def("__neg__", [](const SpinorField& a) { return scaled(a, -1); })
      .def("__mul__", &scaled, nb::is_operator())
      .def("__rmul__", &scaled, nb::is_operator())
      .def("__repr__", &text_of);
}

Propagator propagator_in(const SpinorField& q) {
  return Propagator(SpinorField(q.lattice(), q.field(), q.note()));
}

}  // namespace plaq::python
