#include "python/bindings/bindings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <vector>

#include "comms/halo/padding.hpp"
#include "kernels/fourier/lattice_transform.hpp"
#include "plaq/fourier.hpp"
#include "python/bindings/fields.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

using Shape = std::vector<std::size_t>;
template <class... Constness>
using Array = nb::ndarray<Constness..., nb::c_contig, nb::device::cpu>;

nb::module_ numpy() { return nb::module_::import_("numpy"); }

// An array [before][t][z][y][x][after] of this rank's sites.
struct SiteArray {
  nb::object numbers;  // contiguous
  Shape shape;
  std::size_t axis = 0, before = 1, after = 1;

  // `type`: of numpy; None takes the numbers as they are. A copy if `copied`.
  SiteArray(nb::handle array, const Lattice& lattice, std::optional<int> axis_of_t, nb::handle type,
            bool copied) {
    numbers = numpy().attr(copied ? "array" : "asarray")(array, "dtype"_a = type, "order"_a = "C");
    shape = nb::cast<Shape>(numbers.attr("shape"));
    axis = place_of_sites(lattice.local_extents(), axis_of_t);
    for (std::size_t i = 0; i < axis; ++i) before *= shape[i];
    for (std::size_t i = axis + 4; i < shape.size(); ++i) after *= shape[i];
  }

  bool empty() const { return before * after == 0; }

 private:
  bool sites_are_at(const Extents& local, std::size_t at) const {
    for (std::size_t i = 0; i < 4; ++i)
      if (at + i >= shape.size() || shape[at + i] != static_cast<std::size_t>(local[3 - i])) return false;
    return true;
  }
  std::size_t place_of_sites(const Extents& local, std::optional<int> axis_of_t) const {
    Shape places;
    for (std::size_t at = 0; at + 4 <= shape.size(); ++at)
      if (sites_are_at(local, at)) places.push_back(at);
    if (axis_of_t) {
      const int count = static_cast<int>(shape.size());
      const int at = *axis_of_t < 0 ? *axis_of_t + count : *axis_of_t;
      if (at >= 0 && sites_are_at(local, static_cast<std::size_t>(at))) return static_cast<std::size_t>(at);
    } else if (places.size() == 1) {
      return places.front();
    }
    const std::string sites = fmt::format("{}, {}, {}, {}", local[3], local[2], local[1], local[0]);
    if (!axis_of_t && places.size() > 1)
      throw Error(
          ErrorKind::usage,
          fmt::format(
              "argument 'axis': the array of shape ({}) has the sites t, z, y, x = {} of this rank at "
              "axis {}: name one",
              fmt::join(shape, ", "), sites, fmt::join(places, " or ")));
    throw Error(
        ErrorKind::usage,
        fmt::format("expected an array with axes t, z, y, x = {} of this rank's sites{}, found shape ({})",
                    sites, axis_of_t ? fmt::format(" from axis {} on", *axis_of_t) : std::string(),
                    fmt::join(shape, ", ")));
  }
};

FourierSettings fourier_settings(bool backward, const std::vector<int>& directions) {
  FourierSettings settings{.backward = backward, .directions = {}};
  for (const int mu : directions) {
    if (mu < 0 || mu > 3)
      throw Error(ErrorKind::usage,
                  fmt::format("argument 'directions': expected 0 to 3 for x, y, z, t, found {}", mu));
    settings.directions[static_cast<std::size_t>(mu)] = true;
  }
  return settings;
}

