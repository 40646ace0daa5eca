// Sources, smearing and files of quark fields.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "comms/grid/first_rank.hpp"
#include "core/field/version_of.hpp"
#include "core/operator/active_set.hpp"
#include "core/system/error.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/propagator/propagator_file.hpp"
#include "observables/quark/quarks_together.hpp"
#include "python/bindings/arguments.hpp"
#include "python/bindings/copies.hpp"
#include "python/bindings/fields.hpp"
#include "python/bindings/keywords.hpp"
#include "quarks/smearing/quark_smearing.hpp"
#include "settings/quark/note_text.hpp"
#include "settings/quark/quark_smearing_table.hpp"
#include "settings/quark/source_kind.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

QuarkField made(const LatticePtr& lattice, int columns, int spins) {
  expect_spins(spins);
  expect_columns(columns, 1);
  FieldSpec spec{Subset::full, spins, 3, columns, Precision::double_precision, lattice->location()};
  return {{lattice, Field(lattice->geometry(), spec)}};
}

// All columns of a source.
QuarkField filled(const LatticePtr& lattice, const Source& source, int spins) {
  source.expect_on(lattice->geometry()->global());
  QuarkField b = made(lattice, 3 * spins, spins);
  const Call call = lattice->call();
  source.fill(b.field);
  b.note = source_note(source);
  return b;
}

QuarkField point(const LatticePtr& lattice, const Extents& at, int spins) {
  return filled(lattice, *point_source(at), spins);
}
QuarkField wall(const LatticePtr& lattice, int t, nb::handle n, int spins) {
  const Momentum momentum = momentum_of(n);
  const Extents at{0, 0, 0, t};
  return filled(lattice, *(momentum == Momentum{} ? wall_source(at) : momentum_wall_source(at, momentum)),
                spins);
}
QuarkField corner_wall(const LatticePtr& lattice, const Extents& at) {
  return filled(lattice, *corner_wall_source(at), 1);
}

// Arguments that are keys of a table, by the limits of job files.
template <class Keys>
Keys keys_of(settings::Table (*table)(), std::initializer_list<std::pair<const char*, nb::handle>> arguments,
             const std::string& call) {
  const settings::Schema schema{call, "", {table()}, {}};
  nb::dict keys;
  for (const auto& [name, value] : arguments) keys[name] = value;
  return Keywords().add(schema.tables.front().name, keys).read(schema, call).template get<Keys>();
}

// A source by keys of [source], with their limits and rules.
SourcePtr source_of_keys(const nb::dict& keys, const Extents& at, const std::string& call) {
  const settings::Schema schema{call, "", {settings::source_table(settings::made_source_kinds())}, {}};
  const settings::Settings job = Keywords().add("source", keys).read(schema, call);
  return job.get<settings::SourceKeys>().type->source(job, at, 0);
}

QuarkField gaussian(const LatticePtr& lattice, const Extents& at, nb::handle width, nb::handle stride,
                    int spins) {
  if (width.is_none()) refuse_argument("width", "a width in lattice units", width);
  nb::dict keys;
  keys["type"] = "gaussian";
  keys["width"] = width;
  keys["stride"] = stride;
  return filled(lattice, *source_of_keys(keys, at, "gaussian_source()"), spins);
}
QuarkField noise(const LatticePtr& lattice, const std::string& kind, nb::handle key, std::uint32_t sample,
                 std::optional<int> t, int spins) {
  const Noise which = kind == "z2" ? Noise::z2 : kind == "z4" ? Noise::z4 : Noise::u1;
  if (kind != "z2" && kind != "z4" && kind != "u1")
    throw Error(ErrorKind::usage,
                fmt::format("argument 'kind': expected \"z2\", \"z4\" or \"u1\", found \"{}\"", kind));
  if (key.is_none()) refuse_argument("seed", "an integer", key);
  nb::dict keys;  // of any noise that job files have: the limits of a seed are one for all
  keys["type"] = "z2";
  keys["seed"] = key;
  const std::int64_t seed = source_of_keys(keys, {}, "noise_source()")->noise()->seed;
  return filled(
      lattice,
      *(t ? noise_source({0, 0, 0, *t}, which, {seed, sample}) : noise_source(which, {seed, sample})), spins);
}

