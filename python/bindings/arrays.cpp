#include "python/bindings/arrays.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "core/lattice/geometry.hpp"
#include "core/system/error.hpp"
#include "python/bindings/call.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

using Shape = std::vector<std::size_t>;

template <class T>
nb::object copied(const std::vector<T>& numbers, const Shape& shape) {
  auto* kept = new std::vector<T>(numbers);
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner));
}

nb::capsule owner_of(const Buffer& buffer) {
  return {new Buffer(buffer), [](void* p) noexcept { delete static_cast<Buffer*>(p); }};
}

nb::object view(const Buffer& buffer, void* data, const Shape& shape, nb::dlpack::dtype type,
                const Queue& queue);

// View of plaq's memory on a GPU, for other libraries.
class DeviceArray {
 public:
  DeviceArray(nb::ndarray<> array, Queue queue) : array_(std::move(array)), queue_(std::move(queue)) {}

  // DLPack's handshake: once it returns, what plaq has queued on the array is done, on
  // whatever stream the consumer is.
  nb::object dlpack(const nb::kwargs& options) const {
    const nb::object stream = options.contains("stream") ? nb::object(options["stream"]) : nb::none();
    constexpr int no_waiting = -1;
    if (stream.is_none() || nb::cast<std::intptr_t>(stream) != no_waiting) {
      const nb::gil_scoped_release released;
      queue_.synchronize();
    }
    return nb::cast(array_);  // DLPack's capsule
  }
  nb::object device() const { return nb::make_tuple(array_.device_type(), array_.device_id()); }

  // A copy on the host.
  nb::object numpy() const {
    const std::size_t bytes = array_.size() * array_.itemsize();
    Buffer host(Location::host, bytes);
    {
      const nb::gil_scoped_release released;
      queue_.synchronize();
      copy_bytes(host.data(), Location::host, array_.data(), Location::device, bytes);
    }
    const Shape shape(array_.shape_ptr(), array_.shape_ptr() + array_.ndim());
    return view(host, host.data(), shape, array_.dtype(), queue_);
  }

 private:
  nb::ndarray<> array_;
  Queue queue_;
};

// View of memory at any location.
nb::object view(const Buffer& buffer, void* data, const Shape& shape, nb::dlpack::dtype type,
                const Queue& queue) {
  if (buffer.location() == Location::host)
    return nb::cast(
        nb::ndarray<nb::numpy>(data, shape.size(), shape.data(), owner_of(buffer), nullptr, type));
  const nb::ndarray<> array(data, shape.size(), shape.data(), owner_of(buffer), nullptr, type,
                            nb::device::cuda::value, device_index());
  return nb::cast(DeviceArray(array, queue));
}

Shape array_shape(const Field& field, PackedOrder order) {
  const Extents& local = field.geometry().local();
  const auto n = [](int x) { return static_cast<std::size_t>(x); };
  Shape shape = {n(field.subfields())};
  const bool split = order == PackedOrder::checkerboard && field.geometry().parities() == 2;
  if (split) shape.push_back(n(field.parities()));
  for (const std::size_t mu : {3, 2, 1}) shape.push_back(n(local[mu]));
  shape.push_back(n(split ? local[0] / 2 : local[0]));
  if (field.spec().spins > 1) shape.push_back(n(field.spec().spins));
  if (field.spec().colors > 1) shape.push_back(n(field.spec().colors));
  return shape;
}

SiteBox whole_box(const Geometry& geometry) {
  require(geometry.halo_depth() == 0, "an array of a field with a halo");
  SiteBox box;
  box.shape = geometry.general_shape();
  return box;
}

bool is_wide(const Field& field) { return bytes_of(field.precision()) >= 4; }

// Field in a precision that arrays have.
Field as_array_precision(const Field& field) {
  if (is_wide(field)) return field;
  FieldSpec spec = field.spec();
  spec.precision = Precision::single_precision;
  Field wide(field.geometry_ptr(), spec);
  copy(wide, field);
  return wide;
}

nb::dlpack::dtype complex_type(const Field& field) {
  return field.precision() == Precision::double_precision ? nb::dtype<std::complex<double>>()
                                                          : nb::dtype<std::complex<float>>();
}

std::size_t bytes_of_all(const Field& field) {
  return packed_bytes(field.spec(), whole_box(field.geometry())) *
         static_cast<std::size_t>(field.subfields());
}

bool is_on_gpu(nb::handle array) {
  if (!nb::hasattr(array, "__dlpack_device__")) return false;
  const auto kind = nb::cast<int>(array.attr("__dlpack_device__")()[0]);
  return kind == nb::device::cuda::value || kind == nb::device::cuda_managed::value;
}

