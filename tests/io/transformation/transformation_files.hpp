// For the tests of files of gauge transformations.
#pragma once

#include "io/transformation/transformation_file.hpp"
#include "kernels/gauge/temporal_gauge.hpp"
#include "tests/io/gauge/gauge_files.hpp"
#include "tests/io/lime/lime_files.hpp"
#include "tests/support/convert.hpp"

namespace plaq::test {

inline reference::GaugeTransformation random_matrices(const Extents& extents, unsigned seed = 7) {
  reference::Generator generator(seed);
  return reference::random_transformation({extents}, generator);
}

// The same in numbers of single precision.
inline reference::GaugeTransformation rounded(reference::GaugeTransformation g) {
  for (auto& matrix : g)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        matrix(i, j) = {static_cast<float>(matrix(i, j).real()), static_cast<float>(matrix(i, j).imag())};
  return g;
}

inline Field empty_transformation(const GeometryPtr& geometry) {
  return Field(geometry, gauge_frame_spec(Precision::double_precision, Location::host));
}

inline Field transformation_of(const GeometryPtr& geometry, const reference::GaugeTransformation& g) {
  Field field = empty_transformation(geometry);
  for_stored_sites(*geometry, [&](int parity, int s, int site) {
    for (int r = 0; r < 18; ++r)
      set_real(field, 0, parity, s, r, component(g[static_cast<std::size_t>(site)], r));
  });
  return field;
}

// Numbers of this rank that are not these.
inline int different_numbers(const Field& field, const reference::GaugeTransformation& g) {
  int different = 0;
  for_stored_sites(field.geometry(), [&](int parity, int s, int site) {
    for (int r = 0; r < 18; ++r)
      different += get_real(field, 0, parity, s, r) != component(g[static_cast<std::size_t>(site)], r);
  });
  return different;
}

// As another program writes it: of QDP++ the data type is "Lattice".
inline LimeExample lime_transformation(const reference::GaugeTransformation& g, const Extents& e,
                                       int precision, const std::string& type) {
  const std::string data = reference::matrix_bytes(g, precision);
  std::string dims;
  for (const int extent : e) dims += (dims.empty() ? "" : " ") + std::to_string(extent);
  LimeExample file;
  file.records = {
      {"scidac-private-file-xml", private_file_xml(dims), true, false},
      {"scidac-file-xml", "<?xml version=\"1.0\"?><gauge_transf/>", false, true},
      {"scidac-private-record-xml",
       private_record_xml(type, precision == 32 ? "F" : "D", 9 * precision / 4, 1), true, false},
      {"scidac-record-xml", "<?xml version=\"1.0\"?><a>b</a>", false, false},
      {"scidac-binary-data", data, false, false},
      {"scidac-checksum",
       checksum_xml(reference::scidac_sums(data, static_cast<std::size_t>(9 * precision / 4))), false, true}};
  return file;
}

}  // namespace plaq::test
