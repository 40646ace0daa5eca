#include <fmt/format.h>

#include <array>
#include <optional>
#include <vector>

#include "core/system/error.hpp"
#include "io/bytes/checksum_trailer.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/propagator/hdf5_handle.hpp"
#include "io/propagator/propagator_formats.hpp"

namespace plaq {
namespace {

constexpr const char* data_name = "/propagator";
constexpr const char* phases_name = "staggered_phases";
constexpr std::size_t most_text = 1 << 20;

std::vector<const char*> axes_of(PropagatorKind quarks) {
  if (quarks == PropagatorKind::staggered)
    return {"t", "z", "y", "x", "source color", "sink color", "re, im"};
  return {"t", "z", "y", "x", "source spin", "source color", "sink spin", "sink color", "re, im"};
}

using Sizes = std::vector<hsize_t>;
Sizes sizes_of(const Extents& e, PropagatorKind quarks) {
  Sizes sizes;
  for (std::size_t mu = 4; mu-- > 0;) sizes.push_back(static_cast<hsize_t>(e[mu]));
  const Sizes site = quarks == PropagatorKind::staggered ? Sizes{3, 3, 2} : Sizes{4, 3, 4, 3, 2};
  sizes.insert(sizes.end(), site.begin(), site.end());
  return sizes;
}

// Reading ------------------------------------------------------------------------------------------------

class Hdf5PropagatorReader {
 public:
  explicit Hdf5PropagatorReader(const std::string& path)
      : path_(path),
        trailer_(check_edge_trailer(ByteSource::file(path))),
        file_(checked(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), "expected an HDF5 file"), H5Fclose),
        data_(checked(H5Dopen2(file_, data_name, H5P_DEFAULT), "expected a dataset /propagator, found none"),
              H5Dclose) {}

  PropagatorFileInfo inspect() {
    PropagatorFileInfo info;
    info.path = path_;
    info.format = PropagatorFormat::hdf5;
    read_type(info);
    read_extents(info);
    find_bytes(info);
    check_trailer_of(info);
    read_checksum(info);
    info.quarks == PropagatorKind::spinors ? read_basis(info) : read_phases(info);
    info.metadata = text("job").value_or("");
    return info;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::input_file, fmt::format("{}: {}", path_, what));
  }
  hid_t checked(hid_t id, const char* expected) const {
    if (id < 0) fail(expected);
    return id;
  }

  void read_type(PropagatorFileInfo& info) const {
    const Hdf5Handle type(H5Dget_type(data_), H5Tclose);
    const struct {
      hid_t type;
      Precision precision;
      ByteOrder order;
    } known[] = {{H5T_IEEE_F32LE, Precision::single_precision, ByteOrder::little},
                 {H5T_IEEE_F32BE, Precision::single_precision, ByteOrder::big},
                 {H5T_IEEE_F64LE, Precision::double_precision, ByteOrder::little},
                 {H5T_IEEE_F64BE, Precision::double_precision, ByteOrder::big}};
    for (const auto& k : known) {
      if (H5Tequal(type, k.type) <= 0) continue;
      info.precision = k.precision;
      info.order = k.order;
      return;
    }
    fail("/propagator: expected numbers of IEEE single or double precision, found another type");
  }

