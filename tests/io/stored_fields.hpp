// Every way to store a field, behind one face: what files of all kinds have to
// do is tested once for all of them.
#pragma once

#include "tests/io/eigenvectors/eigenvector_files.hpp"
#include "tests/io/gauge/format_cases.hpp"
#include "tests/io/laplacian_modes/laplacian_mode_files.hpp"
#include "tests/io/multigrid/multigrid_files.hpp"
#include "tests/io/propagator/staggered_files.hpp"
#include "tests/io/transformation/transformation_files.hpp"

namespace plaq::test {

// Description of a file.
struct StoredInfo {
  std::uint64_t data_offset = 0, data_bytes = 0;
  std::optional<LinkChecksum> checksum;  // as the file says it
  std::size_t warnings = 0;
  bool by_columns = false;  // the checksum is that of several columns, each of which has its own: all xored
};

// A field with known numbers on a lattice, and its file. Functions that take a grid are collective.
struct StoredField {
  std::string name;      // letters, digits and _
  std::string contents;  // "gauge nersc", "propagator HDF5", ...
  std::string called;    // by errors
  Extents extents{};
  std::function<FieldSpec(Precision)> spec;
  std::vector<Precision> precisions;  // in memory
  std::function<Field(const GeometryPtr&)> field;
  std::function<bool(const Field&)> holds;  // the numbers, as the file keeps them
  std::function<LinkChecksum(const std::string&, const ProcessGrid&, const Field&, const WrittenFileCheck&)>
      write;
  // The checksum of the numbers as found. Gauge fields: with the check of plaquette
  // and link trace that programs make.
  std::function<LinkChecksum(const std::string&, const ProcessGrid&, Field&)> read;
  std::function<StoredInfo(const std::string&)> inspect;
  std::function<void(const std::string&)> expect_told;  // what the file says of itself beside that

