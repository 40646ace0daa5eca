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
#include "kernels/gauge/halo_links.hpp"
#include "plaq/linear_algebra.hpp"
#include "python/bindings/arguments.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/copies.hpp"
#include "settings/quark/note_text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {

Field like(const Field& field) { return {field.geometry_ptr(), field.spec()}; }

Field like(const Field& field, int subfields) {
  FieldSpec spec = field.spec();
  spec.subfields = subfields;
  return {field.geometry_ptr(), spec};
}

Field with_halo(const GaugeField& gauge) { return links_with_halo(gauge.lattice->context(), gauge.field); }

GaugeField gauge_of(const LatticePtr& lattice, const Field& links) {
  GaugeField gauge{
      {lattice, Field(lattice->geometry(), gauge_spec(Precision::double_precision, lattice->location()))}};
  copy(gauge.field, links);
  return gauge;
}

void expect_same_lattice(const LatticeField& a, const LatticeField& b) {
  if (a.lattice != b.lattice) throw Error(ErrorKind::usage, "fields of two lattices in one call");
}

void expect_site(const LatticePtr& lattice, const Extents& site) {
  const Extents& extents = lattice->geometry()->global();
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (site[mu] < 0 || site[mu] >= extents[mu])
      throw Error(ErrorKind::usage, fmt::format("site ({}) is outside the lattice {}", fmt::join(site, ", "),
                                                to_string(extents)));
}

void expect_sign(int sign) {
  if (sign != 1 && sign != -1)
    throw Error(ErrorKind::usage, fmt::format("time_boundary is 1 or -1, not {}", sign));
}

void expect_spins(int spins) {
  if (spins != 1 && spins != 4) throw Error(ErrorKind::usage, "spins is 4, or 1 of staggered quarks");
}

void expect_columns(int columns, int slices) {
  const int most = ActiveSet::capacity / slices;
  if (columns < 1 || columns > most)
    throw Error(ErrorKind::usage,
                fmt::format("a field has 1 to {} columns{}, not {}", most,
                            slices > 1 ? fmt::format(" of {} slices", slices) : "", columns));
}

