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

// Times (-1)^(t (x+y+z)).
inline StaggeredColumns with_zeta(StaggeredColumns columns, const Extents& extents) {
  const reference::Lattice lattice{extents};
  for (auto& column : columns)
    for (int site = 0; site < lattice.volume(); ++site) {
      const auto x = lattice.coordinates(site);
      if (x[3] % 2 == 1 && (x[0] + x[1] + x[2]) % 2 == 1)
        for (auto& z : column[site]) z = -z;
    }
  return columns;
}

inline Field empty_staggered(const GeometryPtr& geometry, Precision precision = Precision::double_precision) {
  return Field(geometry, propagator_spec(PropagatorKind::staggered, precision));
}
inline Field staggered_field(const GeometryPtr& geometry, const StaggeredColumns& columns,
                             Precision precision = Precision::double_precision) {
  return field_of_columns(geometry, propagator_spec(PropagatorKind::staggered, precision), columns);
}

// Big-endian, x fastest, [source color][sink color][re, im].
inline std::string vector_bytes(const StaggeredColumns& columns, int precision) {
  return big_endian_bytes(columns, precision);
}

inline std::string vector_record_xml(int precision, int count) {
  return private_record_xml("USQCD_" + letter_of(precision) + "3_ColorVector", precision, 6 * precision / 8,
                            count, count == 3 ? 0 : 1);
}

// File in which MILC writes three color vectors a site: no phase order. `info`: what <usqcdKSPropInfo> has
// beside it.
inline LimeExample lime_staggered(const StaggeredColumns& columns, const Extents& e, int precision,
                                  const std::string& info = "<info>b &amp; c</info>") {
  return scidac_example(dims_of(e), xml_text("<title>vectors</title>"), vector_record_xml(precision, 3),
                        xml_text("<usqcdKSPropInfo><version>1.0</version>" + info + "</usqcdKSPropInfo>"),
                        vector_bytes(columns, precision), 18 * precision / 8);
}

// A KS propagator file of USQCD as MILC writes it: complex sources of one time slice and a color vector a
// site for each color, in this order of colors. `with_sources`: one for each sink, else one for all.
inline LimeExample usqcd_staggered(const StaggeredColumns& columns, const Extents& e, int precision,
                                   const std::vector<int>& colors = {0, 1, 2}, bool with_sources = false) {
  LimeExample file;
  const auto add_field = [&](const std::string& record, const std::string& user, const std::string& data,
                             int bytes) {
    const auto field = scidac_example(
        dims_of(e),
        xml_text("<usqcdKSPropFile><version>1.0</version><type>USQCD_ColorVector_ScalarSource_ThreeSink"
                 "</type><info>mass 0.02 < 0.03</info></usqcdKSPropFile>"),
        record, xml_text(user), data, bytes);
    file.records.insert(file.records.end(), field.records.begin() + (file.records.empty() ? 0 : 2),
                        field.records.end());
  };
  const auto add_source = [&] {
    const int bytes = 2 * precision / 8;
    std::string record = private_record_xml("QLA_" + letter_of(precision) + "_Complex", precision, bytes, 1);
    record.replace(record.find("<recordtype>0"), 13, "<recordtype>2");  // a hypercube
    add_field(record, "<usqcdSourceInfo><version>1.0</version><info>point</info></usqcdSourceInfo>",
              std::string(static_cast<std::size_t>(e[0] * e[1] * e[2] * bytes), '\1'), bytes);
  };
  if (!with_sources) add_source();
  for (const int color : colors) {
    if (with_sources) add_source();
    add_field(vector_record_xml(precision, 1),
              "<usqcdKSPropInfo><version>1.0</version><color>" + std::to_string(color) +
                  "</color><info></info></usqcdKSPropInfo>",
              vector_bytes({columns[color]}, precision), 6 * precision / 8);
  }
  return file;
}

inline Hdf5Example hdf5_staggered(const StaggeredColumns& columns, const Extents& e,
                                  const std::string& phases = "xyzt") {
  return {columns, e, "staggered_phases", phases};
}

}  // namespace plaq::test
