// For the tests of propagator files.
#pragma once

#include <hdf5.h>

#include <array>

#include "io/propagator/propagator_file.hpp"
#include "tests/io/gauge/gauge_files.hpp"
#include "tests/io/lime/lime_files.hpp"
#include "tests/reference/propagator.hpp"
#include "tests/support/convert.hpp"

namespace plaq::test {

inline const Extents small{2, 4, 6, 4};

inline reference::PropagatorColumns random_propagator(const Extents& extents, unsigned seed = 3) {
  reference::Generator generator(seed);
  reference::PropagatorColumns columns;
  for (int i = 0; i < 12; ++i) columns.push_back(reference::random_spinor({extents}, generator));
  return columns;
}

// The same in numbers of single precision.
inline reference::PropagatorColumns rounded(reference::PropagatorColumns columns) {
  for (auto& column : columns)
    for (auto& spinor : column)
      for (auto& color : spinor)
        for (auto& z : color) z = {static_cast<float>(z.real()), static_cast<float>(z.imag())};
  return columns;
}

inline Field empty_propagator(const GeometryPtr& geometry,
                              Precision precision = Precision::double_precision) {
  return Field(geometry, spinor_spec(Subset::full, 12, precision, Location::host));
}

inline LimeExample lime_propagator(const reference::PropagatorColumns& columns, const Extents& e,
                                   int precision) {
  const std::string letter = precision == 32 ? "F" : "D", data = reference::qdp_bytes(columns, precision);
  const std::string dims = std::to_string(e[0]) + " " + std::to_string(e[1]) + " " + std::to_string(e[2]) +
                           " " + std::to_string(e[3]);
  LimeExample file;
  std::string record = private_record_xml("Lattice", letter, 36 * precision, 1);
  record.replace(record.find("<spins>1"), 8, "<spins>4");
  file.records = {
      {"scidac-private-file-xml", private_file_xml(dims), true, false},
      {"scidac-file-xml", "<?xml version=\"1.0\"?><propagator/>", false, true},
      {"scidac-private-record-xml", record, true, false},
      {"scidac-record-xml", "<?xml version=\"1.0\"?><Propagator><a/></Propagator>", false, false},
      {"scidac-binary-data", data, false, false},
      {"scidac-checksum", checksum_xml(reference::scidac_sums(data, 36 * precision)), false, true}};
  return file;
}

// A dataset /propagator made by HDF5 alone. chunked, or of another type or axes, for damage.
struct Hdf5Example {
  hid_t type = H5T_IEEE_F64LE;
  std::array<hsize_t, 9> sizes{};
  int axes = 9;
  bool chunked = false;
  std::string basis = "DeGrand-Rossi";
  std::string name = "/propagator";
  std::vector<double> values;

  Hdf5Example(const reference::PropagatorColumns& columns, const Extents& e) {
    for (std::size_t i = 0; i < 4; ++i) sizes[i] = static_cast<hsize_t>(e[3 - i]);
    std::copy_n(std::array<hsize_t, 5>{4, 3, 4, 3, 2}.begin(), 5, sizes.begin() + 4);
    for (std::size_t site = 0; site < columns[0].size(); ++site)
      for (const auto& column : columns)
        for (const auto& color : column[site])
          for (const auto& z : color) {
            values.push_back(z.real());
            values.push_back(z.imag());
          }
  }
  void write(const std::string& path) const {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(axes, sizes.data(), nullptr), how = H5Pcreate(H5P_DATASET_CREATE);
    if (chunked) H5Pset_chunk(how, axes, sizes.data());
    const hid_t data = H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (H5Tget_class(type) == H5T_FLOAT && axes == 9)
      H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    if (!basis.empty()) {  // fixed length, as others may have it
      const hid_t text = H5Tcopy(H5T_C_S1), scalar = H5Screate(H5S_SCALAR);
      H5Tset_size(text, basis.size());
      H5Tset_strpad(text, H5T_STR_NULLPAD);
      const hid_t attribute = H5Acreate2(data, "spin_basis", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
      H5Awrite(attribute, text, basis.data());
      H5Aclose(attribute);
      H5Sclose(scalar);
      H5Tclose(text);
    }
    H5Dclose(data);
    H5Pclose(how);
    H5Sclose(space);
    H5Fclose(file);
  }
};

}  // namespace plaq::test
