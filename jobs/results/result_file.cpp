#include "jobs/results/result_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "core/system/error.hpp"
#include "io/bytes/byte_source.hpp"
#include "io/propagator/hdf5_handle.hpp"

namespace plaq::jobs {
namespace {

constexpr int deepest = 32;                       // groups in groups: a file may link a group into itself
constexpr std::uint64_t least_object_bytes = 16;  // the same, sideways: links may tell of more than there is
constexpr hssize_t most_attribute_values = 100000;  // ours are short lists

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input_file, fmt::format("{}: {}", path, what));
}

std::optional<std::vector<std::string>> read_texts(hid_t attribute, hid_t type, hid_t space,
                                                   std::size_t count) {
  if (H5Tis_variable_str(type) <= 0) return std::nullopt;
  std::vector<char*> texts(count, nullptr);
  const Hdf5Handle memory_type(H5Tcopy(type), H5Tclose);
  if (H5Aread(attribute, memory_type, texts.data()) < 0) return std::nullopt;
  std::vector<std::string> result;
  for (const char* text : texts) result.emplace_back(text ? text : "");
  H5Dvlen_reclaim(memory_type, space, H5P_DEFAULT, texts.data());
  return result;
}

template <class T>
std::optional<Attribute> one_or_list(const std::vector<T>& values, bool scalar) {
  if (scalar) return values.front();
  return values;
}

std::optional<Attribute> read_attribute(hid_t attribute) {
  const Hdf5Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  const bool scalar = H5Sget_simple_extent_type(space) == H5S_SCALAR;
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  if (points < 0 || points > most_attribute_values || (scalar && points != 1)) return std::nullopt;
  const auto count = static_cast<std::size_t>(points);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: {
      std::vector<std::int64_t> values(count);
      if (count > 0 && H5Aread(attribute, H5T_NATIVE_INT64, values.data()) < 0) return std::nullopt;
      return one_or_list(values, scalar);
    }
    case H5T_FLOAT: {
      std::vector<double> values(count);
      if (count > 0 && H5Aread(attribute, H5T_NATIVE_DOUBLE, values.data()) < 0) return std::nullopt;
      return one_or_list(values, scalar);
    }
    case H5T_STRING: {
      if (count == 0) return std::vector<std::string>{};
      const auto texts = read_texts(attribute, type, space, count);
      return texts ? one_or_list(*texts, scalar) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

Attributes read_attributes(hid_t object) {
  Attributes result;
  const auto visit = [](hid_t from, const char* name, const H5A_info_t*, void* data) -> herr_t {
    const Hdf5Handle attribute(H5Aopen(from, name, H5P_DEFAULT), H5Aclose);
    if (attribute < 0) return 0;
    if (auto value = read_attribute(attribute)) static_cast<Attributes*>(data)->emplace_back(name, *value);
    return 0;
  };
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, visit, &result);
  return result;
}

void describe_dataset(hid_t data, StoredObject& object) {
  object.dataset = true;
  const Hdf5Handle type(H5Dget_type(data), H5Tclose), space(H5Dget_space(data), H5Sclose);
  const H5T_class_t kind = H5Tget_class(type);
  const auto bits = 8 * H5Tget_size(type);
  object.type = kind == H5T_FLOAT     ? fmt::format("float{}", bits)
                : kind == H5T_INTEGER ? fmt::format("int{}", bits)
                                      : "other";
  std::vector<hsize_t> sizes(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  if (!sizes.empty()) H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  object.extents.assign(sizes.begin(), sizes.end());
}

// The numbers must lie in this file, which the checksum trailer covers: not in another one, and
// not in fewer bytes than they take.
void expect_in_file(const std::string& file, hid_t data, const StoredObject& object,
                    std::uint64_t file_bytes) {
  const Hdf5Handle creation(H5Dget_create_plist(data), H5Pclose);
  const bool contiguous = H5Pget_layout(creation) == H5D_CONTIGUOUS && H5Pget_external_count(creation) == 0;
  std::uint64_t room = file_bytes / sizeof(double);
  bool fits = true;
  for (const std::size_t extent : object.extents) {
    fits = fits && extent <= room;
    room = extent == 0 ? 0 : room / extent;
  }
  if (!contiguous || !fits)
    fail(file, fmt::format("{}: its {} numbers are not in this file, as plaq writes them", object.path,
                           fmt::join(object.extents, " x ")));
}

template <class T>
std::vector<T> read_numbers(const std::string& file, hid_t data, const StoredObject& object, hid_t type) {
  std::size_t count = 1;
  for (const std::size_t extent : object.extents) count *= extent;
  std::vector<T> numbers(count);
  if (H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0)
    fail(file, fmt::format("{} cannot be read: it is damaged", object.path));
  return numbers;
}

void read_values(const std::string& file, hid_t data, StoredObject& object, std::uint64_t file_bytes) {
  if (object.type != "float64" && object.type != "int64") return;
  expect_in_file(file, data, object, file_bytes);
  if (object.type == "float64")
    object.values = read_numbers<double>(file, data, object, H5T_NATIVE_DOUBLE);
  else
    object.values = read_numbers<std::int64_t>(file, data, object, H5T_NATIVE_INT64);
}

// By name. A link to another file or path is not one of plaq's.
std::vector<std::string> names_in(const std::string& file, hid_t group, const std::string& path) {
  struct Found {
    std::vector<std::string> names;
    bool only_hard = true;
  } found;
  const auto visit = [](hid_t, const char* name, const H5L_info_t* link, void* data) -> herr_t {
    auto& all = *static_cast<Found*>(data);
    all.names.emplace_back(name);
    all.only_hard = all.only_hard && link->type == H5L_TYPE_HARD;
    return 0;
  };
  if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, visit, &found) < 0)
    fail(file, fmt::format("group {} cannot be read: it is damaged", path));
  if (!found.only_hard)
    fail(file, fmt::format("group {} has links to elsewhere: plaq did not write it", path));
  return std::move(found.names);
}

