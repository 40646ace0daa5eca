#include "io/gauge_file.hpp"

#include <gtest/gtest.h>

#include "tests/io/gauge_files.hpp"

namespace plaq {
namespace {

using test::expect_error;
using test::expect_error_everywhere;

TEST(GaugeFile, SaysWhatAnotherFileSeemsToBe) {
  const auto refuse = [](std::string bytes, const std::vector<std::string>& parts) {
    bytes.resize(64);
    const auto source = ByteSource::memory("some.file", std::as_bytes(std::span(bytes)));
    expect_error(test::error_of([&] { recognize_gauge_file(source); }), ErrorKind::input_file, parts);
  };
  using namespace std::string_literals;
  refuse("\x45\x67\x89\xab\0\1"s, {"some.file", "LIME", "expected a NERSC gauge file"});
  refuse("\0\0\x4e\x87"s, {"MILC v5", "big-endian"});
  refuse("\x87\x4e\0\0"s, {"MILC v5", "little-endian"});
  refuse("\x89HDF\r\n\x1a\n", {"HDF5"});
  refuse("\x1f\x8b\x08", {"gzip"});
  refuse("hello", {"begins with the bytes 68 65 6c 6c 6f"});
  std::string openqcd(24 + 4 * 256 * 144, '\0');
  for (std::size_t i = 0; i < 4; ++i) openqcd[4 * i] = 4;
  const auto source = ByteSource::memory("some.file", std::as_bytes(std::span(openqcd)));
  expect_error(test::error_of([&] { recognize_gauge_file(source); }), ErrorKind::input_file, {"openQCD"});
  expect_error(test::error_of([] { recognize_gauge_file(ByteSource::memory("x", {})); }),
               ErrorKind::input_file, {"empty"});
}

TEST(GaugeFile, WhatCannotBeOpened) {
  const test::SharedDirectory directory;
  expect_error(test::error_of([&] { inspect_gauge_file(directory / "none"); }), ErrorKind::input_file,
               {"none", "No such file"});
  expect_error(test::error_of([&] { inspect_gauge_file(directory / ""); }), ErrorKind::input_file,
               {"directory"});
  expect_error(test::error_of([&] { inspect_gauge_file("/dev/null"); }), ErrorKind::input_file, {"regular"});
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, test::world_size()});
  Field gauge = test::make_field(grid, {4, 4, 4, 8}, Precision::double_precision);
  expect_error_everywhere([&] { read_gauge_file(directory / "none", grid, gauge); }, ErrorKind::input_file,
                          {"none", "No such file"});
  expect_error_everywhere([&] { read_nersc(directory / "none", grid, gauge); }, ErrorKind::input_file,
                          {"none", "No such file"});
}

TEST(GaugeFile, ReadsAndVerifiesWhatItRecognizes) {
  const test::SharedDirectory directory;
  const std::string path = directory / "field";
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, test::world_size()});
  const auto links = test::random_links({4, 4, 4, 8}, 5);
  const double plaquette = reference::average_plaquette(links).all, trace = reference::link_trace(links);
  write_nersc(path, grid, test::field_of(grid, links, Precision::double_precision), {}, plaquette, trace);
  EXPECT_EQ(inspect_gauge_file(path).extents, links.lattice.extents);
  Field gauge = test::make_field(grid, links.lattice.extents, Precision::double_precision);
  const auto report = read_gauge_file(path, grid, gauge);
  EXPECT_EQ(test::difference(gauge, links), 0);
  verify_gauge_file(report.info, plaquette, trace);
  verify_gauge_file(report.info, plaquette + 0.9e-6, trace - 0.9e-6);
  expect_error(test::error_of([&] { verify_gauge_file(report.info, plaquette + 2e-6, trace); }),
               ErrorKind::input_file, {path, "PLAQUETTE"});
  expect_error(test::error_of([&] { verify_gauge_file(report.info, plaquette, trace - 2e-6); }),
               ErrorKind::input_file, {path, "LINK_TRACE"});
  expect_error(test::error_of([&] { verify_gauge_file(report.info, std::nan(""), trace); }),
               ErrorKind::input_file, {"PLAQUETTE"});
}

}  // namespace
}  // namespace plaq