  void read_extents(PropagatorFileInfo& info) const {
    const Hdf5Handle space(H5Dget_space(data_), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space);
    const auto spinors = axes_of(PropagatorKind::spinors), staggered = axes_of(PropagatorKind::staggered);
    if (rank == static_cast<int>(staggered.size()))
      info.quarks = PropagatorKind::staggered;
    else if (rank != static_cast<int>(spinors.size()))
      fail(fmt::format("/propagator: expected {} axes ({}) or {} ({}), found {}", spinors.size(),
                       fmt::join(spinors, ", "), staggered.size(), fmt::join(staggered, ", "), rank));
    Sizes sizes(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
    for (std::size_t mu = 0; mu < 4; ++mu) {
      if (sizes[3 - mu] < 1 || sizes[3 - mu] > static_cast<hsize_t>(largest_extent))
        fail(fmt::format("/propagator: expected an extent in {} from 1 to {}, found {}", spinors[3 - mu],
                         largest_extent, sizes[3 - mu]));
      info.extents[mu] = static_cast<int>(sizes[3 - mu]);
    }
    const Sizes expected = sizes_of(info.extents, info.quarks);
    if (sizes != expected)
      fail(fmt::format("/propagator: expected axes of {}, found {}", fmt::join(expected, ", "),
                       fmt::join(sizes, ", ")));
  }

  void read_basis(PropagatorFileInfo& info) const {
    const auto basis = text("spin_basis");
    if (basis && *basis != spin_basis_of_files)
      fail(fmt::format("expected the spin basis {}, found '{}'", spin_basis_of_files, basis->substr(0, 40)));
    if (!basis)
      info.warnings.push_back(
          fmt::format("{}: it does not say its spin basis: it is taken as {}", path_, spin_basis_of_files));
  }

  void read_phases(PropagatorFileInfo& info) const {
    const auto phases = text(phases_name);
    if (!phases)
      info.warnings.push_back(
          fmt::format("{}: it does not say the order of its staggered phases: it is taken as {}", path_,
                      name_of(info.phases)));
    else if (*phases == name_of(StaggeredPhases::txyz))
      info.phases = StaggeredPhases::txyz;
    else if (*phases != name_of(StaggeredPhases::xyzt))
      fail(fmt::format("expected staggered phases xyzt or txyz, found '{}'", phases->substr(0, 40)));
  }

  void find_bytes(PropagatorFileInfo& info) const {
    const Hdf5Handle creation(H5Dget_create_plist(data_), H5Pclose);
    const haddr_t offset = H5Dget_offset(data_);
    if (H5Pget_layout(creation) != H5D_CONTIGUOUS || H5Pget_external_count(creation) != 0)
      fail(
          "/propagator: expected a contiguous dataset, found one in chunks, compressed, compact or in "
          "another file");
    if (offset == HADDR_UNDEF) fail("/propagator: expected numbers, found none in the file");
    info.data_offset = offset;
    info.count = columns_of(info.quarks);
    info.data_bytes = propagator_bytes(path_, info.extents, info.quarks, info.precision, info.count);
    const std::uint64_t there = ByteSource::file(path_).size();
    if (info.data_offset > there || info.data_bytes > there - info.data_offset)
      fail(fmt::format("truncated: expected {} bytes of numbers from byte {} on, found {} bytes in all",
                       info.data_bytes, info.data_offset, there));
  }

  void check_trailer_of(PropagatorFileInfo& info) const {
    if (!trailer_)
      info.warnings.push_back(
          fmt::format("{}: it has no checksum trailer of plaq: damage of its texts may go unnoticed", path_));
    else if (*trailer_ != FieldPlace{info.data_offset, info.data_bytes})
      fail(fmt::format(
          "/propagator: its checksum trailer is for {} bytes from byte {} on, found {} from byte {} on",
          trailer_->bytes, trailer_->offset, info.data_bytes, info.data_offset));
  }

  void read_checksum(PropagatorFileInfo& info) const {
    const Hdf5Handle attribute(H5Aopen(data_, "checksum", H5P_DEFAULT), H5Aclose);
    if (attribute < 0) {
      info.warnings.push_back(fmt::format("{}: it has no checksum: damage may go unnoticed", path_));
      return;
    }
    const Hdf5Handle space(H5Aget_space(attribute), H5Sclose), type(H5Aget_type(attribute), H5Tclose);
    std::array<std::uint32_t, 2> sums{};
    if (H5Tget_class(type) != H5T_INTEGER || H5Sget_simple_extent_npoints(space) != 2 ||
        H5Aread(attribute, H5T_NATIVE_UINT32, sums.data()) < 0)
      fail("attribute checksum of /propagator: expected two integers, suma and sumb");
    info.checksum = LinkChecksum{ChecksumKind::scidac, sums[0], sums[1]};
  }

  std::optional<std::string> text(const char* name) const {
    const Hdf5Handle attribute(H5Aopen(data_, name, H5P_DEFAULT), H5Aclose);
    if (attribute < 0) return std::nullopt;
    const Hdf5Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
    if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1)
      fail(fmt::format("attribute {} of /propagator: expected a text", name));
    std::string result;
    if (H5Tis_variable_str(type) > 0) {
      char* found = nullptr;
      if (H5Aread(attribute, type, &found) < 0 || !found) return std::nullopt;
      result = found;
      H5Dvlen_reclaim(type, space, H5P_DEFAULT, &found);
    } else if (const std::size_t size = H5Tget_size(type); size <= most_text) {
      result.resize(size + 1);
      if (H5Aread(attribute, type, result.data()) < 0) return std::nullopt;
      result.resize(result.find('\0'));
    }
    return result;
  }

  std::string path_;
  std::optional<FieldPlace> trailer_;  // looked at before HDF5 sees the file
  Hdf5Silence silence_;
  Hdf5Handle file_, data_;
};

// Writing ------------------------------------------------------------------------------------------------

class Hdf5PropagatorWriter {
 public:
  explicit Hdf5PropagatorWriter(const std::string& shown_path) : path_(shown_path) {}

  hid_t checked(hid_t id, const char* what) const {
    if (id >= 0) return id;
    throw Error(ErrorKind::output_file, fmt::format("cannot write {}: HDF5: {}", path_, what));
  }