namespace {

void expect_alike(const QuarkField& a, const QuarkField& b) {
  expect_same_lattice(a, b);
  if (a.field.spec() != b.field.spec())
    throw Error(ErrorKind::usage, "fields of other columns, components or precision in one sum");
}

QuarkField copy_of(const QuarkField& from) {
  QuarkField made{{from.lattice, like(from.field)}, from.note, from.solved};
  copy(made.field, from.field);
  return made;
}

QuarkField combined(const std::complex<double>& a, const QuarkField& x, const std::complex<double>& b,
                    const QuarkField& y) {
  expect_alike(x, y);
  const Call call = x.call();
  QuarkField sum = copy_of(y);
  sum.note = common_note(x.note, y.note);
  sum.solved.reset();
  combine(a, x.field, b, sum.field, x.queue());
  return sum;
}

QuarkField scaled(const QuarkField& x, const std::complex<double>& a) {
  const Call call = x.call();
  QuarkField made{{x.lattice, like(x.field)}, x.note};
  combine(a, x.field, 0, made.field, x.queue());
  return made;
}

QuarkField columns_of(const QuarkField& from, int first, int count) {
  const int slices = from.field.slices(), columns = from.field.batch();
  if (first < 0 || count < 1 || first + count > columns)
    throw Error(ErrorKind::usage,
                fmt::format("columns {} to {} of a field with {}", first, first + count - 1, columns));
  const Call call = from.call();
  QuarkField some{{from.lattice, like(from.field, count * slices)}, from.note};
  for (int i = 0; i < count * slices; ++i) copy_subfield(some.field, i, from.field, first * slices + i);
  return some;
}

void set_columns(QuarkField& to, int first, const QuarkField& from) {
  expect_same_lattice(to, from);
  FieldSpec spec = from.field.spec();
  spec.subfields = to.field.subfields();
  if (spec != to.field.spec() || first < 0 || first + from.field.batch() > to.field.batch())
    throw Error(ErrorKind::usage, "columns that the field has no place for");
  const Call call = to.call();
  const int slices = to.field.slices();
  for (int i = 0; i < from.field.subfields(); ++i) copy_subfield(to.field, first * slices + i, from.field, i);
  to.field.touch();
  to.solved.reset();
  to.note = from.field.batch() == to.field.batch() ? from.note : common_note(to.note, from.note);
}

void set_source(QuarkField& quark, const std::optional<Extents>& position) {
  if (position) expect_site(quark.lattice, *position);
  quark.note.position = position;
}

void set_time_boundary(QuarkField& quark, std::optional<int> sign) {
  if (sign) expect_sign(*sign);
  quark.note.boundary = sign;
}

// The numbers are the user's now: no solver has found them, and no noise is known in them.
void forget_origin(QuarkField& quark) {
  quark.solved.reset();
  quark.note.source_type.clear();
  quark.note.source.reset();
  quark.note.seed.reset();
}

nb::dict note_of(const QuarkField& quark) {
  nb::dict all;
  for (const auto& [key, value] : settings::members_of(quark.note))
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

std::string text_of(const QuarkField& quark) {
  const FieldSpec& spec = quark.field.spec();
  return fmt::format("plaq.QuarkField({} columns of {}{}, {}, {})", spec.batch(),
                     spec.spins == 1 ? "color vectors" : "spinors",
                     spec.slices > 1 ? fmt::format(" on {} slices", spec.slices) : "",
                     to_string(quark.lattice->geometry()->global()), name_of(spec.precision));
}

constexpr const char* array_text =
    "A copy of this rank's numbers, complex, at the field's location: on the host\n"
    "an array of numpy, on a GPU one for cupy.from_dlpack or torch.from_dlpack.\n"
    "With order \"even-odd\" [column or mu][parity][t][z][y][x/2][spin or\n"
    "row][color], with \"lexicographic\" [...][t][z][y][x][...]. Color vectors have\n"
    "no axis of spins.";
constexpr const char* set_text =
    "The way back: an array of the shape that array() has. On a GPU arrays of the\n"
    "GPU (through DLPack, in the field's precision) or of the host.";
constexpr const char* touch_text = "Says that the numbers were changed through raw().";

}  // namespace

void bind_fields(nb::module_& module) {
  nb::class_<LatticeField> field(
      module, "Field",
      "Numbers on the sites of a lattice.\n\n"
      "numpy.asarray(field) is a copy of this rank's numbers on the host, those of\n"
      "array().");
  // Without it numpy would take fields for arrays in sums and products with its numbers, and lose what they are.
  field.attr("__array_ufunc__") = nb::none();
  field
      .def(
          "__array__",
          [](const LatticeField& f, nb::handle dtype, nb::handle copies) -> nb::object {
            expect_copy(copies);
            const nb::object numbers = host_array_of(f.field, PackedOrder::checkerboard, f.queue());
            return dtype.is_none() ? numbers : numbers.attr("astype")(dtype);
          },
          "dtype"_a = nb::none(), "copy"_a = nb::none())
      .def_prop_ro(
          "lattice", [](const LatticeField& f) { return f.lattice; }, "The Lattice that it is on.")
      .def_prop_ro(
          "precision", [](const LatticeField& f) { return std::string(name_of(f.field.precision())); },
          "\"double\" or \"single\".")
      .def(
          "raw", [](const LatticeField& f) { return raw_view(f.field, f.queue()); },
          "The memory of the field, in the order that it is stored in; not a copy.\n\n"
          "[column or mu][parity][group of sites][chunk of reals][site of the group][real\n"
          "of the chunk]; the reals of a site are [spin or row][color][re, im]. Groups\n"
          "and chunks depend on the machine. After writing, call touch(); on a GPU first\n"
          "wait for your own stream. The array stays valid without the field.")
      .def(
          "array",
          [](const LatticeField& f, const std::string& order) {
            return array_of(f.field, packed_order(order), f.queue());
          },
          "order"_a = "even-odd", array_text)
      .def(
          "set",
          [](LatticeField& f, nb::handle array, const std::string& order) {
            set_array(f.field, array, packed_order(order), f.queue());
          },
          "array"_a, "order"_a = "even-odd", set_text)
      .def(
          "touch", [](LatticeField& f) { f.field.touch(); }, touch_text);

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
          "Of each column.")
      .def_prop_ro(
          "updates", [](const ColumnsSolved& r) { return numpy_of(r.updates, {r.updates.size()}); },
          "Times that the residual of each column was recomputed.")
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

