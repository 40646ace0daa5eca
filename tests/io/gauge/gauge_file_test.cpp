#include "io/gauge/gauge_file.hpp"

#include "io/gauge/gauge_file_info.hpp"
#include "tests/io/gauge/gauge_files.hpp"
#include "tests/io/lime/lime_files.hpp"
#include "tests/reference/ddalphaamg.hpp"
#include "tests/reference/openqcd.hpp"

namespace plaq {
namespace {

using test::expect_error;
using test::source_of;

TEST(GaugeFile, SaysWhatAnotherFileSeemsToBe) {
  const auto refuse = [](std::string bytes, const std::vector<std::string>& parts) {
    bytes.resize(64);
    expect_error([&] { recognize_gauge_file(source_of(bytes)); }, ErrorKind::input_file, parts);
  };
  using namespace std::string_literals;
  refuse("\x89HDF\r\n\x1a\n",
         {"some.file", "HDF5", "expected a gauge file", "NERSC, ILDG, SciDAC, MILC v5, openQCD"});
  refuse("\x1f\x8b\x08", {"gzip"});
  refuse("hello", {"begins with the bytes 68 65 6c 6c 6f"});
  expect_error([] { recognize_gauge_file(ByteSource::memory("x", {})); }, ErrorKind::input_file, {"empty"});
}

TEST(GaugeFile, RecognizesFormats) {
  using namespace std::string_literals;
  EXPECT_EQ(recognize_gauge_file(source_of("BEGIN_HEADER\n")).format, GaugeFileFormat::nersc);
  EXPECT_EQ(recognize_gauge_file(source_of("\x45\x67\x89\xab"s)).format, GaugeFileFormat::ildg);  // LIME
  EXPECT_EQ(recognize_gauge_file(source_of("\0\0\x4e\x87"s)).format, GaugeFileFormat::milc);
  EXPECT_EQ(recognize_gauge_file(source_of("\x87\x4e\0\0"s)).format, GaugeFileFormat::milc);
  // openQCD: by the size,
  std::string openqcd(24 + 4 * 256 * 144, '\0');
  for (std::size_t i = 0; i < 4; ++i) openqcd[4 * i] = 4;
  EXPECT_EQ(recognize_gauge_file(source_of(openqcd)).format, GaugeFileFormat::openqcd);
  openqcd.resize(1000);
  EXPECT_THROW(recognize_gauge_file(source_of(openqcd)), Error);
  // or by a lattice and a plaquette that could be meant.
  store(reinterpret_cast<std::byte*>(openqcd.data() + 16), ByteOrder::little, 1.7);
  EXPECT_EQ(recognize_gauge_file(source_of(openqcd)).format, GaugeFileFormat::openqcd);
  expect_error([&] { openqcd_format().inspect(source_of(openqcd)); }, ErrorKind::input_file,
               {"some.file", "truncated by", "147480"});
  store(reinterpret_cast<std::byte*>(openqcd.data() + 16), ByteOrder::little, 17.0);
  EXPECT_THROW(recognize_gauge_file(source_of(openqcd)), Error);
}

// Files of the same size as openQCD's: known by their plaquettes, or by what openQCD never has.
TEST(GaugeFile, FilesOfDDalphaAMG) {
  // Plaquettes of one size, links of any: as fields that are not fixed to a gauge.
  const auto cold_links = [](const Extents& extents) {
    reference::Generator generator(5);
    const auto weak = reference::weak_gauge({extents}, generator, 0.3);
    return reference::transformed(weak, reference::random_transformation({extents}, generator));
  };
  const auto format_of = [](const std::string& bytes, const std::string& name = "some.file") {
    const auto source = ByteSource::memory(name, std::as_bytes(std::span(bytes)));
    return recognize_gauge_file(source).format;
  };
  // Also where the lattice is larger than what is looked at whole, in the middle
  // and at weak and strong coupling.
  for (const Extents& extents :
       {Extents{2, 2, 2, 2}, Extents{4, 4, 4, 4}, Extents{4, 2, 8, 4}, Extents{8, 8, 8, 16}})
    for (const bool hot : {true, false}) {
      const auto links = hot ? test::random_links(extents, 5) : cold_links(extents);
      SCOPED_TRACE(to_string(extents) + (hot ? " hot" : " cold"));
      if (hot && extents[0] == 8) continue;  // plaquette 0: nothing tells them apart but all of it
      EXPECT_EQ(format_of(reference::openqcd_bytes(links)), GaugeFileFormat::openqcd);
      for (const bool big : {true, false})
        EXPECT_EQ(format_of(reference::ddalphaamg_bytes(links, big)), GaugeFileFormat::ddalphaamg);
    }
  const auto odd = reference::ddalphaamg_bytes(test::random_links({3, 4, 4, 4}, 5), false);
  EXPECT_EQ(format_of(odd), GaugeFileFormat::ddalphaamg);
  expect_error([&] { ddalphaamg_format().inspect(source_of(odd)); }, ErrorKind::input_file,
               {"some.file", "3x4x4x4", "even extents"});
  // A part of a field.
  const auto part = reference::ddalphaamg_bytes(test::random_links({4, 4, 4, 8}, 5), false).substr(0, 5000);
  const std::string name = "conf.pt0pz10py0px3";
  EXPECT_EQ(format_of(part, name), GaugeFileFormat::ddalphaamg);
  expect_error([&] { ddalphaamg_format().inspect(ByteSource::memory(name, std::as_bytes(std::span(part)))); },
               ErrorKind::input_file, {name, "one of several files", "expected a single file"});
  for (const char* other :
       {"conf.pt0pz10py0px", "conf.pt0pz10py03", "pt0pz10py0px3", "confpt0pz1py0px3", "3", ""})
    EXPECT_NE(format_of(part, other), GaugeFileFormat::ddalphaamg) << other;
}

TEST(GaugeFile, MilcHeaders) {
  std::string bytes(96 + 4 * 16 * 72, '\0');
  const auto put = [&](std::size_t at, std::uint32_t word) {
    store(reinterpret_cast<std::byte*>(bytes.data() + at), ByteOrder::big, word);
  };
  put(0, 20103);
  for (std::size_t mu = 0; mu < 4; ++mu) put(4 + 4 * mu, 2);
  bytes.replace(20, 5, "a\x1b[3m");
  const auto info = milc_format().inspect(source_of(bytes));
  EXPECT_EQ(info.entries.at(0).value, "a?[3m");
  EXPECT_EQ(info.checksum, std::nullopt);
  ASSERT_EQ(info.warnings.size(), 1u);
  EXPECT_NE(info.warnings[0].find("damaged links may go unnoticed"), std::string::npos);
  put(92, 1);
  EXPECT_EQ(milc_format().inspect(source_of(bytes)).checksum, (LinkChecksum{ChecksumKind::milc, 0, 1}));
  put(84, 1);
  expect_error([&] { milc_format().inspect(source_of(bytes)); }, ErrorKind::input_file,
               {"byte 84", "natural order", "found 1"});
}

TEST(GaugeFile, WhatCannotBeOpened) {
  const test::SharedDirectory directory;
  expect_error([&] { inspect_gauge_file(directory / "none"); }, ErrorKind::input_file,
               {"none", "No such file"});
  expect_error([&] { inspect_gauge_file(directory / ""); }, ErrorKind::input_file, {"directory"});
  expect_error([&] { inspect_gauge_file("/dev/null"); }, ErrorKind::input_file, {"regular"});
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, test::world_size()});
  Field gauge = test::make_field(grid, {4, 4, 4, 8});
  test::expect_error_everywhere([&] { read_gauge_file(directory / "none", grid, gauge); },
                                ErrorKind::input_file, {"none", "No such file"});
}

