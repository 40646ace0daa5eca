// Files of multigrid setups beside what files of every kind do (tests/io/stored_field_test.cpp).
#include <regex>

#include "io/gauge/gauge_file.hpp"
#include "io/propagator/propagator_file.hpp"
#include "io/transformation/transformation_file.hpp"
#include "quarks/action/wilson_action.hpp"
#include "tests/io/eigenvectors/eigenvector_files.hpp"
#include "tests/io/multigrid/multigrid_files.hpp"
#include "tests/io/propagator/propagator_files.hpp"
#include "tests/io/transformation/transformation_files.hpp"

namespace plaq {
namespace {

using namespace test;

constexpr auto half = Precision::half_precision, single = Precision::single_precision,
               wide = Precision::double_precision;

class MultigridFile : public testing::Test {
 protected:
  void write(const std::string& path, Precision stored,
             const MultigridSetupInfo& setup = some_setup()) const {
    write_near_null_vectors(path, grid_, vectors_field(geometry_, vectors_), setup, stored);
  }
  std::string written(const Field& vectors, Precision stored) const {
    write_near_null_vectors(path_, grid_, vectors, some_setup(), stored);
    return read_together(path_);
  }
  Field empty(int count = 5) const { return Field(geometry_, near_null_vectors_spec(count, single)); }
  LimeExample example(Precision stored = half) const {
    write(path_, stored);
    return {reference::lime_records(read_together(path_))};
  }
  // With sums that fit the numbers and the texts, so that nothing but what was changed is wrong.
  static std::string summed(LimeExample file, Precision stored = half) {
    const std::size_t record = 5 * (stored == half ? 52 : 96);
    file["scidac-checksum"].data =
        checksum_xml(reference::scidac_sums(file["scidac-binary-data"].data, record));
    std::string texts = file.bytes();
    const std::string& numbers = file["scidac-binary-data"].data;
    texts.erase(texts.find(numbers), numbers.size());
    const std::string key = "header_crc = ";
    texts.erase(texts.rfind(key) + key.size());
    file.replace("plaq-info", file["plaq-info"].data.substr(key.size(), 8),
                 fmt::format("{:08x}", reference::crc32(texts)));
    return file.bytes();
  }
  void expect_refused(const std::string& bytes, Parts parts) const {
    parts.push_back(path_);
    write_bytes(path_, bytes);
    Field back = empty();
    expect_error_everywhere([&] { read_near_null_vectors(path_, grid_, back); }, ErrorKind::input_file,
                            parts);
  }