  Field empty(const GeometryPtr& geometry, Precision precision = Precision::double_precision) const {
    return Field(geometry, spec(precision));
  }
  bool is_gauge() const { return contents.starts_with("gauge"); }
  bool may_lack_checksum() const { return is_gauge() || contents.ends_with("fnal"); }
};

template <class Info>
StoredInfo stored_info(const Info& info) {
  return {info.data_offset, info.data_bytes, info.checksum, info.warnings.size()};
}

inline StoredField stored_gauge(GaugeWriteOptions way, const Extents& extents) {
  const auto links = std::make_shared<const reference::GaugeField>(random_links(extents, 11));
  const double plaquette = reference::average_plaquette(*links).all, trace = reference::link_trace(*links);
  way.metadata.ensemble_id = "bits";
  way.metadata.ildg_lfn = "lfn://bits";
  way.metadata.entries = {{"time_stamp", "Sat Nov 21 12:00:00 2026"}};
  StoredField stored;
  stored.name = "gauge_" + name_of_way(way);
  stored.contents = "gauge " + std::string(short_name(way.format));
  stored.called = "links";
  stored.extents = extents;
  stored.spec = [](Precision precision) { return gauge_spec(precision, Location::host); };
  stored.precisions = {Precision::single_precision, Precision::double_precision};
  stored.field = [links](const GeometryPtr& geometry) {
    return to_plaq(*links, geometry, Precision::double_precision, Location::host);
  };
  const bool narrow = links_to_write(way).precision == Precision::single_precision;
  stored.holds = [links, narrow](const Field& field) {
    const bool single = narrow || field.precision() == Precision::single_precision;
    return difference(field, *links) <= (single ? 3e-7 : 1e-15);
  };
  stored.write = [way, plaquette, trace](const std::string& path, const ProcessGrid& grid, const Field& field,
                                         const WrittenFileCheck& check) {
    return write_gauge_file(path, grid, field, way, plaquette, trace, check);
  };
  stored.read = [](const std::string& path, const ProcessGrid& grid, Field& field) {
    const auto report = read_gauge_file(path, grid, field);
    const auto found = gathered_links(field);
    verify_gauge_file(report, reference::average_plaquette(found).all, reference::link_trace(found));
    return report.checksum;
  };
  stored.inspect = [](const std::string& path) { return stored_info(inspect_gauge_file(path)); };
  stored.expect_told = [way, extents](const std::string& path) {
    const auto info = inspect_gauge_file(path);
    EXPECT_EQ(info.format, way.format);
    EXPECT_EQ(info.links, links_to_write(way));
    EXPECT_EQ(info.extents, extents);
  };
  return stored;
}

template <class Columns>
StoredField stored_propagator(const Columns& columns, const PropagatorWriteOptions& options,
                              const Extents& extents) {
  constexpr bool spinors = std::is_same_v<Columns, reference::PropagatorColumns>;
  const bool single = columns.size() == 1, rotated = spinors && options.format == PropagatorFormat::fnal;
  const int count = static_cast<int>(columns.size());
  const PropagatorKind quarks = spinors ? PropagatorKind::spinors : PropagatorKind::staggered;
  const auto numbers = std::make_shared<const Columns>(columns);
  StoredField stored;
  stored.contents =
      std::string(spinors ? "propagator " : "staggered ") + std::string(short_name(options.format));
  stored.name = stored.contents + "_" + std::string(name_of(options.precision)) +
                (spinors ? "" : "_" + std::string(name_of(options.phases))) + (single ? "_single" : "") +
                (options.order == ByteOrder::little ? "_little" : "");
  stored.name.replace(stored.name.find(' '), 1, "_");
  stored.called = "propagator";
  stored.extents = extents;
  stored.spec = [quarks, count](Precision precision) { return propagator_spec(quarks, precision, count); };
  stored.precisions = {Precision::single_precision, Precision::double_precision};
  stored.field = [numbers, quarks, count](const GeometryPtr& geometry) {
    return field_of_columns(geometry, propagator_spec(quarks, Precision::double_precision, count), *numbers);
  };
  stored.holds = [numbers, rotated,
                  narrow = options.precision == Precision::single_precision](const Field& field) {
    if (rotated) return largest_difference(field, *numbers) < 2e-6;
    return different_numbers(field, narrow ? rounded(*numbers) : *numbers) == 0;
  };
  stored.write = [options](const std::string& path, const ProcessGrid& grid, const Field& field,
                           const WrittenFileCheck& check) {
    return write_propagator(path, grid, field, options, check);
  };
  stored.read = [](const std::string& path, const ProcessGrid& grid, Field& field) {
    return read_propagator(path, grid, field).checksum;
  };
  stored.inspect = [](const std::string& path) {
    const auto info = inspect_propagator(path);
    StoredInfo known = stored_info(info);
    known.by_columns = info.columns.size() > 1;
    if (known.by_columns)  // with what stands between them
      known.data_bytes =
          info.columns.back().offset - info.data_offset + info.data_bytes / info.columns.size();
    return known;
  };
  stored.expect_told = [options, quarks, count, extents](const std::string& path) {
    EXPECT_TRUE(is_propagator(path));
    const auto info = inspect_propagator(path);
    EXPECT_EQ(info.metadata, options.metadata);
    EXPECT_EQ(info.extents, extents);
    EXPECT_EQ(info.precision, options.precision);
    EXPECT_EQ(info.quarks, quarks);
    EXPECT_EQ(info.phases, options.phases);
    EXPECT_EQ(info.count, count);
  };
  return stored;
}

inline StoredField stored_transformation(Precision precision, const Extents& extents) {
  using Columns = std::vector<reference::GaugeTransformation>;
  const auto g = std::make_shared<const Columns>(Columns{random_matrices(extents)});
  const std::vector<HeaderEntry> entries = {{"GAUGE_FIXED", "Landau"},
                                            {"GAUGE_THETA", "1.5e-15"},
                                            {"NOTE", "a < b & c = d " + std::string(2000, '#')}};
  const FieldSpec spec = gauge_frame_spec(Precision::double_precision, Location::host);
  StoredField stored;
  stored.name = "transformation_" + std::string(name_of(precision));
  stored.contents = "transformation";
  stored.called = "gauge transformation";
  stored.extents = extents;
  stored.spec = [spec](Precision) { return spec; };
  stored.precisions = {Precision::double_precision};
  stored.field = [g, spec](const GeometryPtr& geometry) { return field_of_columns(geometry, spec, *g); };
  stored.holds = [g, narrow = precision == Precision::single_precision](const Field& field) {
    return different_numbers(field, narrow ? rounded(*g) : *g) == 0;
  };
  stored.write = [precision, entries](const std::string& path, const ProcessGrid& grid, const Field& field,
                                      const WrittenFileCheck& check) {
    return write_transformation(path, grid, field, {precision, entries}, check);
  };
  stored.read = [precision](const std::string& path, const ProcessGrid& grid, Field& field) {
    const auto report = read_transformation(path, grid, field);
    EXPECT_LT(report.unitarity_violation, precision == Precision::single_precision ? 1e-6 : 1e-14);
    return report.checksum;
  };
  stored.inspect = [](const std::string& path) { return stored_info(inspect_transformation(path)); };
  stored.expect_told = [precision, entries, extents](const std::string& path) {
    EXPECT_TRUE(is_transformation(path));
    const auto info = inspect_transformation(path);
    EXPECT_EQ(info.path, path);
    EXPECT_EQ(info.extents, extents);
    EXPECT_EQ(info.precision, precision);
    ASSERT_EQ(info.entries.size(), entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      EXPECT_EQ(info.entries[i].key, entries[i].key);
      EXPECT_EQ(info.entries[i].value, entries[i].value);
    }
  };
  return stored;
}

inline StoredField stored_multigrid(Precision precision, const Extents& extents) {
  const auto vectors = std::make_shared<const Spinors>(random_vectors(extents));
  StoredField stored;
  stored.name = "multigrid_" + std::string(name_of(precision));
  stored.contents = "multigrid";
  stored.called = "near-null vectors";
  stored.extents = extents;
  stored.spec = [](Precision memory) { return near_null_vectors_spec(5, memory); };
  stored.precisions = {Precision::single_precision, Precision::double_precision};
  stored.field = [vectors](const GeometryPtr& geometry) { return vectors_field(geometry, *vectors); };
  stored.holds = [vectors, precision](const Field& field) {
    return different_numbers(field, as_stored(*vectors, precision)) == 0;
  };
  stored.write = [precision](const std::string& path, const ProcessGrid& grid, const Field& field,
                             const WrittenFileCheck& check) {
    return write_near_null_vectors(path, grid, field, some_setup(), precision, check);
  };
  stored.read = [](const std::string& path, const ProcessGrid& grid, Field& field) {
    return read_near_null_vectors(path, grid, field).checksum;
  };
  stored.inspect = [](const std::string& path) {
    const auto info = inspect_multigrid_file(path);
    return StoredInfo{info.data_offset, info.data_bytes, info.checksum, 0};
  };
  stored.expect_told = [precision, extents](const std::string& path) {
    EXPECT_TRUE(is_multigrid_file(path));
    const auto info = inspect_multigrid_file(path);
    EXPECT_EQ(info.extents, extents);
    EXPECT_EQ(info.precision, precision);
    EXPECT_EQ(info.vectors, 5);
    expect_same_setup(info.setup, some_setup());
  };
  return stored;
}

// Two modes of three slices, or of color vectors.
inline StoredField stored_eigenvectors(Precision precision, bool five_dimensions, const Extents& extents) {
  const int Ls = five_dimensions ? 3 : 1, spins = five_dimensions ? 4 : 1;
  StoredField stored;
  stored.name = std::string(five_dimensions ? "eigenvectors_five_" : "eigenvectors_colors_") +
                std::string(name_of(precision));
  stored.contents = "eigenvectors";
  stored.called = "eigenvectors";
  stored.extents = extents;
  stored.spec = [=](Precision memory) { return modes_spec(spins, Ls, memory); };
  stored.precisions = {Precision::single_precision, Precision::double_precision};
  stored.field = [=](const GeometryPtr& geometry) { return some_modes(geometry, spins, Ls); };
  stored.holds = [=](const Field& field) {
    return holds_modes(field, some_modes(field.geometry_ptr(), spins, Ls), precision);
  };
  stored.write = [precision](const std::string& path, const ProcessGrid& grid, const Field& field,
                             const WrittenFileCheck& check) {
    return write_eigenvectors(path, grid, field, some_eigenvectors(), precision, check);
  };
  stored.read = [](const std::string& path, const ProcessGrid& grid, Field& field) {
    return read_eigenvectors(path, grid, field).checksum;
  };
  stored.inspect = [](const std::string& path) {
    const auto info = inspect_eigenvector_file(path);
    return StoredInfo{info.data_offset, info.data_bytes, info.checksum, 0};
  };
  stored.expect_told = [=](const std::string& path) {
    EXPECT_TRUE(is_eigenvector_file(path));
    const auto info = inspect_eigenvector_file(path);
    EXPECT_EQ(info.extents, extents);
    EXPECT_EQ(info.precision, precision);
    EXPECT_EQ(info.modes, 2);
    EXPECT_EQ(info.spins, spins);
    EXPECT_EQ(info.Ls, Ls);
    expect_same_eigenvectors(info.info, some_eigenvectors());
  };
  return stored;
}

// Five modes of each slice.
inline StoredField stored_laplacian_modes(Precision precision, const Extents& extents) {
  StoredField stored;
  stored.name = "laplacian_modes_" + std::string(name_of(precision));
  stored.contents = "laplacian_modes";
  stored.called = "modes of the Laplacian";
  stored.extents = extents;
  stored.spec = [](Precision memory) {
    return laplacian_modes_spec(some_laplacian_mode_count, memory, Location::host);
  };
  stored.precisions = {Precision::single_precision, Precision::double_precision};
  stored.field = some_laplacian_modes;
  stored.holds = [precision](const Field& field) { return holds_laplacian_modes(field, precision); };
  stored.write = [precision](const std::string& path, const ProcessGrid& grid, const Field& field,
                             const WrittenFileCheck& check) {
    return write_laplacian_modes(path, grid, field, some_laplacian_info(field.geometry().global()), precision,
                                 check);
  };
  stored.read = [](const std::string& path, const ProcessGrid& grid, Field& field) {
    return read_laplacian_modes(path, grid, field).checksum;
  };
  stored.inspect = [](const std::string& path) {
    const auto info = inspect_laplacian_mode_file(path);
    return StoredInfo{info.data_offset, info.data_bytes, info.checksum, 0};
  };
  stored.expect_told = [=](const std::string& path) {
    EXPECT_TRUE(is_laplacian_mode_file(path));
    const auto info = inspect_laplacian_mode_file(path);
    EXPECT_EQ(info.extents, extents);
    EXPECT_EQ(info.precision, precision);
    EXPECT_EQ(info.modes, some_laplacian_mode_count);
    expect_same_laplacian_info(info.info, some_laplacian_info(extents));
  };
  return stored;
}

inline std::vector<StoredField> stored_fields(const Extents& extents) {
  std::vector<StoredField> all;
  for (const auto& way : all_ways()) all.push_back(stored_gauge(way, extents));
  const std::string text = "a <text> & more\nof two lines\n" + std::string(2000, '#');
  const auto spinors = random_propagator(extents);
  const auto colors = random_staggered(extents);
  for (const auto precision : {Precision::single_precision, Precision::double_precision}) {
    for (const auto format : {PropagatorFormat::scidac, PropagatorFormat::hdf5}) {
      all.push_back(stored_propagator(spinors, {format, precision, text}, extents));
      for (const auto phases : {StaggeredPhases::xyzt, StaggeredPhases::txyz})
        all.push_back(stored_propagator(colors, {format, precision, text, phases}, extents));
    }
    all.push_back(stored_propagator(reference::PropagatorColumns{spinors[7]},
                                    {PropagatorFormat::scidac, precision, text}, extents));
    all.push_back(stored_propagator(StaggeredColumns{colors[1]},
                                    {PropagatorFormat::scidac, precision, text, StaggeredPhases::txyz},
                                    extents));
    all.push_back(stored_transformation(precision, extents));
  }
  for (const auto format : {PropagatorFormat::milc, PropagatorFormat::fnal})
    for (const auto order : {ByteOrder::big, ByteOrder::little}) {
      const std::string stamp = format == PropagatorFormat::milc ? "Wed Nov 25 09:50:00 2026" : "";
      PropagatorWriteOptions way{format, Precision::single_precision, stamp, StaggeredPhases::xyzt, order};
      all.push_back(stored_propagator(spinors, way, extents));
      way.phases = StaggeredPhases::txyz;
      all.push_back(stored_propagator(colors, way, extents));
    }
  for (const auto precision : {Precision::half_precision, Precision::single_precision}) {
    all.push_back(stored_multigrid(precision, extents));
    all.push_back(stored_laplacian_modes(precision, extents));
    for (const bool five_dimensions : {false, true})
      all.push_back(stored_eigenvectors(precision, five_dimensions, extents));
  }
  return all;
}

inline void PrintTo(const StoredField& stored, std::ostream* out) { *out << stored.name; }

}  // namespace plaq::test