// Every rank gets the description that rank 0 made.
TEST(GaugeFile, DescriptionsTravelWhole) {
  GaugeFileInfo info;
  info.path = "a/path";
  info.format = GaugeFileFormat::milc;
  info.extents = {2, 4, 6, 8};
  info.links = {2, Precision::single_precision, ByteOrder::little, LinkOrder::openqcd};
  info.data_offset = 96;
  info.data_bytes = std::uint64_t{1} << 40;
  info.file_bytes = 12345;
  info.plaquette = 0.5;
  info.checksum = LinkChecksum{ChecksumKind::milc, 1, 2};
  info.checksum_kind = ChecksumKind::milc;
  info.entries = {{"key", std::string("a\0b", 3), 7}, {"", "", 0}};
  info.warnings = {"one", "two"};
  const auto members = [](const GaugeFileInfo& i) {
    return std::tuple(i.path, i.format, i.extents, i.data_offset, i.data_bytes, i.file_bytes, i.plaquette,
                      i.link_trace, i.checksum, i.checksum_kind, i.warnings);
  };
  const GaugeFileInfo back = info_from_text(to_text(info));
  EXPECT_EQ(members(back), members(info));
  EXPECT_EQ(back.links, info.links);
  ASSERT_EQ(back.entries.size(), 2u);
  EXPECT_EQ(back.entries[0].key, "key");
  EXPECT_EQ(back.entries[0].value, info.entries[0].value);
  EXPECT_EQ(back.entries[0].line, 7);
}

// LatticeQCD.jl writes them so: one record, and nothing that says what it is.
TEST(GaugeFile, AnIldgFileOfLinksAloneNeedsTheLattice) {
  const test::SharedDirectory directory;
  const auto links = test::random_links({4, 4, 4, 8}, 3);
  const std::string path = directory / "alone.ildg";
  for (const int precision : {32, 64}) {
    test::write_bytes(path, reference::lime_bytes(
                                {{"ildg-binary-data", reference::link_bytes(links, precision), true, true}}));
    expect_error([&] { inspect_gauge_file(path); }, ErrorKind::input_file,
                 {path, "neither lattice nor precision", "extents in [lattice]"});
    expect_error(
        [&] {
          inspect_gauge_file(path, Extents{4, 4, 4, 6});
        },
        ErrorKind::input_file, {path, "no links of a lattice 4x4x4x6"});
    const auto info = inspect_gauge_file(path, links.lattice.extents);
    EXPECT_EQ(info.extents, links.lattice.extents);
    EXPECT_EQ(8 * bytes_of(info.links.precision), precision);
    const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(test::world_size(), links.lattice.extents));
    Field gauge = test::make_field(grid, links.lattice.extents);
    const auto report = read_gauge_file(path, grid, gauge);
    EXPECT_EQ(report.info.extents, links.lattice.extents);
    EXPECT_LE(test::difference(gauge, links), precision == 32 ? 3e-7 : 1e-15);
  }
}

}  // namespace
}  // namespace plaq