  SharedDirectory directory_;
  std::string path_ = directory_ / "setup";
  ProcessGrid grid_{MPI_COMM_WORLD, choose_grid(world_size(), small)};
  GeometryPtr geometry_ = grid_.geometry(small);
  Spinors vectors_ = random_vectors(small);
};

// Written by plaq, taken apart by what the head of the header says.
TEST_F(MultigridFile, IsAsDescribed) {
  for (const auto stored : {half, single}) {
    const LinkChecksum sums =
        write_near_null_vectors(path_, grid_, vectors_field(geometry_, vectors_), some_setup(), stored);
    std::map<std::string, std::string> texts;
    for (const auto& record : reference::lime_records(read_together(path_))) texts[record.type] = record.data;
    const std::string& data = texts["scidac-binary-data"];
    EXPECT_TRUE(data == record_bytes_of(vectors_, small, stored));
    const std::string size = stored == half ? "52" : "96";
    const auto found = reference::scidac_sums(data, 5 * std::stoul(size));
    EXPECT_EQ(sums, (LinkChecksum{ChecksumKind::scidac, found.a, found.b}));
    for (const auto& [tag, value] :
         {std::pair{"datatype", stored == half ? "PLAQ_H_NearNullVector" : "PLAQ_F_NearNullVector"},
          {"precision", "F"},
          {"typesize", size.c_str()},
          {"datacount", "5"},
          {"spins", "4"},
          {"colors", "3"}})
      EXPECT_EQ(reference::between_tags(texts["scidac-private-record-xml"], tag), value);
    EXPECT_EQ(reference::between_tags(texts["scidac-private-file-xml"], "dims"), "1 4 6 4 ");
    const std::string text = reference::between_tags(texts["scidac-record-xml"], "MultigridSetup");
    EXPECT_EQ(reference::between_tags(text, "version"), "1.1");
    for (const std::string line :
         {"\"lattice\": [2,4,6,4],", "\"sites\": \"even\",", "\"vectors\": 5,", "\"rounds\": 2,",
          "\"slices\": 1,", "\"operator\": {\"type\":\"exponential_clover\",\"mass\":\"-0.137",
          "\"levels\": [{\"block\":[2,4,3,2],\"vectors\":24,"})
      EXPECT_NE(text.find("\n  " + line), std::string::npos) << line << " in " << text;
  }
}

// Also where x is split, and a rank has one even site of a row, or three.
TEST_F(MultigridFile, HasTheSameBytesOnEveryGrid) {
  for (const Extents& extents : {Extents{4, 2, 6, 4}, Extents{12, 4, 2, 2}}) {
    const Spinors vectors = random_vectors(extents);
    const std::string expected = record_bytes_of(vectors, extents, half);
    for (const auto& ranks : allowed_grids(world_size(), extents)) {
      SCOPED_TRACE(to_string(extents) + " on " + to_string(ranks));
      const ProcessGrid grid(MPI_COMM_WORLD, ranks);
      const auto geometry = grid.geometry(extents);
      write_near_null_vectors(path_, grid, vectors_field(geometry, vectors), some_setup());
      EXPECT_NE(read_together(path_).find(expected), std::string::npos);
      Field back(geometry, near_null_vectors_spec(5, single));
      read_near_null_vectors(path_, grid, back);
      EXPECT_EQ(different_numbers(back, as_stored(vectors, half)), 0);
    }
  }
}

TEST_F(MultigridFile, SaysAllThatWasSaid) {
  for (const bool finished : {false, true}) {
    MultigridSetupInfo setup = some_setup();
    setup.finished = finished;
    if (finished) setup.entries.clear(), setup.levels.clear(), setup.reductions.clear();
    write(path_, half, setup);
    const MultigridFileInfo info = read_multigrid_info(path_, grid_);
    expect_same_setup(info.setup, setup);
    EXPECT_EQ(info.path, path_);
    EXPECT_EQ(info.extents, small);
    EXPECT_EQ(info.vectors, 5);
    EXPECT_EQ(info.Ls, 1);
    EXPECT_EQ(info.precision, half);
    EXPECT_EQ(info.data_bytes, 96u * 5 * 52);
    EXPECT_EQ(info.checksum, inspect_multigrid_file(path_).checksum);
    EXPECT_EQ(info.data_offset, inspect_multigrid_file(path_).data_offset);
  }
}

// All slices of a vector, one after the other, on every grid.
TEST_F(MultigridFile, VectorsInFiveDimensions) {
  for (const auto& ranks : allowed_grids(world_size(), small))
    for (const int Ls : {1, 3}) {
      const ProcessGrid grid(MPI_COMM_WORLD, ranks);
      const auto geometry = grid.geometry(small);
      const Field vectors = some_modes(geometry, 4, Ls);
      for (const auto stored : {half, single}) {
        write_near_null_vectors(path_, grid, vectors, some_setup(), stored);
        const MultigridFileInfo info = read_multigrid_info(path_, grid);
        EXPECT_EQ(info.vectors, 2);
        EXPECT_EQ(info.Ls, Ls);
        EXPECT_EQ(info.data_bytes, 96u * 2 * static_cast<unsigned>(Ls) * (stored == half ? 52 : 96));
        Field back(geometry, near_null_vectors_spec(2, single, Ls));
        read_near_null_vectors(path_, grid, back);
        EXPECT_TRUE(holds_modes(back, vectors, stored));
      }
    }
  Field fewer(geometry_, near_null_vectors_spec(2, single, 2));
  expect_error_everywhere([&] { read_near_null_vectors(path_, grid_, fewer); }, ErrorKind::input_file,
                          {path_, "6 near-null vectors, expected 4"});
}

// Files of plaq 0.1 and 0.2.0 have a key for each parameter of Wilson and clover quarks.
TEST_F(MultigridFile, OlderTextsAreRead) {
  LimeExample file = example();
  std::string& text = file["scidac-record-xml"].data;
  const std::string current = text;
  const auto expect = [&](const std::string& keys, const WilsonParameters& parameters) {
    text = std::regex_replace(current, std::regex("\"slices\": 1,\\s*\"operator\": [^\n]*"), keys);
    text = std::regex_replace(text, std::regex("<version>1.1"), "<version>1.0");
    write_bytes(path_, summed(file));
    const MultigridSetupInfo found = read_multigrid_info(path_, grid_).setup;
    expect_same_entries(found.operator_entries, wilson_action(parameters)->description());
    EXPECT_EQ(found.levels, some_setup().levels);
  };
  expect(R"("mass": -0.4, "xi": 2.5, "nu": 0.9, "clover_spatial": 0.0, "clover_temporal": 0.0,
            "boundary": [1,1,-1,1],)",
         {-0.4, 2.5, 0.9, {1, 1, -1, 1}});
  WilsonParameters twisted{0.1, 1, 1, {1, 1, 1, -1}, {0, 1e-17, false}};
  twisted.twisted_mass = -0.25;
  expect(R"("mass": 0.1, "twisted_mass": -0.25, "xi": 1.0, "nu": 1.0, "clover_spatial": 0.0,
            "clover_temporal": 1e-17, "boundary": [1,1,1,-1],)",
         twisted);
  expect(R"("mass": 0.1, "xi": 1.0, "nu": 1.0, "clover_spatial": 1.5, "clover_temporal": 1.6,
            "exponential_clover": true, "boundary": [1,1,1,-1],)",
         {0.1, 1, 1, {1, 1, 1, -1}, {1.5, 1.6, true}});
}