[[noreturn]] void refuse_shape(const Shape& wanted, const Shape& found) {
  throw Error(ErrorKind::usage,
              fmt::format("expected an array of shape ({}), found ({}); the order is \"even-odd\" unless "
                          "\"lexicographic\" is passed",
                          fmt::join(wanted, ", "), fmt::join(found, ", ")));
}

template <class Array>
void expect_shape(const Array& array, const Shape& wanted) {
  Shape found;
  for (std::size_t i = 0; i < array.ndim(); ++i) found.push_back(array.shape(i));
  if (found != wanted) refuse_shape(wanted, found);
}

// Contiguous complex numbers, on the host; the object keeps them alive.
nb::object on_host(nb::handle array, const Field& field) {
  const char* type = field.precision() == Precision::double_precision ? "complex128" : "complex64";
  return nb::module_::import_("numpy").attr("ascontiguousarray")(array, "dtype"_a = type);
}

// Numbers from the first element of an array to the last one. The real part of complex numbers, for example,
// is not contiguous.
std::size_t memory_length(const Shape& shape, const std::vector<std::int64_t>& strides) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0) return 0;
    if (strides[i] < 0) throw Error(ErrorKind::usage, "expected an array without negative strides");
    last += (shape[i] - 1) * static_cast<std::size_t>(strides[i]);
  }
  return last + 1;
}

// The elements of an array that begins with this memory, the last index fastest.
std::vector<double> numbers_in(const std::vector<double>& memory, const Shape& shape,
                               const std::vector<std::int64_t>& strides) {
  if (memory.empty()) return {};
  std::vector<std::size_t> places{0};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::vector<std::size_t> next;
    for (const std::size_t place : places)
      for (std::size_t k = 0; k < shape[i]; ++k)
        next.push_back(place + k * static_cast<std::size_t>(strides[i]));
    places = std::move(next);
  }
  std::vector<double> numbers;
  for (const std::size_t place : places) numbers.push_back(memory[place]);
  return numbers;
}

}  // namespace

void expect_copy(nb::handle copies) {
  if (!copies.is_none() && PyObject_IsTrue(copies.ptr()) == 0)
    throw nb::value_error("an array in numpy of these numbers is a copy; raw() on the host is none");
}

nb::object numpy_of(const std::vector<double>& numbers, const Shape& shape) { return copied(numbers, shape); }
nb::object numpy_of(const std::vector<std::int64_t>& numbers, const Shape& shape) {
  return copied(numbers, shape);
}
nb::object numpy_of(const std::vector<std::complex<double>>& numbers, const Shape& shape) {
  return copied(numbers, shape);
}

nb::object array_of_momenta(const std::vector<Correlator>& found, const Momenta& momenta) {
  std::vector<std::complex<double>> numbers;
  for (const auto& one : found) numbers.insert(numbers.end(), one.begin(), one.end());
  std::vector<std::size_t> shape = {found.size(), found.front().size()};
  if (!momenta.list) shape.erase(shape.begin());
  return numpy_of(numbers, shape);
}

nb::object raw_view(const Field& field, const Queue& queue) {
  if (!is_wide(field) || field.spec().order != Order::sites_fastest)
    throw Error(ErrorKind::usage, "raw() needs a field in single or double precision");
  const Layout& layout = field.layout();
  const auto n = [](int x) { return static_cast<std::size_t>(x); };
  const Shape shape = {
      n(field.subfields()),           n(field.parities()),       n(layout.padded_sites >> layout.group_bits),
      n(layout.reals / layout.chunk), n(1 << layout.group_bits), n(layout.chunk)};
  const auto type =
      field.precision() == Precision::double_precision ? nb::dtype<double>() : nb::dtype<float>();
  const int first = field.holds(0) ? 0 : 1;
  return view(field.buffer(), field.data(0, first), shape, type, queue);
}

nb::object array_of(const Field& field, PackedOrder order, const Queue& queue) {
  Buffer packed;
  Field wide;
  {
    const ProcessUse use;
    const nb::gil_scoped_release released;
    wide = as_array_precision(field);
    packed = Buffer(field.location(), bytes_of_all(wide));
    pack_sites(wide, whole_box(wide.geometry()), ActiveSet(wide.subfields()), packed.data(), queue, order);
    queue.synchronize();
  }
  return view(packed, packed.data(), array_shape(wide, order), complex_type(wide), queue);
}

