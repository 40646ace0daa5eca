// Sources, smearing and files of quark fields.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <optional>
#include <vector>

#include "core/system/error.hpp"
#include "plaq/smearing.hpp"
#include "plaq/stored_propagators.hpp"
#include "python/bindings/arguments.hpp"
#include "python/bindings/copies.hpp"
#include "python/bindings/fields.hpp"
#include "python/bindings/keywords.hpp"
#include "quarks/source/source.hpp"
#include "quarks/source/source_positions.hpp"
#include "settings/quark/quark_smearing_table.hpp"
#include "settings/quark/source_kind.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

SpinorField made(const Lattice& lattice, int columns, int spins) {
  return SpinorField(lattice, {.columns = columns, .spins = spins});
}

// All columns of a source.
SpinorField filled(const Lattice& lattice, const Source& source, int spins) {
  source.expect_on(lattice.extents());
  SpinorField b = made(lattice, 3 * spins, spins);
  const Call call = call_on(lattice);
  source.fill(b.field());
  b.note() = source_note(source);
  return b;
}

SpinorField point(const Lattice& lattice, const Extents& at, int spins) {
  return filled(lattice, *point_source(at), spins);
}
SpinorField wall(const Lattice& lattice, int t, nb::handle n, int spins) {
  const Momentum momentum = momentum_of(n);
  const Extents at{0, 0, 0, t};
  return filled(lattice, *(momentum == Momentum{} ? wall_source(at) : momentum_wall_source(at, momentum)),
                spins);
}
SpinorField corner_wall(const Lattice& lattice, const Extents& at) {
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
  return job.get<settings::SourceKeys>().type->source(job, at, 0, {});
}

void expect_within(const char* argument, std::int64_t found, std::int64_t least, std::int64_t most) {
  if (found < least || found > most)
    throw Error(ErrorKind::usage, fmt::format("argument '{}': expected an integer from {} to {}, found {}",
                                              argument, least, most, found));
}

// Counters of random numbers have so many bits for the numbers of a field.
FieldNumbers numbers_of_field(std::int64_t seed, std::int64_t trajectory, std::int64_t replica) {
  expect_within("seed", seed, 0, INT64_MAX);
  expect_within("trajectory", trajectory, 0, (std::int64_t{1} << 48) - 1);
  expect_within("replica", replica, 0, UINT32_MAX);
  return {trajectory, replica};
}

std::int64_t seed_of_field(std::int64_t seed, std::int64_t trajectory, std::int64_t replica) {
  return noise_seed(seed, numbers_of_field(seed, trajectory, replica));
}

std::vector<Extents> random_positions(const Lattice& lattice, int count, std::int64_t seed,
                                      std::int64_t trajectory, std::int64_t replica) {
  expect_within("count", count, 1, 100000);
  const FieldNumbers numbers = numbers_of_field(seed, trajectory, replica);
  const SourcePositions sites{.order = PositionOrder::random, .count = count, .seed = seed};
  std::vector<Extents> positions;
  for (int k = 0; k < count; ++k) positions.push_back(source_position(sites, numbers, k, lattice.extents()));
  return positions;
}