  void text(hid_t object, const char* name, const std::vector<const char*>& values) const {
    const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const hsize_t count = values.size();
    const Hdf5Handle space(count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr),
                           H5Sclose);
    const Hdf5Handle attribute(
        checked(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), "an attribute"), H5Aclose);
    checked(H5Awrite(attribute, type, values.data()), "an attribute");
  }

 private:
  std::string path_;
  Hdf5Silence silence_;
};

}  // namespace

bool is_hdf5_propagator(const ByteSource& source) {
  if (source.text(0, 8) != "\x89HDF\r\n\x1a\n" || has_trailer(source)) return false;
  if (has_edge_trailer(source)) return true;
  const Hdf5Silence silence;  // of another program
  const Hdf5Handle file(H5Fopen(source.name().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  return file >= 0 && H5Lexists(file, data_name, H5P_DEFAULT) > 0;
}

PropagatorFileInfo inspect_hdf5_propagator(const std::string& path) {
  return Hdf5PropagatorReader(path).inspect();
}

std::size_t about_hdf5_propagator_bytes(const PropagatorFrame& frame) {
  // HDF5's own, and the heap with the texts of attributes, that of the job among them.
  constexpr std::size_t own = 2048, heap = 4096, other_texts = 600;
  return own + std::max(heap, other_texts + frame.metadata.size());
}

Hdf5Place create_hdf5_propagator(const std::string& name, const std::string& shown_path,
                                 const PropagatorFrame& frame) {
  const Hdf5PropagatorWriter writer(shown_path);
  Hdf5Place place;
  {
    const Hdf5Handle of_file(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_obj_track_times(of_file, false);  // equal contents are equal bytes
    const Hdf5Handle file(
        writer.checked(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, of_file, H5P_DEFAULT), "the file"), H5Fclose);
    const Hdf5Handle of_data(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(of_data, false);
    H5Pset_layout(of_data, H5D_CONTIGUOUS);
    H5Pset_alloc_time(of_data, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(of_data, H5D_FILL_TIME_NEVER);
    const Sizes sizes = sizes_of(frame.extents, frame.quarks);
    const Hdf5Handle space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose);
    const hid_t type = frame.precision == Precision::single_precision ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    const Hdf5Handle data(
        writer.checked(H5Dcreate2(file, data_name, type, space, H5P_DEFAULT, of_data, H5P_DEFAULT),
                       "the dataset"),
        H5Dclose);
    writer.text(data, "axes", axes_of(frame.quarks));
    writer.text(data, "units", {"lattice"});
    if (frame.quarks == PropagatorKind::spinors) {
      writer.text(data, "spin_basis", {spin_basis_of_files.data()});
    } else {
      writer.text(data, phases_name, {name_of(frame.phases).data()});
      writer.text(data, "normalization", {staggered_normalization.data()});
    }
    writer.text(data, "job", {frame.metadata.c_str()});
    const hsize_t two = 2;
    const Hdf5Handle pair(H5Screate_simple(1, &two, nullptr), H5Sclose);
    const Hdf5Handle checksum(
        writer.checked(H5Acreate2(data, "checksum", H5T_STD_U32LE, pair, H5P_DEFAULT, H5P_DEFAULT),
                       "an attribute"),
        H5Aclose);
    const std::array<std::uint32_t, 2> none{};
    writer.checked(H5Awrite(checksum, H5T_NATIVE_UINT32, none.data()), "an attribute");
    place.data_offset = H5Dget_offset(data);
    writer.checked(place.data_offset == HADDR_UNDEF ? -1 : 0, "no place for the numbers");
    writer.checked(H5Fflush(file, H5F_SCOPE_LOCAL), "flushing");
  }
  place.file_bytes = ByteSource::file(name).size();
  return place;
}

void set_hdf5_checksum(const std::string& name, const std::string& shown_path, const LinkChecksum& checksum) {
  const Hdf5PropagatorWriter writer(shown_path);
  const Hdf5Handle file(writer.checked(H5Fopen(name.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), "opening it again"),
                        H5Fclose);
  const Hdf5Handle data(writer.checked(H5Dopen2(file, data_name, H5P_DEFAULT), "the dataset"), H5Dclose);
  const Hdf5Handle attribute(writer.checked(H5Aopen(data, "checksum", H5P_DEFAULT), "the checksum"),
                             H5Aclose);
  const std::array<std::uint32_t, 2> sums = {checksum.a, checksum.b};
  writer.checked(H5Awrite(attribute, H5T_NATIVE_UINT32, sums.data()), "the checksum");
  writer.checked(H5Fflush(file, H5F_SCOPE_LOCAL), "flushing");
}

}  // namespace plaq