nb::object host_array_of(const Field& field, PackedOrder order, const Queue& queue) {
  if (field.location() == Location::host) return array_of(field, order, queue);
  Field host;
  {
    const ProcessUse use;
    const nb::gil_scoped_release released;
    FieldSpec spec = field.spec();
    spec.location = Location::host;
    host = Field(field.geometry_ptr(), spec);
    queue.synchronize();
    copy(host, field);
  }
  return array_of(host, order, Queue(Location::host));
}

void set_array(Field& field, nb::handle array, PackedOrder order, const Queue& queue) {
  if (!is_wide(field)) throw Error(ErrorKind::usage, "set() needs a field in single or double precision");
  const Shape shape = array_shape(field, order);
  const SiteBox box = whole_box(field.geometry());
  const auto unpack = [&](const void* packed) {
    const ProcessUse use;
    const nb::gil_scoped_release released;
    unpack_sites(field, box, ActiveSet(field.subfields()), packed, queue, order);
    queue.synchronize();
  };
  if (is_on_gpu(array)) {
    if (field.location() == Location::host)
      throw Error(ErrorKind::usage,
                  "the field is on the host and the array on a GPU: copy it with .get() or .cpu()");
    // The producer makes our stream wait for what it has queued.
    const nb::object capsule =
        array.attr("__dlpack__")("stream"_a = reinterpret_cast<std::intptr_t>(queue.stream()));
    const auto given = nb::cast<nb::ndarray<nb::ro, nb::c_contig, nb::device::cuda>>(capsule);
    expect_shape(given, shape);
    if (given.dtype() != complex_type(field))
      throw Error(ErrorKind::usage, "arrays on a GPU must have the precision of the field");
    return unpack(given.data());
  }
  const nb::object numbers = on_host(array, field);
  const auto given = nb::cast<nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>>(numbers);
  expect_shape(given, shape);
  if (field.location() == Location::host) return unpack(given.data());
  const Buffer moved(Location::device, bytes_of_all(field));
  copy_bytes(moved.data(), Location::device, given.data(), Location::host, moved.bytes());
  unpack(moved.data());
}

std::vector<double> real_numbers_of(nb::handle array, const Queue& queue) {
  if (is_on_gpu(array)) {
    const nb::object capsule =
        array.attr("__dlpack__")("stream"_a = reinterpret_cast<std::intptr_t>(queue.stream()));
    const auto given = nb::cast<nb::ndarray<nb::ro, nb::device::cuda>>(capsule);
    if (given.dtype() != nb::dtype<double>())
      throw Error(ErrorKind::usage, "expected real numbers in double precision");
    Shape shape;
    std::vector<std::int64_t> strides;
    for (std::size_t i = 0; i < given.ndim(); ++i) {
      shape.push_back(given.shape(i));
      strides.push_back(given.stride(i));
    }
    std::vector<double> memory(memory_length(shape, strides));
    queue.synchronize();
    copy_bytes(memory.data(), Location::host, given.data(), Location::device, memory.size() * sizeof(double));
    return numbers_in(memory, shape, strides);
  }
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::object given = numpy.attr("asarray")(array);
  const std::string kind = nb::cast<std::string>(given.attr("dtype").attr("kind"));
  if (kind.find_first_of("biuf") == std::string::npos)
    throw Error(ErrorKind::usage, "expected real numbers, found those of type " +
                                      nb::cast<std::string>(given.attr("dtype").attr("name")));
  const nb::object numbers = numpy.attr("ascontiguousarray")(given, "dtype"_a = "float64");
  const auto all = nb::cast<nb::ndarray<const double, nb::c_contig, nb::device::cpu>>(numbers);
  return {all.data(), all.data() + all.size()};
}

PackedOrder packed_order(const std::string& name) {
  if (name == "even-odd") return PackedOrder::checkerboard;
  if (name == "lexicographic") return PackedOrder::lexicographic;
  throw Error(ErrorKind::usage,
              fmt::format("order must be \"even-odd\" or \"lexicographic\", found \"{}\"", name));
}

void bind_arrays(nb::module_& module) {
  nb::class_<DeviceArray>(module, "DeviceArray",
                          "Numbers on a GPU, for cupy.from_dlpack, torch.from_dlpack and the like.")
      .def("__dlpack__", &DeviceArray::dlpack, "options"_a)
      .def("__dlpack_device__", &DeviceArray::device)
      .def(
          "__array__",
          [](const DeviceArray& a, nb::handle dtype, nb::handle copies) -> nb::object {
            expect_copy(copies);
            const nb::object numbers = a.numpy();
            return dtype.is_none() ? numbers : numbers.attr("astype")(dtype);
          },
          "dtype"_a = nb::none(), "copy"_a = nb::none(), "A copy on the host, as numpy.asarray() makes it.");
}

}  // namespace plaq::python
