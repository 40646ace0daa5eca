// Results as the bytes of an HDF5 file, made in memory. Equal contents give equal bytes, in whatever order
// they were collected: objects are written by path and attributes by name, and nothing has a time stamp.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "jobs/results/results.hpp"

namespace plaq::jobs {

struct Hdf5Object {
  std::map<std::string, Attribute> attributes;
  std::optional<Dataset> dataset;  // none: a group; `attributes` of the dataset are not looked at
};
using Hdf5Objects = std::map<std::string, Hdf5Object>;  // by path; "/" is the root

// Groups above an object are made as needed. Throws Hdf5Failure.
struct Hdf5Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
std::vector<std::byte> hdf5_image(const Hdf5Objects& objects);

}  // namespace plaq::jobs
