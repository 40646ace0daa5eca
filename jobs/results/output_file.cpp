#include "jobs/results/output_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/system/error.hpp"
#include "io/bytes/file_seal.hpp"
#include "jobs/results/hdf5_handle.hpp"

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

}  // namespace

OutputFile::OutputFile(std::string path, bool overwrite) : file_(std::move(path), 0, overwrite) {
  const Hdf5Silence silence;
  constexpr std::size_t growth = 1 << 16;  // bytes
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_fapl_core(access, growth, false), "preparing it in memory");
  // The name is only a label: the core driver without backing store opens no file.
  hdf5_ = check(H5Fcreate(file_.path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), "making it in memory");
}

OutputFile::~OutputFile() {
  const Hdf5Silence silence;
  if (hdf5_ >= 0) H5Fclose(hdf5_);
}

void OutputFile::fail(const std::string& what) {
  throw Error(ErrorKind::output_file,
              fmt::format("cannot write {}: {}: HDF5 says: {}", file_.path(), what, hdf5_reason()));
}

std::int64_t OutputFile::check(std::int64_t result, const std::string& what) {
  if (result < 0) fail(what);
  return result;
}

void OutputFile::dataset(const std::string& where, std::span<const double> values,
                         std::vector<std::size_t> extents, const Attributes& attributes) {
  add_dataset(where, values.data(), values.size(), extents, H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, attributes);
}

void OutputFile::dataset(const std::string& where, std::span<const std::int64_t> values,
                         std::vector<std::size_t> extents, const Attributes& attributes) {
  add_dataset(where, values.data(), values.size(), extents, H5T_NATIVE_INT64, H5T_STD_I64LE, attributes);
}

void OutputFile::add_dataset(const std::string& where, const void* values, std::size_t count,
                             const std::vector<std::size_t>& extents, std::int64_t memory_type,
                             std::int64_t file_type, const Attributes& attributes) {
  require(hdf5_ >= 0, "an output file was added to after its end");
  require(count > 0 &&
              std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>()) == count,
          "the extents of a dataset do not fit its values");
  const Hdf5Silence silence;
  const std::vector<hsize_t> sizes(extents.begin(), extents.end());
  const Hdf5Handle space(sizes.empty()
                             ? H5Screate(H5S_SCALAR)
                             : H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
                         H5Sclose);
  const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false);
  const Hdf5Handle data(
      check(H5Dcreate2(hdf5_, where.c_str(), file_type, space, links, creation, H5P_DEFAULT),
            "making " + where),
      H5Dclose);
  check(H5Dwrite(data, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "filling " + where);
  for (const auto& [name, value] : attributes) add_attribute(data, where, name, value);
}

void OutputFile::write(const Results& results) {
  for (const Group& one : results.groups) {
    if (one.path != "/" && !has(one.path))
      group(one.path, one.attributes);
    else
      for (const auto& [name, value] : one.attributes) attribute(one.path, name, value);
  }
  for (const Dataset& one : results.datasets)
    std::visit([&](const auto& values) { dataset(one.path, values, one.extents, one.attributes); },
               one.values);
}

// Every group on the way is asked for: HDF5 calls a missing one an error.
bool OutputFile::has(const std::string& where) const {
  for (auto end = where.find('/', 1);; end = where.find('/', end + 1)) {
    if (H5Lexists(hdf5_, where.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

void OutputFile::group(const std::string& where, const Attributes& attributes) {
  require(hdf5_ >= 0, "an output file was added to after its end");
  const Hdf5Silence silence;
  const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  const Hdf5Handle made(
      check(H5Gcreate2(hdf5_, where.c_str(), links, H5P_DEFAULT, H5P_DEFAULT), "making group " + where),
      H5Gclose);
  for (const auto& [name, value] : attributes) add_attribute(made, where, name, value);
}

void OutputFile::attribute(const std::string& where, const std::string& name, const Attribute& value) {
  require(hdf5_ >= 0, "an output file was added to after its end");
  const Hdf5Silence silence;
  const Hdf5Handle object(check(H5Oopen(hdf5_, where.c_str(), H5P_DEFAULT), "opening " + where), H5Oclose);
  add_attribute(object, where, name, value);
}

void OutputFile::add_attribute(std::int64_t object, const std::string& where, const std::string& name,
                               const Attribute& value) {
  const std::string what = fmt::format("attribute '{}' of {}", name, where);
  const auto add = [&](hid_t file_type, hid_t memory_type, hid_t space_id, const void* data, bool filled) {
    const Hdf5Handle space(space_id, H5Sclose);
    const Hdf5Handle made(
        check(H5Acreate2(object, name.c_str(), file_type, space, H5P_DEFAULT, H5P_DEFAULT), what), H5Aclose);
    if (filled) check(H5Awrite(made, memory_type, data), what);
  };
  const auto add_texts = [&](hid_t space, const std::vector<const char*>& texts) {
    const Hdf5Handle type(string_type(), H5Tclose);
    add(type, type, space, texts.data(), !texts.empty());
  };
  struct Visitor {
    decltype(add)& put;
    decltype(add_texts)& put_texts;
    void operator()(std::int64_t x) { put(H5T_STD_I64LE, H5T_NATIVE_INT64, H5Screate(H5S_SCALAR), &x, true); }
    void operator()(double x) { put(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, H5Screate(H5S_SCALAR), &x, true); }
    void operator()(const std::string& x) { put_texts(H5Screate(H5S_SCALAR), {x.c_str()}); }
    void operator()(const std::vector<std::int64_t>& x) {
      put(H5T_STD_I64LE, H5T_NATIVE_INT64, list_space(x.size()), x.data(), !x.empty());
    }
    void operator()(const std::vector<double>& x) {
      put(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, list_space(x.size()), x.data(), !x.empty());
    }
    void operator()(const std::vector<std::string>& x) {
      std::vector<const char*> texts;
      for (const auto& text : x) texts.push_back(text.c_str());
      put_texts(list_space(x.size()), texts);
    }
  };
  std::visit(Visitor{add, add_texts}, value);
}

void OutputFile::commit() {
  require(hdf5_ >= 0, "an output file was committed twice");
  const Hdf5Silence silence;
  check(H5Fflush(hdf5_, H5F_SCOPE_LOCAL), "flushing");
  const auto size = check(H5Fget_file_image(hdf5_, nullptr, 0), "measuring its image");
  std::vector<std::byte> image(static_cast<std::size_t>(size));
  check(H5Fget_file_image(hdf5_, image.data(), image.size()), "copying its image");
  H5Fclose(std::exchange(hdf5_, -1));
  file_.append(image);
  file_.append(make_seal(image));
  file_.publish();
}

}  // namespace plaq::jobs