SpinorField gaussian(const Lattice& lattice, const Extents& at, nb::handle width, nb::handle stride,
                     int spins) {
  if (width.is_none()) refuse_argument("width", "a width in lattice units", width);
  nb::dict keys;
  keys["type"] = "gaussian";
  keys["width"] = width;
  keys["stride"] = stride;
  return filled(lattice, *source_of_keys(keys, at, "gaussian_source()"), spins);
}
SpinorField grid(const Lattice& lattice, const Extents& at, const GridSpacing& spacing, int spins) {
  return filled(lattice, *grid_source(at, spacing), spins);
}
Noise noise_of(const std::string& kind) {
  std::vector<std::string> names;
  for (const NoiseName& one : noise_names) names.push_back(fmt::format("\"{}\"", one.name));
  const auto found = noise_named(kind);
  if (!found)
    throw Error(ErrorKind::usage,
                fmt::format("argument 'kind': expected {}, found \"{}\"", fmt::join(names, " or "), kind));
  return *found;
}
SpinorField noise(const Lattice& lattice, const std::string& kind, nb::handle key, std::uint32_t sample,
                  std::optional<int> t, int spins, const std::optional<Extents>& position,
                  const GridSpacing& spacing, const std::string& dilution) {
  const Noise which = noise_of(kind);
  const bool in_spin = dilution == "spin";
  if (!in_spin && dilution != "spin_color")
    throw Error(
        ErrorKind::usage,
        fmt::format("argument 'dilution': expected \"spin_color\" or \"spin\", found \"{}\"", dilution));
  if (in_spin && (spins != 4 || (!position && !t)))
    throw Error(ErrorKind::usage,
                "argument 'dilution': \"spin\" is of quarks with spin and of one time slice; pass 't' or "
                "'position', and spins = 4");
  if (position && t)
    throw Error(ErrorKind::usage, "argument 't': 'position' has a time slice; pass one of the two");
  if (!position && spacing != GridSpacing{1, 1, 1})
    throw Error(ErrorKind::usage, "argument 'spacing': pass a site of the grid as 'position'");
  if (key.is_none()) refuse_argument("seed", "an integer", key);
  nb::dict keys;  // of any noise that job files have: the limits of a seed are one for all
  keys["type"] = "z2";
  keys["seed"] = key;
  const std::int64_t seed = source_of_keys(keys, {}, "noise_source()")->noise()->seed;
  if (!position && !t) return filled(lattice, *noise_source(which, {seed, sample}), spins);
  const Extents at = position.value_or(Extents{0, 0, 0, t.value_or(0)});
  return filled(lattice,
                in_spin ? *spin_noise_source(at, which, {seed, sample}, spacing)
                        : *noise_source(at, which, {seed, sample}, spacing),
                spins);
}

// Only what both kinds of quarks refuse: QuarkSmearer knows what else each of them needs.
QuarkSmearingSettings smearing_settings(nb::handle sigma, nb::handle steps, const SpaceSigns& boundary,
                                        nb::handle allow_unstable, nb::handle momentum) {
  GaussianSmearingParameters parameters =
      keys_of<settings::QuarkSmearingKeys>(
          [] { return settings::quark_smearing_table(false); },
          {{"sigma", sigma}, {"steps", steps}, {"allow_unstable", allow_unstable}, {"momentum", momentum}},
          "GaussianSmearing()")
          .parameters;
  parameters.boundary = boundary;
  const int of_staggered = fewest_smearing_steps(parameters.sigma, 2);
  if (parameters.steps < of_staggered && !parameters.allow_unstable)
    throw Error(
        ErrorKind::usage,
        fmt::format("GaussianSmearing(): {} steps of width sigma = {} amplify the highest momenta; take at "
                    "least {} steps, or {} of staggered quarks",
                    parameters.steps, parameters.sigma, fewest_smearing_steps(parameters.sigma, 1),
                    of_staggered));
  for (const int sign : boundary)
    if (sign != 1 && sign != -1)
      throw Error(ErrorKind::usage, fmt::format("each sign of space_boundary must be 1 or -1, not {}", sign));
  return {parameters, LinkSmearing()};
}

using Path = std::filesystem::path;

SpinorField read_file(const Path& path, const Lattice& lattice, const std::optional<Extents>& source,
                      std::optional<int> time_boundary, const std::vector<std::string>& accept_checksums) {
  return in_call(lattice, [&] {
    return read_quarks(path.string(), lattice, {source, time_boundary, accept_checksums});
  });
}

std::string write_file(const SpinorField& q, const Path& path, const std::string& format,
                       const std::string& precision, const std::string& metadata, bool overwrite) {
  const WritePropagatorSettings settings{format, precision_named(precision), metadata, overwrite};
  return in_call(q, [&] { return write_propagator(q, path.string(), settings); });
}

}  // namespace

