// For the tests of files of staggered propagators.
#pragma once

#include "tests/io/propagator/propagator_files.hpp"
#include "tests/reference/staggered.hpp"

namespace plaq::test {

using StaggeredColumns = std::vector<reference::ColorField>;  // [color of the source]

inline StaggeredColumns random_staggered(const Extents& extents, unsigned seed = 5) {
  reference::Generator generator(seed);
  StaggeredColumns columns;
  for (int i = 0; i < 3; ++i) columns.push_back(reference::random_colors({extents}, generator));
  return columns;
}

inline StaggeredColumns rounded(StaggeredColumns columns) {
  for (auto& column : columns)
    for (auto& site : column)
      for (auto& z : site) z = {static_cast<float>(z.real()), static_cast<float>(z.imag())};
  return columns;
}

// Times (-1)^(t (x+y+z)).
inline StaggeredColumns with_zeta(StaggeredColumns columns, const Extents& extents) {
  const reference::Lattice lattice{extents};
  for (auto& column : columns)
    for (int site = 0; site < lattice.volume(); ++site) {
      const auto x = lattice.coordinates(site);
      if (x[3] % 2 == 1 && (x[0] + x[1] + x[2]) % 2 == 1)
        for (auto& z : column[static_cast<std::size_t>(site)]) z = -z;
    }
  return columns;
}

inline Field empty_staggered(const GeometryPtr& geometry, Precision precision = Precision::double_precision) {
  return Field(geometry, staggered_spec(Subset::full, 3, precision, Location::host));
}

inline Field staggered_field(const GeometryPtr& geometry, const StaggeredColumns& columns,
                             Precision precision = Precision::double_precision) {
  Field field = empty_staggered(geometry, precision);
  for_stored_sites(*geometry, [&](int parity, int s, int site) {
    for (int subfield = 0; subfield < 3; ++subfield)
      for (int r = 0; r < 6; ++r) {
        const auto& z = columns[static_cast<std::size_t>(subfield)][static_cast<std::size_t>(site)]
                               [static_cast<std::size_t>(r / 2)];
        set_real(field, subfield, parity, s, r, r % 2 == 0 ? z.real() : z.imag());
      }
  });
  return field;
}

// Whether this rank's sites are these, number by number.
inline bool is_equal(const Field& field, const StaggeredColumns& columns) {
  const Field expected = staggered_field(field.geometry_ptr(), columns, field.precision());
  bool equal = field.spec() == expected.spec();
  for_stored_sites(field.geometry(), [&](int parity, int s, int) {
    for (int subfield = 0; subfield < 3; ++subfield)
      for (int r = 0; r < 6; ++r)
        equal =
            equal && get_real(field, subfield, parity, s, r) == get_real(expected, subfield, parity, s, r);
  });
  return equal;
}

// Big-endian, x fastest, [source color][sink color][re, im].
inline std::string vector_bytes(const StaggeredColumns& columns, int precision) {
  std::string bytes;
  const auto put = [&](auto number, auto word) {
    static_assert(sizeof number == sizeof word);
    std::memcpy(&word, &number, sizeof word);
    for (std::size_t i = sizeof word; i-- > 0;) bytes.push_back(static_cast<char>(word >> 8 * i & 0xff));
  };
  for (std::size_t site = 0; site < columns[0].size(); ++site)
    for (const auto& column : columns)
      for (const auto& z : column[site])
        for (const double part : {z.real(), z.imag()})
          precision == 32 ? put(static_cast<float>(part), std::uint32_t{}) : put(part, std::uint64_t{});
  return bytes;
}

// As MILC writes three color vectors a site: no phase order. `info`: what <usqcdKSPropInfo> has beside it.
inline LimeExample lime_staggered(const StaggeredColumns& columns, const Extents& e, int precision,
                                  const std::string& info = "<info>b &amp; c</info>") {
  const std::string letter = precision == 32 ? "F" : "D", data = vector_bytes(columns, precision);
  const std::string dims = std::to_string(e[0]) + " " + std::to_string(e[1]) + " " + std::to_string(e[2]) +
                           " " + std::to_string(e[3]);
  std::string record = private_record_xml("USQCD_" + letter + "3_ColorVector", letter, 6 * precision / 8, 3);
  record.replace(record.find("<spins>1</spins>"), 16, "");
  const auto text = [](const std::string& xml) { return xml_head + xml + '\0'; };
  LimeExample file;
  file.records = {
      {"scidac-private-file-xml", private_file_xml(dims), true, false},
      {"scidac-file-xml", text("<title>vectors</title>"), false, true},
      {"scidac-private-record-xml", record, true, false},
      {"scidac-record-xml", text("<usqcdKSPropInfo><version>1.0</version>" + info + "</usqcdKSPropInfo>"),
       false, false},
      {"scidac-binary-data", data, false, false},
      {"scidac-checksum",
       checksum_xml(reference::scidac_sums(data, static_cast<std::size_t>(18 * precision / 8))), false,
       true}};
  return file;
}

// A KS propagator file of USQCD as MILC writes it: complex sources of one time slice and a color vector a
// site for each color, in this order of colors. `with_sources`: one for each sink, else one for all.
inline LimeExample usqcd_staggered(const StaggeredColumns& columns, const Extents& e, int precision,
                                   const std::vector<int>& colors = {0, 1, 2}, bool with_sources = false) {
  const std::string letter = precision == 32 ? "F" : "D";
  const std::string dims = std::to_string(e[0]) + " " + std::to_string(e[1]) + " " + std::to_string(e[2]) +
                           " " + std::to_string(e[3]);
  const auto text = [](const std::string& xml) { return xml_head + xml + '\0'; };
  LimeExample file;
  file.records = {
      {"scidac-private-file-xml", private_file_xml(dims), true, false},
      {"scidac-file-xml",
       text("<usqcdKSPropFile><version>1.0</version><type>USQCD_ColorVector_ScalarSource_ThreeSink"
            "</type><info>mass 0.02 < 0.03</info></usqcdKSPropFile>"),
       false, true}};
  const auto add_field = [&](std::string record, const std::string& user, const std::string& data,
                             int bytes) {
    const auto sums = reference::scidac_sums(data, static_cast<std::size_t>(bytes));
    file.records.push_back({"scidac-private-record-xml", std::move(record), true, false});
    file.records.push_back({"scidac-record-xml", text(user), false, false});
    file.records.push_back({"scidac-binary-data", data, false, false});
    file.records.push_back({"scidac-checksum", checksum_xml(sums), false, true});
  };
  const auto add_source = [&] {
    std::string record = private_record_xml("QLA_" + letter + "_Complex", letter, 2 * precision / 8, 1);
    record.replace(record.find("<recordtype>0"), 13, "<recordtype>2");  // a hypercube
    const int bytes = 2 * precision / 8;
    add_field(record, "<usqcdSourceInfo><version>1.0</version><info>point</info></usqcdSourceInfo>",
              std::string(static_cast<std::size_t>(e[0] * e[1] * e[2] * bytes), '\1'), bytes);
  };
  if (!with_sources) add_source();
  for (const int color : colors) {
    if (with_sources) add_source();
    const StaggeredColumns one = {columns[static_cast<std::size_t>(color)]};
    std::string record =
        private_record_xml("USQCD_" + letter + "3_ColorVector", letter, 6 * precision / 8, 1);
    add_field(record,
              "<usqcdKSPropInfo><version>1.0</version><color>" + std::to_string(color) +
                  "</color><info></info></usqcdKSPropInfo>",
              vector_bytes(one, precision), 6 * precision / 8);
  }
  return file;
}

// A dataset /propagator made by HDF5 alone.
struct StaggeredHdf5 {
  std::vector<hsize_t> sizes;
  std::vector<double> values;
  std::string phases = "xyzt";  // empty: no such attribute

