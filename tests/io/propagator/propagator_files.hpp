// For the tests of propagator files.
#pragma once

#include <hdf5.h>

#include "io/propagator/propagator_file.hpp"
#include "tests/io/gauge/gauge_files.hpp"
#include "tests/io/lime/lime_files.hpp"
#include "tests/io/numbers.hpp"
#include "tests/reference/propagator.hpp"

namespace plaq::test {

inline const Extents small{2, 4, 6, 4};

inline reference::PropagatorColumns random_propagator(const Extents& extents, unsigned seed = 3) {
  reference::Generator generator(seed);
  reference::PropagatorColumns columns;
  for (int i = 0; i < 12; ++i) columns.push_back(reference::random_spinor({extents}, generator));
  return columns;
}

inline Field empty_propagator(const GeometryPtr& geometry,
                              Precision precision = Precision::double_precision) {
  return Field(geometry, propagator_spec(PropagatorKind::spinors, precision));
}
inline Field propagator_field(const GeometryPtr& geometry, const reference::PropagatorColumns& columns,
                              Precision precision = Precision::double_precision) {
  return field_of_columns(geometry, propagator_spec(PropagatorKind::spinors, precision), columns);
}

inline LimeExample lime_propagator(const reference::PropagatorColumns& columns, const Extents& e,
                                   int precision) {
  return scidac_example(dims_of(e), "<?xml version=\"1.0\"?><propagator/>",
                        private_record_xml("Lattice", precision, 36 * precision, 1, 4),
                        "<?xml version=\"1.0\"?><Propagator><a/></Propagator>",
                        reference::qdp_bytes(columns, precision), 36 * precision);
}

// A dataset made by HDF5 alone, of columns of any kind, with one attribute; all may be changed, for damage.
struct Hdf5Example {
  hid_t type = H5T_IEEE_F64LE;
  std::vector<hsize_t> sizes;
  bool chunked = false;
  std::string name = "/propagator", attribute, text;  // no text: no attribute
  std::vector<double> values;

