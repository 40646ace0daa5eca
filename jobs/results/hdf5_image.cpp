#include "jobs/results/hdf5_image.hpp"

#include <fmt/format.h>

#include "io/propagator/hdf5_handle.hpp"

namespace plaq::jobs {
namespace {

// The innermost message of HDF5's error stack.
std::string hdf5_reason() {
  std::string reason = "no reason given";
  const auto take = [](unsigned, const H5E_error2_t* error, void* data) -> herr_t {
    if (error->desc) *static_cast<std::string*>(data) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, take, &reason);
  return reason;
}

template <class T>
T check(T result, const std::string& what) {
  if (result < 0) throw Hdf5Failure(fmt::format("{}: HDF5 says: {}", what, hdf5_reason()));
  return result;
}

hid_t string_type() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

hid_t list_space(std::size_t length) {
  const hsize_t extent = length;
  return length == 0 ? H5Screate(H5S_NULL) : H5Screate_simple(1, &extent, nullptr);
}

// An attribute of an object, by the type of its value.
struct AttributeWriter {
  hid_t object;
  std::string name, what;

  void add(hid_t file_type, hid_t memory_type, hid_t space_id, const void* data, bool filled) const {
    const Hdf5Handle space(space_id, H5Sclose);
    const Hdf5Handle made(
        check(H5Acreate2(object, name.c_str(), file_type, space, H5P_DEFAULT, H5P_DEFAULT), what), H5Aclose);
    if (filled) check(H5Awrite(made, memory_type, data), what);
  }
  void add_texts(hid_t space, const std::vector<const char*>& texts) const {
    const Hdf5Handle type(string_type(), H5Tclose);
    add(type, type, space, texts.data(), !texts.empty());
  }
  void operator()(std::int64_t x) const {
    add(H5T_STD_I64LE, H5T_NATIVE_INT64, H5Screate(H5S_SCALAR), &x, true);
  }
  void operator()(double x) const { add(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, H5Screate(H5S_SCALAR), &x, true); }
  void operator()(const std::string& x) const { add_texts(H5Screate(H5S_SCALAR), {x.c_str()}); }
  void operator()(const std::vector<std::int64_t>& x) const {
    add(H5T_STD_I64LE, H5T_NATIVE_INT64, list_space(x.size()), x.data(), !x.empty());
  }
  void operator()(const std::vector<double>& x) const {
    add(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, list_space(x.size()), x.data(), !x.empty());
  }
  void operator()(const std::vector<std::string>& x) const {
    std::vector<const char*> texts;
    for (const auto& text : x) texts.push_back(text.c_str());
    add_texts(list_space(x.size()), texts);
  }
};

hid_t make_dataset(hid_t file, const std::string& path, const Dataset& data) {
  const bool real = std::holds_alternative<std::vector<double>>(data.values);
  const std::vector<hsize_t> sizes(data.extents.begin(), data.extents.end());
  const Hdf5Handle space(sizes.empty()
                             ? H5Screate(H5S_SCALAR)
                             : H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
                         H5Sclose);
  const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false);
  const hid_t made = check(H5Dcreate2(file, path.c_str(), real ? H5T_IEEE_F64LE : H5T_STD_I64LE, space, links,
                                      creation, H5P_DEFAULT),
                           "making " + path);
  const hid_t memory_type = real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
  std::visit(
      [&](const auto& values) {
        check(H5Dwrite(made, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "filling " + path);
      },
      data.values);
  return made;
}

hid_t make_object(hid_t file, const std::string& path, const Hdf5Object& object) {
  if (path == "/") return check(H5Oopen(file, "/", H5P_DEFAULT), "opening /");
  if (object.dataset) return make_dataset(file, path, *object.dataset);
  const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  return check(H5Gcreate2(file, path.c_str(), links, H5P_DEFAULT, H5P_DEFAULT), "making group " + path);
}

}  // namespace

std::vector<std::byte> hdf5_image(const Hdf5Objects& objects) {
  const Hdf5Silence silence;
  constexpr std::size_t growth = 1 << 16;  // bytes
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_fapl_core(access, growth, false), "preparing it in memory");
  // The name is only a label: the core driver without backing store opens no file.
  const Hdf5Handle file(
      check(H5Fcreate("plaq results", H5F_ACC_TRUNC, H5P_DEFAULT, access), "making it in memory"), H5Fclose);
  for (const auto& [path, object] : objects) {
    const Hdf5Handle made(make_object(file, path, object), H5Oclose);
    for (const auto& [name, value] : object.attributes)
      std::visit(AttributeWriter{made, name, fmt::format("attribute '{}' of {}", name, path)}, value);
  }
  check(H5Fflush(file, H5F_SCOPE_LOCAL), "flushing");
  std::vector<std::byte> image(
      static_cast<std::size_t>(check(H5Fget_file_image(file, nullptr, 0), "measuring its image")));
  check(H5Fget_file_image(file, image.data(), image.size()), "copying its image");
  return image;
}

}  // namespace plaq::jobs