TEST_F(MultigridFile, HalfPrecisionComesBackAsTheSameBytes) {
  for (const auto memory : {single, wide}) {
    const std::string once = written(vectors_field(geometry_, vectors_, Subset::even, memory), half);
    for (const auto in_between : {single, wide}) {
      Field back(geometry_, near_null_vectors_spec(5, in_between));
      read_near_null_vectors(path_, grid_, back);
      EXPECT_TRUE(written(back, half) == once);
    }
  }
  // Any magnitude: those below the smallest are 0 from the first time on.
  Spinors vectors = vectors_;
  for (std::size_t v = 0; v < vectors.size(); ++v)
    for_numbers(vectors[v], [&](auto& z) { z *= std::pow(10.0, 18.0 * static_cast<double>(v) - 36); });
  for_numbers(vectors[0][0], [](auto& z) { z = 0; });
  const std::string once = written(vectors_field(geometry_, vectors), half);
  Field back = empty();
  read_near_null_vectors(path_, grid_, back);
  EXPECT_TRUE(written(back, half) == once);
  for_stored_sites(*geometry_, [&](int parity, int s, int) {
    for (int r = 0; parity == 0 && r < 24; ++r) EXPECT_EQ(get_real(back, 0, 0, s, r), 0);
  });
  vectors.erase(vectors.begin());
  Field others(geometry_, near_null_vectors_spec(4, wide));
  write_near_null_vectors(path_, grid_, vectors_field(geometry_, vectors), some_setup(), half);
  read_near_null_vectors(path_, grid_, others);
  EXPECT_EQ(different_numbers(others, as_stored(vectors, half)), 0);
}

TEST_F(MultigridFile, AnyFieldThatHoldsTheEvenSites) {
  std::string first;
  for (const auto& ranks : allowed_grids(world_size(), small))
    for (const auto stored : {half, single})
      for (const auto subset : {Subset::even, Subset::full})
        for (const auto order : {Order::sites_fastest, Order::right_hand_sides_fastest})
          for (const Location location : locations()) {
            const ProcessGrid grid(MPI_COMM_WORLD, ranks);
            const auto geometry = grid.geometry(small);
            FieldSpec spec = spinor_spec(subset, 5, single, location);
            spec.order = order;
            Field field(geometry, spec);
            copy(field, vectors_field(geometry, vectors_, subset, single));
            write_near_null_vectors(path_, grid, field, some_setup(), stored);
            Field host = vectors_field(geometry, random_vectors(small, 5, 6), subset, single);
            copy(field, host);
            const std::uint64_t version = field.version();
            read_near_null_vectors(path_, grid, field);
            EXPECT_NE(field.version(), version);
            copy(host, field);
            const Spinors expected = as_stored(rounded(vectors_), stored), odd = random_vectors(small, 5, 6);
            int different = 0;
            for_stored_numbers(*geometry, expected, [&](int v, int parity, int s, int r, double number) {
              if (parity == 0)
                different += get_real(host, v, 0, s, r) != static_cast<double>(static_cast<float>(number));
            });
            if (subset == Subset::full)
              for_stored_numbers(*geometry, odd, [&](int v, int parity, int s, int r, double number) {
                if (parity == 1)
                  different += get_real(host, v, 1, s, r) != static_cast<double>(static_cast<float>(number));
              });
            EXPECT_EQ(different, 0);
          }
}