  StaggeredHdf5(const StaggeredColumns& columns, const Extents& e) {
    for (std::size_t mu = 4; mu-- > 0;) sizes.push_back(static_cast<hsize_t>(e[mu]));
    for (const hsize_t size : {3, 3, 2}) sizes.push_back(size);
    for (std::size_t site = 0; site < columns[0].size(); ++site)
      for (const auto& column : columns)
        for (const auto& z : column[site]) values.insert(values.end(), {z.real(), z.imag()});
  }
  void write(const std::string& path) const {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr);
    const hid_t data =
        H5Dcreate2(file, "/propagator", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (H5Sget_simple_extent_npoints(space) == static_cast<hssize_t>(values.size()))
      H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    if (!phases.empty()) {
      const hid_t type = H5Tcopy(H5T_C_S1), scalar = H5Screate(H5S_SCALAR);
      H5Tset_size(type, phases.size());
      H5Tset_strpad(type, H5T_STR_NULLPAD);
      const hid_t attribute = H5Acreate2(data, "staggered_phases", type, scalar, H5P_DEFAULT, H5P_DEFAULT);
      H5Awrite(attribute, type, phases.data());
      H5Aclose(attribute);
      H5Sclose(scalar);
      H5Tclose(type);
    }
    H5Dclose(data);
    H5Sclose(space);
    H5Fclose(file);
  }
};

}  // namespace plaq::test
