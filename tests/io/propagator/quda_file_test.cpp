// Quark fields as QUDA's VectorIO writes them through QIO (lib/vector_io.cpp and lib/qio_field.cpp there).
#include <gtest/gtest.h>

#include "tests/io/propagator/propagator_files.hpp"
#include "tests/io/propagator/staggered_files.hpp"

namespace plaq {
namespace {

using namespace test;

// Big-endian, x fastest, [column][spin][color][re, im].
std::string spinor_bytes(const reference::PropagatorColumns& columns, int precision) {
  StaggeredColumns flat;  // a color vector for each spin of a column, one after the other
  for (const auto& column : columns)
    for (std::size_t spin = 0; spin < 4; ++spin) {
      flat.emplace_back();
      for (const auto& spinor : column) flat.back().push_back(spinor[spin]);
    }
  return vector_bytes(flat, precision);
}

LimeExample quda_file(const std::string& data, int spins, int columns, int precision) {
  const std::string letter = precision == 32 ? "F" : "D",
                    type = "QUDA_" + letter + "Ns" + std::to_string(spins) + "Nc3_ColorSpinorField";
  std::string record = private_record_xml(type, letter, 6 * spins * precision / 8, columns);
  record.replace(record.find("<spins>1"), 8, "<spins>" + std::to_string(spins));
  LimeExample file;
  file.records = {{"scidac-private-file-xml", private_file_xml("2 4 6 4"), true, false},
                  {"scidac-file-xml", "Dummy user file XML", false, true},
                  {"scidac-private-record-xml", record, true, false},
                  {"scidac-record-xml",
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?><quda>\n<version>BETA</version>\n<info>\n"
                   "  <subset>full</subset>\n  <parity>full</parity>\n</info>\n</quda>\n",
                   false, false},
                  {"scidac-binary-data", data, false, false},
                  {"scidac-checksum",
                   checksum_xml(reference::scidac_sums(
                       data, static_cast<std::size_t>(6 * spins * columns * precision / 8))),
                   false, true}};
  return file;
}

TEST(QudaFile, TwelveSpinorsAreAPropagator) {
  const SharedDirectory directory;
  const auto columns = random_propagator(small);
  const std::string path = directory / "propagator";
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(world_size(), small));
  Field back = empty_propagator(grid.geometry(small));
  for (const int bits : {32, 64}) {
    write_bytes(path, quda_file(spinor_bytes(columns, bits), 4, 12, bits).bytes());
    EXPECT_TRUE(is_propagator(path));
    const auto report = read_propagator(path, grid, back);
    EXPECT_EQ(max_difference(back, bits == 32 ? rounded(columns) : columns), 0.0);
    ASSERT_EQ(report.info.warnings.size(), 1u);
    EXPECT_NE(report.info.warnings[0].find("does not say"), std::string::npos) << report.info.warnings[0];
    EXPECT_EQ(report.info.checksum, report.checksum);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST(QudaFile, ThreeColorVectorsAreAPropagator) {
  const SharedDirectory directory;
  const auto columns = random_staggered(small);
  const std::string path = directory / "propagator";
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(world_size(), small));
  Field back = empty_staggered(grid.geometry(small));
  write_bytes(path, quda_file(vector_bytes(columns, 64), 1, 3, 64).bytes());
  const auto report = read_propagator(path, grid, back);
  EXPECT_TRUE(is_equal(back, with_zeta(columns, small)));
  EXPECT_EQ(report.info.phases, StaggeredPhases::txyz);
}

TEST(QudaFile, OtherQuarkFieldsAreNamed) {
  const SharedDirectory directory;
  const std::string path = directory / "propagator";
  const std::string data = spinor_bytes(random_propagator(small), 64);
  const auto refused = [&](const LimeExample& file, const std::vector<std::string>& parts) {
    write_bytes(path, file.bytes());
    expect_error(error_of([&] { inspect_propagator(path); }), ErrorKind::input_file, parts);
    MPI_Barrier(MPI_COMM_WORLD);
  };
  refused(quda_file(data, 4, 5, 64), {path, "expected the 12 columns of a propagator, found 5 quark fields"});
  const LimeExample good = quda_file(data, 4, 12, 64);
  LimeExample file = good;
  file.replace("scidac-record-xml", "<subset>full", "<subset>parity");
  refused(file, {path, "expected quark fields on all sites", "parity"});
  file = good;
  file.replace("scidac-private-record-xml", "QUDA_DNs4", "QUDA_HNs4");
  refused(file, {path, "QUDA_DNs4Nc3_ColorSpinorField", "QUDA_HNs4"});
  file = good;
  file.replace("scidac-private-record-xml", "<colors>3", "<colors>24");
  refused(file, {path, "3 colors", "24"});
  file = good;
  file["scidac-binary-data"].data.resize(data.size() - 8);
  refused(file, {path, "expected " + std::to_string(data.size()) + " bytes"});
}

}  // namespace
}  // namespace plaq
