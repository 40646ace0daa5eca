// Quark fields as QUDA's VectorIO writes them through QIO (lib/vector_io.cpp and lib/qio_field.cpp there).
#include "tests/io/propagator/staggered_files.hpp"

namespace plaq {
namespace {

using namespace test;
using QudaFile = PropagatorFiles;

LimeExample quda_file(const std::string& data, int spins, int columns, int precision) {
  const std::string type = fmt::format("QUDA_{}Ns{}Nc3_ColorSpinorField", letter_of(precision), spins);
  return scidac_example("2 4 6 4", "Dummy user file XML",
                        private_record_xml(type, precision, 6 * spins * precision / 8, columns, spins),
                        xml_head +
                            "<quda>\n<version>BETA</version>\n<info>\n  <subset>full</subset>\n"
                            "  <parity>full</parity>\n</info>\n</quda>\n",
                        data, 6 * spins * columns * precision / 8);
}

TEST_F(QudaFile, TwelveSpinorsAreAPropagator) {
  const auto columns = random_propagator(small);
  Field back = empty_propagator(geometry_);
  for (const int bits : {32, 64}) {
    write_bytes(path_, quda_file(big_endian_bytes(columns, bits), 4, 12, bits).bytes());
    EXPECT_TRUE(is_propagator(path_));
    const auto report = read(back);
    EXPECT_EQ(different_numbers(back, bits == 32 ? rounded(columns) : columns), 0);
    ASSERT_EQ(report.info.warnings.size(), 1u);
    expect_parts(report.info.warnings[0], {"does not say"});
    EXPECT_EQ(report.info.checksum, report.checksum);
  }
}

TEST_F(QudaFile, ThreeColorVectorsAreAPropagator) {
  const auto columns = random_staggered(small);
  Field back = empty_staggered(geometry_);
  write_bytes(path_, quda_file(vector_bytes(columns, 64), 1, 3, 64).bytes());
  const auto report = read(back);
  EXPECT_EQ(different_numbers(back, with_zeta(columns, small)), 0);
  EXPECT_EQ(report.info.phases, StaggeredPhases::txyz);
}

TEST_F(QudaFile, OtherQuarkFieldsAreNamed) {
  const std::string data = big_endian_bytes(random_propagator(small), 64);
  const LimeExample good = quda_file(data, 4, 12, 64);
  LimeExample shorter = good;
  shorter["scidac-binary-data"].data.resize(data.size() - 8);
  const std::string record = "scidac-private-record-xml";
  const std::pair<LimeExample, Parts> cases[] = {
      {quda_file(data, 4, 5, 64), {"expected the 12 columns of a propagator, found 5 quark fields"}},
      {changed(good, "scidac-record-xml", "<subset>full", "<subset>parity"),
       {"expected quark fields on all sites", "parity"}},
      {changed(good, record, "QUDA_DNs4", "QUDA_HNs4"), {"QUDA_DNs4Nc3_ColorSpinorField", "QUDA_HNs4"}},
      {changed(good, record, "<colors>3", "<colors>24"), {"3 colors", "24"}},
      {shorter, {"expected " + std::to_string(data.size()) + " bytes"}}};
  for (const auto& [file, parts] : cases) {
    write_bytes(path_, file.bytes());
    expect_error([&] { inspect_propagator(path_); }, ErrorKind::input_file, {path_});
    expect_error([&] { inspect_propagator(path_); }, ErrorKind::input_file, parts);
  }
}

}  // namespace
}  // namespace plaq