nb::object transformed_array(nb::handle array, const Lattice& lattice, std::optional<int> axis,
                             const FourierSettings& settings) {
  const nb::object given = numpy().attr("asarray")(array);
  const std::string kind = nb::cast<std::string>(given.attr("dtype").attr("kind"));
  if (kind.find_first_of("biufc") == std::string::npos)
    throw Error(ErrorKind::usage, "expected an array of numbers, found one of type " +
                                      nb::cast<std::string>(given.attr("dtype").attr("name")));
  // The complex numbers that hold them, single precision for single precision.
  const nb::object type = numpy().attr("result_type")(given.attr("dtype"), numpy().attr("complex64"));
  const bool single = nb::cast<std::size_t>(type.attr("itemsize")) == sizeof(std::complex<float>);
  const SiteArray sites(given, lattice, axis, single ? numpy().attr("complex64") : numpy().attr("complex128"),
                        true);
  if (sites.empty()) return sites.numbers;
  void* data = nb::cast<Array<>>(sites.numbers).data();
  in_call(lattice, [&] {
    if (single) {
      detail::transform_sites(lattice, static_cast<std::complex<float>*>(data), sites.before, sites.after,
                              settings);
    } else {
      detail::transform_sites(lattice, static_cast<std::complex<double>*>(data), sites.before, sites.after,
                              settings);
    }
  });
  return sites.numbers;
}

template <class F>
bool transform_if(nb::handle field, const FourierSettings& settings, nb::object& found) {
  if (!nb::isinstance<F>(field)) return false;
  const F& given = nb::cast<const F&>(field);
  found = nb::cast(in_call(given, [&] { return fourier_transform(given, settings); }));
  return true;
}

nb::object fft(nb::handle field, const std::optional<Lattice>& lattice, const std::vector<int>& directions,
               bool backward, std::optional<int> axis) {
  const FourierSettings settings = fourier_settings(backward, directions);
  nb::object found;
  if (transform_if<SpinorField>(field, settings, found) ||
      transform_if<ColorMatrixField>(field, settings, found))
    return found;
  if (!lattice) throw Error(ErrorKind::usage, "fft() of an array: argument 'lattice' is missing");
  return transformed_array(field, *lattice, axis, settings);
}

nb::object padded_array(const Lattice& lattice, nb::handle array, int depth, std::optional<int> axis) {
  const SiteArray sites(array, lattice, axis, nb::none(), false);
  const PaddedSites padded{lattice.local_extents(), depth};
  expect_depth(padded);
  Shape shape = sites.shape;
  for (std::size_t i = 0; i < 4; ++i) shape[sites.axis + i] += 2 * static_cast<std::size_t>(depth);
  nb::object found =
      numpy().attr("empty")(nb::tuple(nb::cast(shape)), "dtype"_a = sites.numbers.attr("dtype"));
  if (sites.empty()) return found;
  const std::size_t bytes = nb::cast<std::size_t>(sites.numbers.attr("itemsize")) * sites.after;
  const void* from = nb::cast<Array<nb::ro>>(sites.numbers).data();
  void* to = nb::cast<Array<>>(found).data();
  in_call(lattice, [&] { fill_padded(*lattice.shared().grid, padded, {sites.before, bytes}, from, to); });
  return found;
}

}  // namespace

void bind_site_arrays(nb::module_& module) {
  module.def("fft", &fft, "field"_a, "lattice"_a = nb::none(), "directions"_a = std::vector<int>{0, 1, 2, 3},
             "backward"_a = false, "axis"_a = nb::none(),
             "Fourier transform over the lattice: f(p) = sum_x exp(-i p x) f(x), p = 2 pi n / L,\n"
             "with n in place of x; backward (1/V) sum_p exp(i p x) f(p), where V is the\n"
             "product of the extents in `directions`, 0 to 3 for x, y, z, t. It takes quark\n"
             "fields, gauge transformations, or arrays of numpy [...][t][z][y][x][...] of\n"
             "this rank's sites, which need their lattice; axis: that of t, if the shape does\n"
             "not tell. Collective.");
  nb::borrow<nb::class_<PythonLattice>>(module.attr("Lattice"))
      .def("with_halo", &padded_array, "array"_a, "depth"_a, "axis"_a = nb::none(),
           "The array [...][t][z][y][x][...] of this rank's sites with `depth` sites of its\n"
           "neighbours on both sides of t, z, y and x, corners included, around the\n"
           "lattice. axis: that of t, if the shape does not tell. Collective.");
}

}  // namespace plaq::python