class Smearing {
 public:
  Smearing(const Smearing&) = delete;
  Smearing(const GaugeField& gauge, nb::handle sigma, nb::handle steps, const SpaceSigns& boundary,
           nb::handle allow_unstable)
      : gauge_(gauge),
        parameters_(keys_of<settings::QuarkSmearingKeys>(
                        [] { return settings::quark_smearing_table(false); },
                        {{"sigma", sigma}, {"steps", steps}, {"allow_unstable", allow_unstable}},
                        "GaussianSmearing()")
                        .parameters) {
    parameters_.boundary = boundary;
    const int of_staggered = fewest_smearing_steps(parameters_.sigma, 2);
    if (parameters_.steps < of_staggered && !parameters_.allow_unstable)
      throw Error(
          ErrorKind::usage,
          fmt::format("GaussianSmearing(): {} steps of width sigma = {} amplify the highest momenta; take at "
                      "least {} steps, or {} of staggered quarks",
                      parameters_.steps, parameters_.sigma, fewest_smearing_steps(parameters_.sigma, 1),
                      of_staggered));
    for (const int sign : boundary)
      if (sign != 1 && sign != -1)
        throw Error(ErrorKind::usage, fmt::format("space_boundary has signs 1 or -1, not {}", sign));
  }

  QuarkField apply(const QuarkField& q) {
    expect_same_lattice(gauge_, q);
    if (q.field.slices() > 1) throw Error(ErrorKind::usage, "smearing is of quarks in four dimensions");
    if (const auto& stated = q.note.space_boundary; stated && *stated != parameters_.boundary)
      throw Error(
          ErrorKind::usage,
          fmt::format(
              "the quarks have the signs ({0}) around the lattice in x, y, z, the smearing has ({1}): "
              "make it with space_boundary = ({0})",
              fmt::join(*stated, ", "), fmt::join(parameters_.boundary, ", ")));
    if (const auto why = refuse_source_in_space(parameters_.boundary, q.note.source_type))
      throw Error(ErrorKind::usage, *why);
    const Call call = q.call();
    QuarkField found{{q.lattice, like(q.field)}, q.note};
    found.note.space_boundary = parameters_.boundary;
    const int most = q.field.spec().spins == 1 ? 3 : q.field.subfields();
    for (int first = 0; first < q.field.subfields(); first += most) {
      const int count = std::min(most, q.field.subfields() - first);
      Field part = like(q.field, count);
      for (int i = 0; i < count; ++i) copy_subfield(part, i, q.field, first + i);
      smearing_of(q.field.spec().spins).apply(part);
      q.queue().synchronize();
      for (int i = 0; i < count; ++i) copy_subfield(found.field, first + i, part, i);
    }
    return found;
  }

 private:
  QuarkSmearing& smearing_of(int spins) {
    if (!made_of_.is_of(gauge_.field)) {
      spinors_.reset();
      staggered_.reset();
      made_of_ = VersionOf(gauge_.field);
    }
    auto& made = spins == 1 ? staggered_ : spinors_;
    if (!made)
      made =
          make_quark_smearing(gauge_.lattice->context(), gauge_.field, {parameters_, LinkSmearing()}, spins);
    return *made;
  }

  GaugeField gauge_;
  GaussianSmearingParameters parameters_;
  VersionOf made_of_;  // the links of both
  std::unique_ptr<QuarkSmearing> spinors_, staggered_;
};