  template <class Columns>
  Hdf5Example(const Columns& columns, const Extents& e, std::string of_attribute, std::string its_text)
      : attribute(std::move(of_attribute)), text(std::move(its_text)) {
    for (std::size_t mu = 4; mu-- > 0;) sizes.push_back(static_cast<hsize_t>(e[mu]));
    const std::vector<hsize_t> site =
        columns.size() == 12 ? std::vector<hsize_t>{4, 3, 4, 3, 2} : std::vector<hsize_t>{3, 3, 2};
    sizes.insert(sizes.end(), site.begin(), site.end());
    for (std::size_t x = 0; x < columns[0].size(); ++x)
      for (const auto& column : columns)
        for_numbers(column[x], [&](const auto& z) { values.insert(values.end(), {z.real(), z.imag()}); });
  }
  void write(const std::string& path) const {
    const int axes = static_cast<int>(sizes.size());
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(axes, sizes.data(), nullptr), how = H5Pcreate(H5P_DATASET_CREATE);
    if (chunked) H5Pset_chunk(how, axes, sizes.data());
    const hid_t data = H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (H5Tget_class(type) == H5T_FLOAT &&
        H5Sget_simple_extent_npoints(space) == static_cast<hssize_t>(values.size()))
      H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    if (!text.empty()) {  // fixed length, as others may have it
      const hid_t string = H5Tcopy(H5T_C_S1), scalar = H5Screate(H5S_SCALAR);
      H5Tset_size(string, text.size());
      H5Tset_strpad(string, H5T_STR_NULLPAD);
      const hid_t written = H5Acreate2(data, attribute.c_str(), string, scalar, H5P_DEFAULT, H5P_DEFAULT);
      H5Awrite(written, string, text.data());
      H5Aclose(written);
      H5Sclose(scalar);
      H5Tclose(string);
    }
    H5Dclose(data);
    H5Pclose(how);
    H5Sclose(space);
    H5Fclose(file);
  }
  // True if HDF5 finds this dataset in a file, with these attributes and these
  // alone of the ones that are named.
  void expect_in(const std::string& path, const std::vector<const char*>& attributes, const char* none,
                 const LinkChecksum& sums) const {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t data = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
    ASSERT_GE(data, 0);
    const hid_t space = H5Dget_space(data);
    ASSERT_EQ(H5Sget_simple_extent_ndims(space), std::ssize(sizes));
    std::vector<hsize_t> found(sizes.size());
    H5Sget_simple_extent_dims(space, found.data(), nullptr);
    EXPECT_EQ(found, sizes);
    std::vector<double> numbers(values.size());
    EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
    EXPECT_TRUE(numbers == values);
    const hid_t checksum = H5Aopen(data, "checksum", H5P_DEFAULT);
    std::uint32_t stored[2] = {0, 0};
    EXPECT_GE(H5Aread(checksum, H5T_NATIVE_UINT32, stored), 0);
    const std::string bytes(reinterpret_cast<const char*>(values.data()),
                            values.size() * 8);  // little-endian
    const std::size_t sites = found[0] * found[1] * found[2] * found[3];
    const auto expected = reference::scidac_sums(bytes, bytes.size() / sites);
    EXPECT_EQ((LinkChecksum{ChecksumKind::scidac, stored[0], stored[1]}),
              (LinkChecksum{ChecksumKind::scidac, expected.a, expected.b}));
    EXPECT_EQ(sums, (LinkChecksum{ChecksumKind::scidac, expected.a, expected.b}));
    for (const char* one : attributes) EXPECT_GT(H5Aexists(data, one), 0) << one;
    EXPECT_EQ(H5Aexists(data, none), 0) << none;
    H5Aclose(checksum);
    H5Sclose(space);
    H5Dclose(data);
    H5Fclose(file);
  }
};

inline Hdf5Example hdf5_propagator(const reference::PropagatorColumns& columns, const Extents& e) {
  return {columns, e, "spin_basis", "DeGrand-Rossi"};
}

// A file of all ranks, on the lattice `small`.
class PropagatorFiles : public testing::Test {
 protected:
  PropagatorReadReport read(Field& back) const { return read_propagator(path_, grid_, back); }
  void expect_refused(const std::string& bytes, Field& back, const Parts& parts) const {
    write_bytes(path_, bytes);
    expect_error_everywhere([&] { read(back); }, ErrorKind::input_file, parts);
  }
  // A write that fails leaves no file.
  void expect_unwritten(const Field& field, const PropagatorWriteOptions& options, const Parts& parts) const {
    expect_error_everywhere([&] { write_propagator(path_, grid_, field, options); }, ErrorKind::output_file,
                            parts);
    EXPECT_TRUE(together([&] { return directory_.names().empty(); }));
  }
  // The records of what is written, whose numbers must be these.
  std::map<std::string, std::string> records_of(const Field& field, const PropagatorWriteOptions& options,
                                                const std::string& numbers, std::size_t site_bytes) const {
    const auto sums = write_propagator(path_, grid_, field, options);
    std::map<std::string, std::string> texts;
    for (const auto& record : reference::lime_records(read_together(path_))) texts[record.type] = record.data;
    EXPECT_TRUE(texts["scidac-binary-data"] == numbers);
    const auto expected = reference::scidac_sums(numbers, site_bytes);
    EXPECT_EQ(sums, (LinkChecksum{ChecksumKind::scidac, expected.a, expected.b}));
    return texts;
  }

  SharedDirectory directory_;
  std::string path_ = directory_ / "propagator";
  ProcessGrid grid_{MPI_COMM_WORLD, choose_grid(world_size(), small)};
  GeometryPtr geometry_ = grid_.geometry(small);
};

constexpr PropagatorFormat container_formats[] = {PropagatorFormat::scidac, PropagatorFormat::hdf5};
inline Precision precision_of_bits(int bits) {
  return bits == 32 ? Precision::single_precision : Precision::double_precision;
}

// Reason why a file in memory is refused, before any number is read.
inline std::string refusal_of(const LimeExample& file) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file", std::ios::binary) << file.bytes();
  return message_of(ErrorKind::input_file, [&] { inspect_propagator(folder / "file"); });
}
inline std::string refusal_of(Hdf5Example file, const std::function<void(Hdf5Example&)>& change) {
  const TemporaryFolder folder;
  change(file);
  file.write(folder / "file");
  return message_of(ErrorKind::input_file, [&] { inspect_propagator(folder / "file"); });
}
inline LimeExample changed(LimeExample file, const std::string& type, const std::string& before,
                           const std::string& after) {
  file.replace(type, before, after);
  return file;
}

}  // namespace plaq::test
