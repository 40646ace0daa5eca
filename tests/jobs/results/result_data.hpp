// The numbers of a result file, read with HDF5 alone.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <map>
#include <string>
#include <vector>

#include "io/propagator/hdf5_handle.hpp"

namespace plaq::test {

struct StoredNumbers {
  std::vector<std::size_t> extents;  // slowest first
  std::vector<double> values;
  bool operator==(const StoredNumbers&) const = default;

  // The part of the leading index `i`.
  StoredNumbers at(std::size_t i) const {
    StoredNumbers part{{extents.begin() + 1, extents.end()}, {}};
    const std::size_t count = values.size() / extents.at(0);
    part.values.assign(values.begin() + static_cast<std::ptrdiff_t>(i * count),
                       values.begin() + static_cast<std::ptrdiff_t>((i + 1) * count));
    return part;
  }
};

// Every dataset by its path.
inline std::map<std::string, StoredNumbers> read_numbers(const std::string& path) {
  std::map<std::string, StoredNumbers> all;
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  EXPECT_GE(hid_t{file}, 0) << path;
  const auto visit = [](hid_t root, const char* name, const auto*, void* data) -> herr_t {
    const Hdf5Handle object(H5Oopen(root, name, H5P_DEFAULT), H5Oclose);
    if (H5Iget_type(object) != H5I_DATASET) return 0;
    auto& numbers = (*static_cast<std::map<std::string, StoredNumbers>*>(data))[std::string("/") + name];
    const Hdf5Handle space(H5Dget_space(object), H5Sclose);
    std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    numbers.extents.assign(extents.begin(), extents.end());
    numbers.values.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    return H5Dread(object, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.values.data());
  };
  EXPECT_GE(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, visit, &all), 0) << path;
  return all;
}

}  // namespace plaq::test