TEST_F(MultigridFile, OtherFilesAreRefused) {
  const auto expect_other = [&](const std::string& found) {
    EXPECT_FALSE(is_multigrid_file(path_));
    expect_refused(read_together(path_), {"multigrid setup", found});
  };
  const auto links = random_links(small, 3);
  for (const auto format : {GaugeFileFormat::nersc, GaugeFileFormat::scidac}) {
    GaugeWriteOptions way;
    way.format = format;
    write_gauge_file(path_, grid_, field_of(grid_, links), way, reference::average_plaquette(links).all,
                     reference::link_trace(links));
    expect_other(format == GaugeFileFormat::nersc ? "a gauge field (NERSC)" : "QDP_D3_ColorMatrix");
  }
  const Field propagator = propagator_field(geometry_, random_propagator(small));
  write_propagator(path_, grid_, propagator, {PropagatorFormat::scidac, single, "text"});
  expect_other("found data type Lattice");
  write_propagator(path_, grid_, propagator, {PropagatorFormat::hdf5, single, "text"});
  expect_other("it seems to be an HDF5 file");
  write_transformation(path_, grid_, transformation_of(geometry_, random_matrices(small)), {});
  expect_other("found data type QDP_D3_ColorMatrix");

  // The setup is no other field either.
  write(path_, half);
  EXPECT_TRUE(is_multigrid_file(path_));
  EXPECT_FALSE(is_propagator(path_));
  EXPECT_FALSE(is_transformation(path_));
  expect_error([&] { inspect_gauge_file(path_); }, ErrorKind::input_file, {path_});
  EXPECT_THROW(is_multigrid_file(directory_ / "none"), Error);
  Field fewer = empty(4);
  expect_error_everywhere([&] { read_near_null_vectors(path_, grid_, fewer); }, ErrorKind::input_file,
                          {path_, "5 near-null vectors, expected 4"});
}

TEST_F(MultigridFile, TextsThatAreNotPlaqsAreRefused) {
  const LimeExample good = example();
  write_bytes(path_, summed(good));
  read_multigrid_info(path_, grid_);  // summed() is right
  const std::string text = "scidac-record-xml", record = "scidac-private-record-xml";
  const auto with = [&](const std::string& type, const std::string& before, const std::string& after) {
    return summed(changed(good, type, before, after));
  };
  expect_refused(with(text, "<version>1.1", "<version>1.2"),
                 {"expected version 1.1", "'1.2'", "a newer plaq wrote it"});
  expect_refused(with(text, "<version>1.1", "<version>1.0"), {"expected the key 'mass'"});
  expect_refused(with(text, "<MultigridSetup>", "<MultigridSetap>"), {"expected <MultigridSetup>"});
  for (const auto& [before, after, part] : std::vector<std::array<std::string, 3>>{
           {"\"rounds\": 2", "\"round\": 2", "expected the key 'rounds'"},
           {"\"rounds\": 2", "\"rounds\": 2.5", "'rounds': expected whole numbers"},
           {"\"rounds\": 2", "\"rounds\": -2", "'rounds': expected whole numbers"},
           {"\"rounds\": 2", "\"rounds\": 1e300", "'rounds': expected whole numbers"},
           {"\"rounds\": 2", "\"rounds\" 2", "as JSON"},
           {"\"sites\": \"even\"", "\"sites\": \"odd\"", "'sites': expected even"},
           {"\"half\"", "\"double\"", "'precision': expected half or single"},
           {"\"omega\": 0.85", "\"omega\": 1e999", "JSON"},
           {"\"omega\": 0.85", "\"omega\": null", "'omega': expected a finite number"},
           {"\"xi\":\"3.1\"", "\"xi\":3.1", "'operator': expected"},
           {"\"slices\": 1", "\"slices\": 0", "'slices': expected whole numbers from 1"},
           {"\"slices\": 1", "\"slices\": 2", "expected 10 objects of 52 bytes a site"},
           {"\"finished\": false", "\"finished\": 0", "'finished': expected true or false"},
           {"[2,4,6,4]", "[2,4,6]", "'lattice': expected four numbers"},
           {"[2,4,6,4]", "[2,4,6,0]", "'lattice': expected whole numbers from 1"},
           {"[2,4,6,4]", "[2,4,4,6]", "expected the even sites of 2x4x4x6, found a lattice of 1x4x6x4"},
           {"[2,4,6,4]", "[3,4,6,4]", "expected the even sites of 3x4x6x4"},
           {"\"block\":[2,4,3,2]", "\"block\":[2,4,3,\"2\"]", "'levels': expected whole numbers"},
           {"\"vectors\": 5", "\"vectors\": 6", "expected 6 objects of 52 bytes a site"},
           {"\"half\"", "\"single\"", "expected 5 objects of 96 bytes a site"},
           {"\"1.2.3\"", "123", "'plaq_version': expected text"},
           {"ffffffff 00000010", "ffffffff 0000001g", "two sums"},
           {"ffffffff 00000010", "fffffffff 0000001", "two sums"}})
    expect_refused(with(text, before, after), {part});
  expect_refused(with(record, "PLAQ_H_", "PLAQ_F_"), {"PLAQ_F_NearNullVector"});
  expect_refused(with(record, "<typesize>52", "<typesize>56"), {"found 5 of 56"});
  for (const std::string type : {"scidac-checksum", "plaq-info", "scidac-record-xml"}) {
    LimeExample without = good;
    without.remove(type);
    expect_refused(without.bytes(), {});
  }
  LimeExample edited = good;
  edited.replace(text, "\"rounds\": 2", "\"rounds\": 3");
  expect_refused(edited.bytes(), {"not as they were written", "header_crc"});
}