// What the file says, completed by the arguments of the call, which must not contradict it.
PropagatorNote read_note(const PropagatorFileInfo& info, const LatticePtr& lattice,
                         const std::optional<Extents>& source, std::optional<int> time_boundary) {
  PropagatorNote note = settings::note_in(info.metadata);
  if (const auto why = misplaced_source(note, info.path, info.extents))
    throw Error(ErrorKind::input_file, *why);
  const auto contradiction = [&](const std::string& stated, const std::string& given) {
    throw Error(
        ErrorKind::input_file,
        fmt::format("{}: the file says {}, the call {}; leave out what the file says, or set it on the "
                    "quarks that read_quarks() returns where you know better",
                    info.path, stated, given));
  };
  if (source) expect_site(lattice, *source);
  if (source && note.position && *source != *note.position)
    contradiction(fmt::format("source = ({})", fmt::join(*note.position, ", ")),
                  fmt::format("source = ({})", fmt::join(*source, ", ")));
  if (time_boundary) expect_sign(*time_boundary);
  if (time_boundary && note.boundary && *time_boundary != *note.boundary)
    contradiction(fmt::format("time_boundary = {}", *note.boundary),
                  fmt::format("time_boundary = {}", *time_boundary));
  if (source) note.position = source;
  if (time_boundary) note.boundary = time_boundary;
  return note;
}

using Path = std::filesystem::path;

QuarkField read_quarks(const Path& file, const LatticePtr& lattice, const std::optional<Extents>& source,
                       std::optional<int> time_boundary, const std::vector<std::string>& accept_checksums) {
  const std::string path = file.string();
  const Call call = lattice->call();
  on_first_rank([&] { inspect_propagator(path); });  // one error for all
  const PropagatorFileInfo info = inspect_propagator(path);
  QuarkField q{{lattice, {}}, read_note(info, lattice, source, time_boundary)};
  Field host(lattice->geometry(), propagator_spec(info.quarks, Precision::double_precision, info.count));
  read_propagator(path, lattice->grid(), host, {accept_checksums});
  FieldSpec spec = host.spec();
  spec.location = lattice->location();
  q.field = Field(lattice->geometry(), spec);
  copy(q.field, host);
  return q;
}

std::string write_quarks(const QuarkField& q, const Path& file, const std::string& format,
                         const std::string& precision, const std::string& metadata, bool overwrite) {
  const std::string path = file.string();
  PropagatorWriteOptions options;
  const auto named = [&](PropagatorFormat f, const char* name) {
    if (format == name) options.format = f;
    return format == name;
  };
  if (!named(PropagatorFormat::hdf5, "hdf5") && !named(PropagatorFormat::scidac, "scidac") &&
      !named(PropagatorFormat::milc, "milc") && !named(PropagatorFormat::fnal, "fnal"))
    throw Error(ErrorKind::usage, fmt::format("format \"{}\" is none of hdf5, scidac, milc, fnal", format));
  options.precision = is_single(precision) ? Precision::single_precision : Precision::double_precision;
  if (settings::has_note(metadata))
    throw Error(ErrorKind::usage,
                "metadata has a table [stored_propagator], which write_quarks() writes from what the quarks' "
                "note says");
  options.metadata = metadata;
  if (!is_binary_format(options.format) && !settings::members_of(q.note).empty()) {
    if (!metadata.empty() && !metadata.ends_with('\n')) options.metadata += '\n';
    options.metadata += settings::note_text(q.note);
  }
  if (const auto why = refuse_to_write(quarks_of(q.field), q.field.batch(), options))
    throw Error(ErrorKind::usage, *why);
  const Call call = q.call();
  on_first_rank([&] { check_output(path, overwrite); });
  FieldSpec spec = q.field.spec();
  spec.location = Location::host;
  Field host(q.lattice->geometry(), spec);
  copy(host, q.field);
  return write_propagator(path, q.lattice->grid(), host, options).text();
}

}  // namespace

