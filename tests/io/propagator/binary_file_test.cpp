// Propagators of MILC and FNAL, against files by an independent writer and an independent reader.
#include "tests/io/propagator/staggered_files.hpp"
#include "tests/reference/milc_propagator.hpp"

namespace plaq {
namespace {

using namespace test;

class BinaryPropagators : public PropagatorFiles {
 protected:
  Field empty(PropagatorKind quarks) const {
    return Field(geometry_, propagator_spec(quarks, Precision::double_precision));
  }
  std::string refused(const std::string& bytes, Field& back) {
    write_bytes(path_, bytes);
    const auto error = error_of([&] { read(back); });
    EXPECT_TRUE(error && error->kind() == ErrorKind::input_file);
    return error ? error->what() : "";
  }
  // What the file says, and its numbers within `tolerance`.
  template <class Columns>
  PropagatorFileInfo expect_read(const std::string& bytes, PropagatorKind quarks, const Columns& expected,
                                 double tolerance) {
    write_bytes(path_, bytes);
    Field back = empty(quarks);
    const auto report = read(back);
    if (tolerance == 0)
      EXPECT_EQ(different_numbers(back, expected), 0);
    else
      EXPECT_LT(largest_difference(back, expected), tolerance);
    if (report.info.checksum) {
      EXPECT_EQ(report.checksum, report.info.checksum);
    }
    EXPECT_EQ(report.info.extents, small);
    EXPECT_EQ(report.info.precision, Precision::single_precision);
    return report.info;
  }