// True if an object is `part`, contains it or lies in it.
bool is_near(const std::string& path, const std::string& part) {
  return part == "/" || path == part || part.starts_with(path + '/') || path.starts_with(part + '/');
}

void collect(const std::string& file, hid_t object, const std::string& path, int depth, StoredValues values,
             const std::string& part, StoredResults& results) {
  if (depth > deepest || results.objects.size() >= results.trailer.bytes / least_object_bytes)
    fail(file, "its groups do not end: it is damaged");
  StoredObject& stored = results.objects.emplace_back();
  stored.path = path;
  stored.attributes = read_attributes(object);
  if (H5Iget_type(object) == H5I_DATASET) {
    describe_dataset(object, stored);
    if (values == StoredValues::read) read_values(file, object, stored, results.trailer.bytes);
    return;
  }
  if (H5Iget_type(object) != H5I_GROUP) return;
  for (const std::string& name : names_in(file, object, path)) {
    const std::string below = (path == "/" ? "/" : path + "/") + name;
    if (!is_near(below, part)) continue;
    const Hdf5Handle member(H5Oopen(object, name.c_str(), H5P_DEFAULT), H5Oclose);
    if (member < 0) fail(file, fmt::format("{} cannot be read: it is damaged", below));
    collect(file, member, below, depth + 1, values, part, results);
  }
}

// Quiet, its checksum trailer whole, its root that of a result.
struct OpenedResults {
  OpenedResults(const std::string& path, ChecksumTrailer& trailer)
      : file((trailer = check_trailer(ByteSource::file(path)),
              H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)),
             H5Fclose),
        root(H5Oopen(file, "/", H5P_DEFAULT), H5Oclose) {
    if (file < 0) fail(path, "it begins as an HDF5 file and cannot be read as one");
    if (root < 0) fail(path, "an HDF5 file without a root group");
    if (H5Aexists(root, "plaq_version") <= 0 || H5Aexists(root, "job_type") <= 0)
      fail(path,
           "an HDF5 file without results: expected the attributes plaq_version and job_type of its root");
  }
  Hdf5Silence silence;
  Hdf5Handle file, root;
};

}  // namespace

bool is_hdf5(const std::string& path) { return ByteSource::file(path).text(0, 8) == "\x89HDF\r\n\x1a\n"; }

StoredResults read_result_file(const std::string& path, StoredValues values, const std::string& part) {
  StoredResults results;
  const OpenedResults file(path, results.trailer);
  collect(path, file.root, "/", 0, values, part, results);
  const Attributes& root = results.objects.front().attributes;
  for (const char* name : {"plaq_version", "job_type"})
    if (find_attribute<std::string>(root, name) == nullptr)
      fail(path, fmt::format("the attribute {} of its root is no text: plaq did not write it", name));
  return results;
}

}  // namespace plaq::jobs