void bind_quarks(nb::module_& module) {
  module.def("quark_field", &made, "lattice"_a, "columns"_a = 12, "spins"_a = 4,
             "Zero everywhere, in double precision; spins = 1: color vectors of staggered quarks.");
  module.def("point_source", &point, "lattice"_a, "position"_a, "spins"_a = 4,
             "1 at a site, in each of 12 (3) columns.");
  module.def(
      "wall_source", &wall, "lattice"_a, "t"_a, "momentum"_a = nb::make_tuple(0, 0, 0), "spins"_a = 4,
      nb::sig(
          "def wall_source(lattice: Lattice, t: int, momentum: Sequence[int] = (0, 0, 0), spins: int = 4) -> "
          "QuarkField"),
      "exp(i p x) on a time slice, p = 2 pi n / L.");
  module.def("corner_wall_source", &corner_wall, "lattice"_a, "position"_a,
             "Of staggered quarks: 1 where x, y, z of a time slice are those of the position modulo 2.");
  module.def(
      "gaussian_source", &gaussian, "lattice"_a, "position"_a, "width"_a, "stride"_a = 1, "spins"_a = 4,
      nb::sig("def gaussian_source(lattice: Lattice, position: Sequence[int], width: float, stride: int = 1, "
              "spins: int = 4) -> QuarkField"),
      "exp(-r^2/width^2) on a time slice; not gauge-covariant.");
  module.def(
      "noise_source", &noise, "lattice"_a, "kind"_a, "seed"_a, "sample"_a = 0, "t"_a = nb::none(),
      "spins"_a = 4,
      nb::sig(
          "def noise_source(lattice: Lattice, kind: str, seed: int, sample: int = 0, t: int | None = None, "
          "spins: int = 4) -> QuarkField"),
      "\"z2\", \"z4\" or \"u1\" noise, one number a site in all columns, on a time\n"
      "slice or on all of them; the same on any process grid.");
  module.def("read_quarks", &read_quarks, "path"_a, "lattice"_a, "source"_a = nb::none(),
             "time_boundary"_a = nb::none(), "accept_checksums"_a = std::vector<std::string>(),
             "A propagator, or a single quark field, from a file of any format that plaq\n"
             "knows. Files that plaq wrote say the position of the source, the sign of the\n"
             "quarks around the lattice in time and more (QuarkField.note). For other files\n"
             "say source and time_boundary; what contradicts the file raises\n"
             "InputFileError. Collective.");
  module.def("write_quarks", &write_quarks, "quarks"_a, "path"_a, "format"_a = "hdf5",
             "precision"_a = "double", "metadata"_a = "", "overwrite"_a = false,
             "Writes \"hdf5\", \"scidac\", \"milc\" or \"fnal\"; returns the checksum. metadata is\n"
             "a text of your own. \"hdf5\" and \"scidac\" also keep the note of the quarks (source,\n"
             "time_boundary, ...), for which the other two have no place. Collective.");
  nb::class_<Smearing> smearing(
      module, "GaussianSmearing",
      "Gauge-covariant Gaussian smearing of quarks: N steps of 1 + (sigma^2 / 4N)\n"
      "Lap; of staggered quarks by hops of two links. space_boundary: the signs of the\n"
      "quarks around the lattice in x, y, z.");
  smearing
      .def(nb::init<const GaugeField&, nb::handle, nb::handle, const SpaceSigns&, nb::handle>(), "gauge"_a,
           "sigma"_a, "steps"_a, "space_boundary"_a = periodic_in_space, "allow_unstable"_a = false,
           nb::sig("def __init__(self, gauge: GaugeField, sigma: float, steps: int, space_boundary: "
                   "Sequence[int] = (1, 1, "
                   "1), allow_unstable: bool = False) -> None"),
           "Too few steps, N < 3/2 sigma^2, of staggered quarks 3/8 sigma^2, would amplify the\n"
           "highest momenta, and are refused unless allow_unstable is True.")
      .def("__call__", &Smearing::apply, "quarks"_a, "The smeared field. Collective.");
  def_own_copies(smearing);
  refuse_pickle(smearing,
                "a GaussianSmearing is in the memory of its process: make one in each process, of the gauge "
                "field from its file");
}

}  // namespace plaq::python