void bind_quarks(nb::module_& module) {
  module.def("noise_seed", &seed_of_field, "seed"_a, "trajectory"_a, "replica"_a = 0,
             "The seed of noise on a gauge field in job files with by_trajectory = true: a\n"
             "random number of the seed, and of the trajectory and replica of the field.");
  module.def("source_positions", &random_positions, "lattice"_a, "count"_a, "seed"_a, "trajectory"_a = 0,
             "replica"_a = 0,
             "Random sites for sources on a gauge field: a function of all arguments, the sites\n"
             "of job files with positions = \"random\" and this position_seed. trajectory,\n"
             "replica: those of the gauge field in its Markov chain.");
  module.def(
      "quark_field",
      [](const Lattice& lattice, int columns, int spins, const std::string& precision) {
        return SpinorField(lattice,
                           {.columns = columns, .spins = spins, .precision = precision_named(precision)});
      },
      "lattice"_a, "columns"_a = 12, "spins"_a = 4, "precision"_a = "double",
      "A QuarkField that is zero everywhere. spins = 1: color vectors of staggered\n"
      "quarks. precision: \"double\", or \"single\" with arrays of complex64.");
  module.def("point_source", &point, "lattice"_a, "position"_a, "spins"_a = 4,
             "A point source: column 3 * spin + color is 1 at the position, in its own component.");
  module.def(
      "wall_source", &wall, "lattice"_a, "t"_a, "momentum"_a = nb::make_tuple(0, 0, 0), "spins"_a = 4,
      nb::sig(
          "def wall_source(lattice: Lattice, t: int, momentum: Sequence[int] = (0, 0, 0), spins: int = 4) -> "
          "QuarkField"),
      "A wall source: exp(i p x) on a time slice. momentum: integers n of p = 2 pi n / L.");
  module.def(
      "corner_wall_source", &corner_wall, "lattice"_a, "position"_a,
      "A source for staggered quarks: 1 on sites of a time slice with x, y, z of the position modulo 2.");
  module.def(
      "even_wall_source",
      [](const Lattice& lattice, const Extents& at, bool minus_odd) {
        return filled(lattice, *(minus_odd ? even_minus_odd_wall_source(at) : even_wall_source(at)), 1);
      },
      "lattice"_a, "position"_a, "minus_odd"_a = false,
      "A source for staggered quarks: 1 on sites of a time slice at even distances\n"
      "x + y + z from the position. minus_odd: -1 on the others in place of 0.");
  module.def("grid_source", &grid, "lattice"_a, "position"_a, "spacing"_a, "spins"_a = 4,
             "A sparse grid: 1 on sites of a time slice with x, y, z of the position modulo the\n"
             "spacing, three integers that divide the extents.");
  module.def(
      "gaussian_source", &gaussian, "lattice"_a, "position"_a, "width"_a, "stride"_a = 1, "spins"_a = 4,
      nb::sig("def gaussian_source(lattice: Lattice, position: Sequence[int], width: float, stride: int = 1, "
              "spins: int = 4) -> QuarkField"),
      "A Gaussian source: exp(-r^2/width^2) on a time slice. It is not gauge-covariant.");
  module.def(
      "volume_momentum_source",
      [](const Lattice& lattice, const std::array<int, 4>& momentum, const std::array<int, 4>& boundary) {
        for (const int sign : boundary)
          if (sign != 1 && sign != -1)
            throw Error(ErrorKind::usage,
                        fmt::format("argument 'boundary': each sign must be 1 or -1, found {}", sign));
        return filled(lattice, *volume_momentum_source(momentum, half_momenta(boundary)), 4);
      },
      "lattice"_a, "momentum"_a, "boundary"_a = std::array<int, 4>{1, 1, 1, -1},
      "A source exp(i p x) on all sites, x from the origin, for quark_vertices(). momentum:\n"
      "integers n in x, y, z, t of p = 2 pi n / L, and of 2 pi (n + 1/2) / L where boundary,\n"
      "the signs of the quarks around the lattice, is -1.");
  module.def(
      "noise_source", &noise, "lattice"_a, "kind"_a, "seed"_a, "sample"_a = 0, "t"_a = nb::none(),
      "spins"_a = 4, "position"_a = nb::none(), "spacing"_a = GridSpacing{1, 1, 1},
      "dilution"_a = "spin_color",
      nb::sig(
          "def noise_source(lattice: Lattice, kind: str, seed: int, sample: int = 0, t: int | None = None, "
          "spins: int = 4, position: Sequence[int] | None = None, spacing: Sequence[int] = (1, 1, 1), "
          "dilution: Literal['spin_color', 'spin'] = 'spin_color') -> QuarkField"),
      "A source of \"z2\", \"z3\", \"z4\", \"u1\" or \"normal\" noise on one time slice or on\n"
      "all. The columns have the same number at a site, on any process grid. position, in\n"
      "place of t: a site; noise is on the sites of grid_source() for this spacing.\n"
      "dilution \"spin\": the column of a spin has independent numbers in the three colors, and\n"
      "two columns of three are 0, which take no iterations.");
  module.def("read_quarks", &read_file, "path"_a, "lattice"_a, "source"_a = nb::none(),
             "time_boundary"_a = nb::none(), "accept_checksums"_a = std::vector<std::string>(),
             "Reads a propagator or a single quark field; plaq finds the format. Files of\n"
             "plaq state the position of the source, the boundary sign in time and more\n"
             "(QuarkField.note). For files of other programs, pass source and\n"
             "time_boundary. Arguments that contradict the file raise InputFileError.\n"
             "Collective.");
  module.def("write_quarks", &write_file, "quarks"_a, "path"_a, "format"_a = "hdf5", "precision"_a = "double",
             "metadata"_a = "", "overwrite"_a = false,
             "Writes a propagator in the format \"hdf5\", \"scidac\", \"milc\" or \"fnal\" and\n"
             "returns the checksum. metadata: any text. \"hdf5\" and \"scidac\" also keep the\n"
             "note of the quarks (source, time_boundary, ...). Collective.");
  nb::class_<QuarkSmearer> smearing(
      module, "GaussianSmearing",
      "Gauge-covariant Gaussian smearing of quarks: N steps of 1 + (sigma^2 / 4N)\n"
      "Lap. Staggered quarks have hops of two links. space_boundary: boundary signs of\n"
      "the quarks in x, y, z.");
  smearing
      .def(
          "__init__",
          [](QuarkSmearer* self, const GaugeField& gauge, nb::handle sigma, nb::handle steps,
             const SpaceSigns& boundary, nb::handle allow_unstable, nb::handle momentum) {
            new (self)
                QuarkSmearer(gauge, smearing_settings(sigma, steps, boundary, allow_unstable, momentum));
          },
          "gauge"_a, "sigma"_a, "steps"_a, "space_boundary"_a = periodic_in_space, "allow_unstable"_a = false,
          "momentum"_a = nb::make_tuple(0.0, 0.0, 0.0),
          nb::sig("def __init__(self, gauge: GaugeField, sigma: float, steps: int, space_boundary: "
                  "Sequence[int] = (1, 1, "
                  "1), allow_unstable: bool = False, momentum: Sequence[float] = (0.0, 0.0, 0.0)) -> None"),
          "Fewer steps than 3/2 sigma^2 (staggered quarks: 3/8 sigma^2) would amplify the\n"
          "highest momenta. They are an error unless allow_unstable is True. momentum: real\n"
          "numbers n; quarks with the momentum 2 pi n / L are kept best (momentum smearing,\n"
          "Bali et al. 2016). A meson takes one quark of n and one of -n.")
      .def(
          "__call__",
          [](QuarkSmearer& smear, const SpinorField& quarks) {
            return in_call(quarks, [&] { return smear(quarks); });
          },
          "quarks"_a, "The smeared field. Collective.");
  def_own_copies(smearing);
  refuse_pickle(smearing,
                "a GaussianSmearing is in the memory of its process: make one in each process, of the gauge "
                "field from its file");
}

}  // namespace plaq::python