TEST_F(MultigridFile, NumbersMustBeFinite) {
  const std::size_t odd = 1 + 2 * (3 + 4 * 5), even = 1 + 2 * (3 + 4 * (5 + 6 * 1));
  for (const auto stored : {half, single}) {
    LimeExample file = example(stored);
    const int size = stored == half ? 52 : 96;
    // Record number 23, the last vector of site (0,3,5,0): the exponent of its first number.
    std::string& numbers = file["scidac-binary-data"].data;
    const std::size_t at = static_cast<std::size_t>((23 * 5 + 4) * size);
    numbers[at] = '\x7f', numbers[at + 1] = '\xc0';
    expect_refused(summed(file, stored), {"expected finite numbers", "site (0, 3, 5, 0)", "vector 4"});

    Spinors vectors = vectors_;
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity(), 1e39}) {
      vectors[2][even][3][1] = {0, bad};
      vectors[2][odd][0][0] = {bad, 0};
      write_bytes(path_, "the older file");
      expect_error_everywhere(
          [&] {
            write_near_null_vectors(path_, grid_, vectors_field(geometry_, vectors), some_setup(), stored);
          },
          ErrorKind::output_file, {"cannot write " + path_, "site (1, 3, 5, 1)", "vector 2"});
      EXPECT_EQ(read_together(path_), "the older file");
    }
  }
  EXPECT_EQ(directory_.names().size(), 1u);
}

TEST_F(MultigridFile, WhatCannotBeWrittenLeavesNothing) {
  const auto refused = [&](const std::function<void(MultigridSetupInfo&)>& change, const std::string& part) {
    MultigridSetupInfo setup = some_setup();
    change(setup);
    expect_error_everywhere([&] { write(path_, half, setup); }, ErrorKind::output_file,
                            {"cannot write " + path_, part});
    EXPECT_TRUE(together([&] { return directory_.names().empty(); }));
  };
  refused([](auto& setup) { setup.entries = {{"A", "\xff"}}; }, "UTF-8");
  refused([](auto& setup) { setup.entries = {{"A", "\x01"}}; }, "control characters");
  refused([](auto& setup) { setup.entries = {{"A", "1"}, {"A", "2"}}; }, "two entries have one key");
  refused(
      [](auto& setup) {
        setup.operator_entries = {{"mass", "1"}, {"mass", "2"}};
      },
      "two entries have one key");
  refused([](auto& setup) { setup.entries = {{"A", std::string(1 << 24, 'x')}}; }, "at most 16773120 bytes");
  refused(
      [](auto& setup) {
        setup.reductions = {0.5, std::nan("")};
      },
      "'reductions': expected a finite number");
  refused([](auto& setup) { setup.links.kind = ChecksumKind::nersc; }, "'links_checksum': expected two sums");
  refused([](auto& setup) { setup.levels.front().block[3] = 0; }, "'levels': expected whole numbers from 1");
}

}  // namespace
}  // namespace plaq