  nb::class_<QuarkField, LatticeField> quarks(
      module, "QuarkField",
      "Spinors (DeGrand-Rossi basis), or color vectors of staggered quarks: a field\n"
      "for each column.\n\n"
      "A propagator has 12 columns, 3 * spin + color of the source, or 3.");
  def_copies(
      quarks,
      [](const QuarkField& q) {
        const Call call = q.call();
        return copy_of(q);
      },
      "A field of its own with the same numbers.");
  refuse_pickle(
      quarks,
      "a QuarkField is on the ranks and in the memory of its process: write it by plaq.write_quarks() and "
      "read it by plaq.read_quarks(), or pickle its array()");
  quarks
      .def(
          "set",
          [](QuarkField& q, nb::handle array, const std::string& order) {
            set_array(q.field, array, packed_order(order), q.queue());
            forget_origin(q);
          },
          "array"_a, "order"_a = "even-odd", set_text)
      .def(
          "touch",
          [](QuarkField& q) {
            q.field.touch();
            forget_origin(q);
          },
          touch_text)
      .def_prop_ro(
          "columns", [](const QuarkField& q) { return q.field.batch(); }, "How many fields these are.")
      .def_prop_ro(
          "spins", [](const QuarkField& q) { return q.field.spec().spins; },
          "4 of spinors, 1 of color vectors.")
      .def_prop_ro(
          "slices", [](const QuarkField& q) { return q.field.slices(); },
          "N_s of vectors in five dimensions, else 1.")
      .def_prop_rw(
          "source", [](const QuarkField& q) { return q.note.position; }, &set_source, nb::arg().none(),
          "Position x, y, z, t of the source, from which correlators count; None: not known.")
      .def_prop_rw(
          "time_boundary", [](const QuarkField& q) { return q.note.boundary; }, &set_time_boundary,
          nb::arg().none(),
          "Sign of the quarks around the lattice in time, 1 or -1, which baryons need; None: not known.")
      .def_prop_ro("note", &note_of,
                   "What is known of the quarks, a dict: position and boundary (source and time_boundary),\n"
                   "action, mass, source_type, seed, gauge_file, gauge_checksum, ... write_quarks() keeps\n"
                   "it, read_quarks() finds it, and contractions refuse quarks that do not belong together.")
      .def_prop_ro(
          "report", [](const QuarkField& q) { return q.solved; },
          "SolveReport of what a solver found, else None.")
      .def("column", &columns_of, "first"_a, "count"_a = 1, "Some of the columns, as a field of their own.")
      .def("set_column", &set_columns, "first"_a, "columns"_a,
           "Writes the columns of another field over those from `first` on.")
      .def(
          "norm2",
          [](const QuarkField& q) {
            std::vector<double> found;
            {
              const Call call = q.call();
              found = norms(q.lattice->grid(), q.field, q.queue());
            }
            return numpy_of(found, {found.size()});
          },
          "|q|^2 of each column. Collective: exact sums, the same bits on any process grid.")
      .def(
          "dot",
          [](const QuarkField& q, const QuarkField& other) {
            expect_alike(q, other);
            std::vector<std::complex<double>> found;
            {
              const Call call = q.call();
              found = products(q.lattice->grid(), q.field, other.field, q.queue());
            }
            return numpy_of(found, {found.size()});
          },
          "other"_a, "q^dagger other of each column. Collective: exact sums.")
      .def(
          "__add__", [](const QuarkField& a, const QuarkField& b) { return combined(1, a, 1, b); },
          nb::is_operator())
      .def(
          "__sub__", [](const QuarkField& a, const QuarkField& b) { return combined(-1, b, 1, a); },
          nb::is_operator())
      .def("__neg__", [](const QuarkField& a) { return scaled(a, -1); })
      .def("__mul__", &scaled, nb::is_operator())
      .def("__rmul__", &scaled, nb::is_operator())
      .def("__repr__", &text_of);
}

}  // namespace plaq::python
