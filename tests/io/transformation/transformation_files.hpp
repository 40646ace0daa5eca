// For the tests of files of gauge transformations.
#pragma once

#include "io/transformation/transformation_file.hpp"
#include "kernels/gauge/temporal_gauge.hpp"
#include "tests/io/gauge/gauge_files.hpp"
#include "tests/io/lime/lime_files.hpp"
#include "tests/io/numbers.hpp"

namespace plaq::test {

inline reference::GaugeTransformation random_matrices(const Extents& extents, unsigned seed = 7) {
  reference::Generator generator(seed);
  return reference::random_transformation({extents}, generator);
}

inline Field empty_transformation(const GeometryPtr& geometry) {
  return Field(geometry, gauge_frame_spec(Precision::double_precision, Location::host));
}
inline Field transformation_of(const GeometryPtr& geometry, const reference::GaugeTransformation& g) {
  return field_of_columns(geometry, gauge_frame_spec(Precision::double_precision, Location::host),
                          std::vector<reference::GaugeTransformation>{g});
}

// File of another program: the data type of QDP++ is "Lattice".
inline LimeExample lime_transformation(const reference::GaugeTransformation& g, const Extents& e,
                                       int precision, const std::string& type) {
  return scidac_example(dims_of(e), "<?xml version=\"1.0\"?><gauge_transf/>",
                        private_record_xml(type, precision, 9 * precision / 4, 1),
                        "<?xml version=\"1.0\"?><a>b</a>", reference::matrix_bytes(g, precision),
                        9 * precision / 4);
}

}  // namespace plaq::test
