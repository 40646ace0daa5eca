// HDF5 files that libhdf5 itself wrote, of any structure: an input is read as orders to make groups,
// datasets, links (in circles too) and attributes of types and sizes that plaq does not write.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "io/propagator/hdf5_handle.hpp"

namespace plaq::fuzz {

struct Hdf5Words {
  std::vector<std::string> names;  // of objects, attributes and texts
  std::vector<std::vector<hsize_t>> shapes;
};

// Bytes of the input one after the other, zeros behind its end.
class Orders {
 public:
  Orders(std::string_view bytes, const Hdf5Words& words) : bytes_(bytes), words_(&words) {}
  bool done() const { return bytes_.empty(); }
  unsigned next(unsigned below) {
    if (done()) return 0;
    const auto value = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return value % below;
  }
  std::string name() { return words_->names[next(static_cast<unsigned>(words_->names.size()))]; }
  const std::vector<hsize_t>& shape() {
    return words_->shapes[next(static_cast<unsigned>(words_->shapes.size()))];
  }

 private:
  std::string_view bytes_;
  const Hdf5Words* words_;
};

inline hid_t type_of(Orders& orders) {
  switch (orders.next(11)) {
    case 0:
      return H5Tcopy(H5T_IEEE_F64LE);
    case 1:
      return H5Tcopy(H5T_STD_I64LE);
    case 2:
      return H5Tcopy(H5T_STD_U64BE);
    case 3:
      return H5Tcopy(H5T_STD_I8LE);
    case 4:
      return H5Tcopy(H5T_IEEE_F32BE);
    case 5:
    case 6: {  // a text of variable length
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, H5T_VARIABLE);
      return type;
    }
    case 7: {  // of a fixed one
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, 1 + orders.next(200));
      return type;
    }
    case 8: {
      const hid_t type = H5Tcreate(H5T_COMPOUND, 16);
      H5Tinsert(type, "re", 0, H5T_IEEE_F64LE);
      H5Tinsert(type, "im", 8, H5T_IEEE_F64LE);
      return type;
    }
    case 9: {
      const hsize_t three = 3;
      return H5Tarray_create2(H5T_STD_I32LE, 1, &three);
    }
    default:
      return H5Tcreate(H5T_OPAQUE, 1 + orders.next(30));
  }
}

inline hid_t space_of(Orders& orders) {
  const unsigned kind = orders.next(7);
  if (kind == 0) return H5Screate(H5S_NULL);
  if (kind == 1) return H5Screate(H5S_SCALAR);
  if (kind == 6) {
    const auto& shape = orders.shape();
    return H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  }
  std::array<hsize_t, 3> sizes{};
  for (auto& size : sizes) size = orders.next(7);
  return H5Screate_simple(1 + static_cast<int>(kind) % 3, sizes.data(), nullptr);
}

// Without them a dataset has no place in the file.
inline void write_zeros(hid_t data, hid_t type, hid_t space) {
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  if (data < 0 || points <= 0 || H5Tis_variable_str(type) > 0) return;
  const std::vector<char> values(static_cast<std::size_t>(points) * H5Tget_size(type));
  H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

inline void add_attribute(hid_t object, const std::string& name, Orders& orders) {
  const Hdf5Handle type(type_of(orders), H5Tclose), space(space_of(orders), H5Sclose);
  const Hdf5Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
  if (attribute < 0 || orders.next(2) == 0) return;  // without a value
  const auto points = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  if (H5Tis_variable_str(type) > 0) {
    const std::string text = orders.name();
    std::vector<const char*> texts(points, text.c_str());
    H5Awrite(attribute, type, texts.data());
  } else {
    const std::vector<char> values(points * H5Tget_size(type), static_cast<char>(orders.next(256)));
    H5Awrite(attribute, type, values.data());
  }
}

inline std::string hdf5_file_of(Orders orders) {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access, 1 << 14, false);
  const Hdf5Handle file(H5Fcreate("fuzz", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  std::vector<Hdf5Handle> objects;
  objects.emplace_back(H5Oopen(file, "/", H5P_DEFAULT), H5Oclose);
  const auto any = [&]() -> hid_t { return objects[orders.next(static_cast<unsigned>(objects.size()))]; };
  const auto keep = [&](hid_t object) {
    if (object >= 0) objects.emplace_back(object, H5Oclose);
  };
  while (!orders.done() && objects.size() < 200) {
    const unsigned order = orders.next(6);
    const hid_t at = any();
    const std::string name = orders.name();
    switch (order) {
      case 0:
        keep(H5Gcreate2(at, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        break;
      case 1: {
        const Hdf5Handle type(type_of(orders), H5Tclose), space(space_of(orders), H5Sclose);
        const hid_t data = H5Dcreate2(at, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (orders.next(2) == 1) write_zeros(data, type, space);
        keep(data);
        break;
      }
      case 2:
        H5Olink(any(), at, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        break;
      case 3:
        H5Lcreate_soft(orders.name().c_str(), at, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        break;
      case 4: {
        const Hdf5Handle type(type_of(orders), H5Tclose);
        H5Tcommit2(at, name.c_str(), type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        break;
      }
      default:
        add_attribute(at, name, orders);
    }
  }
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  std::string bytes(static_cast<std::size_t>(H5Fget_file_image(file, nullptr, 0)), '\0');
  H5Fget_file_image(file, bytes.data(), bytes.size());
  return bytes;
}

}  // namespace plaq::fuzz