  const reference::Lattice lattice_{small};
  const reference::PropagatorColumns spinors_ = rounded(random_propagator(small));
  const StaggeredColumns colors_ = rounded(random_staggered(small));
};

constexpr double rotation = 3e-6;  // single precision, numbers of order 1, four of them added

TEST_F(BinaryPropagators, OfMilcAreRead) {
  for (const bool big : {false, true}) {
    SCOPED_TRACE(big ? "big-endian" : "little-endian");
    const auto staggered = expect_read(reference::milc_bytes(colors_, lattice_, "now", big),
                                       PropagatorKind::staggered, with_zeta(colors_, small), 0);
    EXPECT_EQ(staggered.metadata, "now");
    EXPECT_EQ(staggered.format, PropagatorFormat::milc);
    EXPECT_EQ(staggered.phases, StaggeredPhases::txyz);
    EXPECT_EQ(staggered.order, big ? ByteOrder::big : ByteOrder::little);
    EXPECT_TRUE(staggered.warnings.empty());
    for (const std::vector<int>& spins : {std::vector<int>{0, 1, 2, 3}, std::vector<int>{2, 0, 3, 1}}) {
      const auto wilson = expect_read(reference::milc_bytes(spinors_, lattice_, "then", big, spins),
                                      PropagatorKind::spinors, reference::with_other_gammas(spinors_), 0);
      EXPECT_EQ(wilson.metadata, "then");
      EXPECT_EQ(wilson.basis, SpinBasis::milc);
      EXPECT_EQ(wilson.columns.size(), 12u);
    }
  }
}

TEST_F(BinaryPropagators, OfFnalAreRead) {
  for (const bool big : {false, true}) {
    SCOPED_TRACE(big ? "big-endian" : "little-endian");
    const auto staggered = expect_read(reference::fnal_bytes(colors_, lattice_, big),
                                       PropagatorKind::staggered, with_zeta(colors_, small), 0);
    EXPECT_EQ(staggered.format, PropagatorFormat::fnal);
    EXPECT_FALSE(staggered.checksum.has_value());
    EXPECT_EQ(staggered.warnings.size(), 1u);
    for (const bool by_columns : {false, true}) {
      const auto wilson =
          expect_read(reference::fnal_bytes(spinors_, lattice_, big, by_columns), PropagatorKind::spinors,
                      reference::from_dirac_basis(spinors_), rotation);
      EXPECT_EQ(wilson.basis, SpinBasis::fnal);
    }
  }
}

TEST_F(BinaryPropagators, WhatIsWrittenIsTheirs) {
  const Field spinors = propagator_field(geometry_, spinors_), colors = staggered_field(geometry_, colors_);
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    const bool big = order == ByteOrder::big;
    const auto written = [&](const Field& field, PropagatorFormat format, const std::string& stamp) {
      write_propagator(path_, grid_, field,
                       {format, Precision::single_precision, stamp, StaggeredPhases::xyzt, order});
      return read_together(path_);
    };
    EXPECT_TRUE(written(colors, PropagatorFormat::milc, "now") ==
                reference::milc_bytes(with_zeta(colors_, small), lattice_, "now", big));
    EXPECT_TRUE(
        written(spinors, PropagatorFormat::milc, "") ==
        reference::milc_bytes(reference::with_other_gammas(spinors_), lattice_, "", big, {0, 1, 2, 3}));
    EXPECT_TRUE(written(colors, PropagatorFormat::fnal, "") ==
                reference::fnal_bytes(with_zeta(colors_, small), lattice_, big));
    const auto found = reference::read_fnal_propagator(written(spinors, PropagatorFormat::fnal, "")).spinors;
    EXPECT_LT(largest_difference(spinors, reference::from_dirac_basis(found)), rotation);
    const auto milc = reference::read_milc_propagator(written(spinors, PropagatorFormat::milc, "a day"));
    EXPECT_EQ(milc.time_stamp, "a day");
    EXPECT_EQ(different_numbers(spinors, reference::with_other_gammas(milc.spinors)), 0);
  }
}

// The spin bases, of the formulas alone: what goes there and back is the same, and what the gamma matrices of
// one are to its spinors, those of the other are to theirs.
TEST_F(BinaryPropagators, TheReferenceBasesAreUnitary) {
  const auto back = reference::to_dirac_basis(reference::from_dirac_basis(spinors_));
  EXPECT_LT(largest_difference(propagator_field(geometry_, spinors_), back), 1e-13);
}

TEST_F(BinaryPropagators, OthersAreRefused) {
  Field colors = empty(PropagatorKind::staggered), spinors = empty(PropagatorKind::spinors);
  const std::string ks = reference::milc_bytes(colors_, lattice_, "now", true),
                    wilson = reference::milc_bytes(spinors_, lattice_, "now", true, {0, 1, 2, 3}),
                    fnal = reference::fnal_bytes(colors_, lattice_, true);
  const auto with_word = [](std::string bytes, std::size_t at, std::uint32_t word) {
    store(reinterpret_cast<std::byte*>(bytes.data() + at), ByteOrder::big, word);
    return bytes;
  };
  const std::size_t column = 192 * 24;
  const struct {
    std::string bytes;
    Field& field;
    Parts parts;
  } cases[] = {
      {ks.substr(0, 50), colors, {"ends inside the header", "expected 88 bytes, found 50"}},
      {wilson.substr(0, 90), spinors, {"ends inside the header", "expected 108 bytes, found 90"}},
      {ks + "x", colors, {"1 bytes too many"}},
      {with_word(ks, 84, 1), colors, {"byte 84", "natural order"}},
      {with_word(ks, 8, 0), colors, {"byte 8", "extent in y", "found 0"}},
      {with_word(ks, 8, 4000), colors, {"truncated"}},
      {with_word(ks, 88 + 12 + column, 2), colors, {"expected color 1 of the source, found 2"}},
      {with_word(wilson, 88, 2), spinors, {"all 4 spins of the source, found 2"}},
      {with_word(wilson, 96, 0), spinors, {"each once, found 0, 0, 2, 3"}},
      {with_word(wilson, 108, 3), spinors, {"expected spin 0 of the source, found 3"}},
      {with_word(fnal, 8, 8), colors, {"numbers of 4 bytes, found 8"}},
      {with_word(fnal, 32, 1), colors, {"byte 32", "natural order"}},
      {ks, spinors, {"expected a propagator of spinors, found a propagator of staggered quarks"}},
      {wilson, colors, {"expected a propagator of staggered quarks, found a propagator of spinors"}}};
  for (const auto& [bytes, field, parts] : cases) expect_parts(refused(bytes, field), parts);
  // FNAL's gauge fields have 72 numbers.
  write_bytes(path_, with_word(fnal, 12, 72));
  EXPECT_FALSE(together([&] { return is_propagator(path_); }));
  // Sums of 0 are none.
  const std::string without = with_word(with_word(ks, 92, 0), 96, 0);
  const auto info = expect_read(without, PropagatorKind::staggered, with_zeta(colors_, small), 0);
  EXPECT_FALSE(info.checksum.has_value());
  EXPECT_EQ(info.warnings.size(), 1u);
}

TEST_F(BinaryPropagators, StaleChecksumsAreAcceptedColumnByColumn) {
  std::string bytes = reference::milc_bytes(colors_, lattice_, "now", false);
  const std::size_t column = 192 * 24;
  bytes[88 + 12 + 40] = static_cast<char>(bytes[88 + 12 + 40] ^ 1);                          // color 0
  bytes[88 + 3 * 12 + 2 * column] = static_cast<char>(bytes[88 + 3 * 12 + 2 * column] ^ 1);  // color 2
  Field back = empty(PropagatorKind::staggered);
  std::vector<std::string> accepted;
  for (const int color : {0, 2}) {
    write_bytes(path_, bytes);
    const auto error = error_of([&] { read_propagator(path_, grid_, back, {accepted}); });
    ASSERT_TRUE(error.has_value());
    const std::string what = error->what(), key = "--accept-checksum \"";
    EXPECT_NE(what.find("damaged in column " + std::to_string(color)), std::string::npos) << what;
    accepted.push_back(what.substr(what.find(key) + key.size(), 17));
  }
  const auto report = read_propagator(path_, grid_, back, {accepted});
  EXPECT_TRUE(report.stale_checksum);
  EXPECT_NE(report.checksum, report.info.checksum);
  EXPECT_LT(largest_difference(back, with_zeta(colors_, small)), 1e-6);
}

TEST_F(BinaryPropagators, WhatHasNoPlaceIsNotWritten) {
  const Field spinors = propagator_field(geometry_, spinors_);
  Field single(geometry_, propagator_spec(PropagatorKind::spinors, Precision::double_precision, 1));
  for (const auto format : {PropagatorFormat::milc, PropagatorFormat::fnal}) {
    expect_unwritten(spinors, {format, Precision::double_precision, ""}, {"single precision only"});
    expect_unwritten(single, {format, Precision::single_precision, ""}, {"not a single quark field"});
  }
  expect_unwritten(single, {PropagatorFormat::hdf5, Precision::single_precision, ""},
                   {"HDF5 files hold the 12 columns of a propagator, not a single quark field"});
  expect_unwritten(spinors, {PropagatorFormat::milc, Precision::single_precision, std::string(64, 'x')},
                   {"cannot write " + path_, "at most 63 bytes"});
  expect_unwritten(spinors, {PropagatorFormat::milc, Precision::single_precision, "two\nlines"},
                   {"one line"});
}

// Single quark fields, as MILC and QDP++ write them.
TEST_F(BinaryPropagators, SingleFieldsAreRead) {
  const StaggeredColumns vector = {colors_[1]};
  Field color(geometry_, propagator_spec(PropagatorKind::staggered, Precision::double_precision, 1)),
      spinor(geometry_, propagator_spec(PropagatorKind::spinors, Precision::double_precision, 1));
  for (const int bits : {32, 64}) {
    write_bytes(path_,
                scidac_example(dims_of(small), "<?xml version=\"1.0\"?><title>a</title>",
                               vector_record_xml(bits, 1), "<?xml version=\"1.0\"?><info>a vector</info>",
                               vector_bytes(vector, bits), 6 * bits / 8)
                    .bytes());
    const auto report = read(color);
    EXPECT_EQ(report.info.count, 1);
    EXPECT_EQ(report.info.warnings.size(), 1u);  // it does not say its phases
    EXPECT_EQ(different_numbers(color, with_zeta(vector, small)), 0);
    for (const std::string& type : {"USQCD_" + letter_of(bits) + "3_DiracFermion", std::string("Lattice")}) {
      const reference::PropagatorColumns one = {spinors_[5]};
      write_bytes(path_, scidac_example(dims_of(small), "<?xml version=\"1.0\"?><title>a</title>",
                                        private_record_xml(type, bits, 24 * bits / 8, 1, 4),
                                        "<?xml version=\"1.0\"?><info>a spinor</info>",
                                        big_endian_bytes(one, bits), 24 * bits / 8)
                             .bytes());
      const auto of_spinor = read(spinor);
      EXPECT_EQ(of_spinor.info.count, 1);
      EXPECT_EQ(different_numbers(spinor, one), 0);
    }
  }
  Field all = empty(PropagatorKind::spinors);
  expect_error_everywhere([&] { read(all); }, ErrorKind::input_file,
                          {path_, "expected a propagator of spinors, found a single spinor field"});
  write_propagator(path_, grid_, propagator_field(geometry_, spinors_),
                   {PropagatorFormat::scidac, Precision::double_precision, ""});
  expect_error_everywhere([&] { read(spinor); }, ErrorKind::input_file,
                          {path_, "expected a single spinor field, found a propagator of spinors"});
}

}  // namespace
}  // namespace plaq
