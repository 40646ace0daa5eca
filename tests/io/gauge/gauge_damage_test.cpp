// Damaged and unsuitable files of every format: one clear error, the same on every rank.

#include "io/gauge/link_checksum.hpp"
#include "tests/io/gauge/format_cases.hpp"

namespace plaq {
namespace {

using test::expect_error;
constexpr Extents global{4, 4, 4, 8};

class GaugeDamage : public testing::TestWithParam<GaugeWriteOptions> {
 protected:
  void SetUp() override {
    if (!test::is_for_this_many_ranks(GetParam())) GTEST_SKIP() << "one rank tries all ways";
  }

  LinkFormat format() const { return links_to_write(GetParam()); }
  bool has_checksum() const { return gauge_format(GetParam().format).checksum != ChecksumKind::none; }
  bool is(GaugeFileFormat f) const { return GetParam().format == f; }
  bool is_lime() const { return is_lime_format(GetParam().format); }

  // The file of `links_`, unchecked, with the plaquette and link trace that they had at first.
  std::string bytes(bool with_checksum = true) const {
    return test::unchecked_file(GetParam(), links_, with_checksum, plaquette_, trace_);
  }
  void write(bool with_checksum = true) const { test::write_bytes(path_, bytes(with_checksum)); }
  GaugeReadReport read(bool strip = false) {
    return read_gauge_file(path_, grid_, gauge_, {.strip_antiperiodic = strip});
  }
  GaugeReadReport read_accepting(const std::vector<std::string>& checksums) {
    return read_gauge_file(path_, grid_, gauge_, {.accept_checksums = checksums});
  }
  void expect_refused(const std::vector<std::string>& parts, bool strip = false) {
    test::expect_error_everywhere([&] { read(strip); }, ErrorKind::input_file, parts);
  }
  reference::ColorMatrix& link(const reference::Coordinates& x, std::size_t mu) {
    return links_.link[links_.lattice.index(x)][mu];
  }
  void flip_last_slice() {
    for (std::size_t x = 4 * 4 * 4 * 7; x < links_.link.size(); ++x)
      links_.link[x][3] = -1.0 * links_.link[x][3];
  }

  test::SharedDirectory directory_;
  std::string path_ = directory_ / "field";
  ProcessGrid grid_{MPI_COMM_WORLD, choose_grid(test::world_size(), global)};
  Field gauge_ = test::make_field(grid_, global);
  reference::GaugeField links_ = test::random_links(global, 3);
  double plaquette_ = reference::average_plaquette(links_).all, trace_ = reference::link_trace(links_);
};

INSTANTIATE_TEST_SUITE_P(Formats, GaugeDamage, testing::ValuesIn(test::all_ways()),
                         [](const auto& info) { return test::name_of_way(info.param); });

TEST_P(GaugeDamage, TheUndamagedFileIsFine) {
  for (const bool with_checksum : {true, false}) {
    write(with_checksum);
    const auto report = read();
    const bool narrow = format().precision == Precision::single_precision;
    EXPECT_LE(report.unitarity_violation, narrow ? 1e-6 : 1e-14);
    EXPECT_LE(test::difference(gauge_, links_), narrow ? 3e-7 : 1e-15);
    EXPECT_EQ(report.info.checksum.has_value(), with_checksum && has_checksum());
    verify_gauge_file(report, plaquette_, trace_);
  }
}

TEST_P(GaugeDamage, Truncated) {
  const std::string whole = bytes();
  test::write_bytes(path_, whole);
  const auto info = inspect_gauge_file(path_);
  const std::size_t head = info.data_offset;
  // LIME's last record is a text with its zero.
  const std::size_t end_of_texts = is_lime() ? whole.find_last_not_of('\0') + 2 : whole.size();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{8}, head / 2, head - 1, head, head + 1,
        head + 4000, whole.size() / 2, whole.size() - 100, whole.size() - 1}) {
    SCOPED_TRACE(size);
    test::write_bytes(path_, whole.substr(0, size));
    if (size >= end_of_texts) {  // a multiple of 8 is not insisted on
      EXPECT_EQ(read().info.warnings.size(), 1u);
      continue;
    }
    expect_refused({path_});
    if (size < head) continue;
    if (is_lime()) {
      if (size < head + info.data_bytes)
        expect_refused({"truncated by " + std::to_string(head + info.data_bytes - size), "-binary-data"});
      continue;
    }
    expect_refused({"truncated by " + std::to_string(whole.size() - size), std::to_string(whole.size()),
                    "found " + std::to_string(size)});
  }
}

TEST_P(GaugeDamage, TooLong) {
  const std::string whole = bytes();
  const char* too_many = is_lime() ? " bytes in all" : " bytes too many";  // after the last record
  for (const std::string more : {"x", "\nx", "\n\n", "a lot more"}) {
    test::write_bytes(path_, whole + more);
    // Without a magic number the size is what an openQCD file is known by.
    expect_refused({path_, std::to_string(more.size()) + too_many});
  }
  test::write_bytes(path_, whole + "\n");
  if (!is(GaugeFileFormat::nersc)) return expect_refused({path_, std::string("1") + too_many});
  read();
  EXPECT_LE(test::difference(gauge_, links_), 3e-7);
}

TEST_P(GaugeDamage, AbsurdExtents) {
  const auto with_extent = test::kind_of(GetParam().format).with_extent;
  for (const int extent : {0, -4, 1, 3, 5, 6, 65537, 1 << 30, -(1 << 30)}) {
    SCOPED_TRACE(extent);
    test::write_bytes(path_, with_extent(bytes(), extent));
    expect_refused({path_});
  }
  // A sound file of a lattice with an odd extent.
  links_ = test::random_links({3, 4, 4, 8}, 3);
  write();
  expect_refused({path_, "3x4x4x8"});
}

TEST_P(GaugeDamage, FirstByte) {
  std::string damaged = bytes();
  damaged[0] = static_cast<char>(damaged[0] ^ 0x40);
  test::write_bytes(path_, damaged);
  // In an openQCD file it is an extent, which then does not fit the size.
  if (is(GaugeFileFormat::openqcd)) return expect_refused({path_, "truncated"});
  if (is(GaugeFileFormat::ddalphaamg)) return expect_refused({path_});
  expect_refused({path_, "expected a gauge file of a format", "NERSC, ILDG, SciDAC, MILC v5, openQCD",
                  "begins with the bytes"});
}

TEST_P(GaugeDamage, NotANumber) {
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    auto& entry = link({1, 3, 0, 6}, 2)(0, 1);
    const auto good = entry;
    entry = {good.real(), bad};
    link({0, 0, 0, 7}, 0)(0, 0) = 17;  // a later one
    write();
    expect_refused({path_, "link z of site (x,y,z,t) = (1,3,0,6)", "not a finite number"});
    entry = good;
  }
}

TEST_P(GaugeDamage, LinksThatAreNotSu3) {
  link({3, 2, 1, 5}, 1)(0, 0) += 1e-4;
  link({0, 3, 1, 5}, 1)(0, 0) += 3e-4;  // later
  write();
  expect_refused({path_, "link y of site (x,y,z,t) = (3,2,1,5)", "not SU(3)"});
}

TEST_P(GaugeDamage, UnitaryWithAnotherDeterminant) {
  if (format().rows == 2) return;  // the third row follows from the others
  auto& turned = link({2, 2, 2, 2}, 0);
  turned = std::polar(1.0, 1e-4) * turned;
  write();
  expect_refused({path_, "link x of site (x,y,z,t) = (2,2,2,2)", "not SU(3)", "determinant"});
}

TEST_P(GaugeDamage, SmallDeviationsAreTolerated) {
  link({3, 2, 1, 5}, 1)(0, 0) += 2e-6;
  write();
  const double violation = read().unitarity_violation;
  EXPECT_GT(violation, 1e-7);
  EXPECT_LT(violation, 1e-5);
}

TEST_P(GaugeDamage, OpenBoundaries) {
  for (std::size_t x = 4 * 4 * 4 * 7; x < links_.link.size(); ++x)
    links_.link[x][3] = 0.0 * links_.link[x][3];
  write();
  expect_refused({path_, "open boundaries in time", "(0,0,0,7)"});
}

// A header that states a sign, and no number by which third rows of the other sign would be noticed.
TEST_P(GaugeDamage, StatedBoundariesOfTwoRows) {
  if (!is(GaugeFileFormat::nersc)) return;
  const auto good = links_;
  const auto state = [&](const std::string& direction, bool with_plaquette) {
    std::string bytes = this->bytes();
    const auto replace = [&](const std::string& from, const std::string& to) {
      ASSERT_NE(bytes.find(from), std::string::npos) << from;
      bytes.replace(bytes.find(from), from.size(), to);
    };
    replace("BOUNDARY_" + direction + " = PERIODIC", "BOUNDARY_" + direction + " = ANTIPERIODIC");
    replace("LINK_TRACE", "SOME_TRACE");
    if (!with_plaquette) replace("PLAQUETTE", "OTHER_MEAN");
    test::write_bytes(path_, bytes);
  };
  flip_last_slice();
  state("4", false);
  if (format().rows == 2) {
    expect_refused(
        {path_, "BOUNDARY 1 1 1 -1", "neither PLAQUETTE nor LINK_TRACE", "antiperiodic = \"strip\""});
  } else {
    expect_refused({"determinant -1"});
  }
  const auto stripped = read(true);
  EXPECT_LE(test::difference(gauge_, good), format().precision == Precision::single_precision ? 3e-7 : 1e-15);
  EXPECT_EQ(compared_with_header(stripped), std::vector<std::string>{"checksum"});
  EXPECT_EQ(compared_with_header(stripped, false), (std::vector<std::string>{"plaquette", "link trace"}));
  links_ = good;
  if (format().rows == 3) return;
  state("4", true);  // the plaquette tells
  const auto report = read();
  verify_gauge_file(report, plaquette_, trace_);
  EXPECT_EQ(compared_with_header(report), (std::vector<std::string>{"checksum", "plaquette"}));
  state("2", false);
  expect_refused({"BOUNDARY 1 -1 1 1", "add its PLAQUETTE"});
}

TEST_P(GaugeDamage, AntiperiodicSign) {
  const auto good = links_;
  flip_last_slice();
  write();
  if (format().rows == 3) {
    expect_refused({path_, "last time slice", "antiperiodic sign", "(0,0,0,7)", "determinant -1",
                    "antiperiodic = \"strip\" in [gauge]"});
  } else {  // seen from the plaquette only
    const auto report = read();
    expect_error([&] { verify_gauge_file(report, plaquette_ + 0.01, trace_); }, ErrorKind::input_file,
                 {"antiperiodic = \"strip\" in [gauge]"});
  }
  const auto report = read(true);
  EXPECT_LE(test::difference(gauge_, good), format().precision == Precision::single_precision ? 3e-7 : 1e-15);
  verify_gauge_file(report, plaquette_, trace_);
  // A header of the links as they are stored.
  const double plain = trace_;
  trace_ = reference::link_trace(links_);
  ASSERT_GT(std::abs(trace_ - plain), 1e-4);
  write();
  const auto stored = read(true);
  verify_gauge_file(stored, plaquette_, plain);
  if (!stored.info.link_trace) return;
  for (const double wrong : {plain + 2e-5, plain - 2e-5, 2 * plain - trace_})
    expect_error([&] { verify_gauge_file(stored, plaquette_, wrong); }, ErrorKind::input_file,
                 {"link trace"});
}

TEST_P(GaugeDamage, ASignElsewhereIsNoBoundaryCondition) {
  flip_last_slice();
  if (format().rows == 2) return;
  link({1, 0, 0, 0}, 3) = -1.0 * link({1, 0, 0, 0}, 3);
  write();
  expect_refused({path_, "link t of site (x,y,z,t) = (1,0,0,0)", "not SU(3)"});
  expect_refused({path_, "link t of site (x,y,z,t) = (1,0,0,0)", "not SU(3)"}, true);
}

// A checksum that the file got before its links changed a little: taken where the user names that of the
// links, and those of no other links.
TEST_P(GaugeDamage, StaleChecksums) {
  if (!has_checksum()) GTEST_SKIP() << "no checksum";
  std::string whole = bytes();
  test::write_bytes(path_, whole);
  const auto info = inspect_gauge_file(path_);
  const auto flip_a_last_bit = [&](std::size_t number, int bit) {
    const auto bytes_of_number = static_cast<std::size_t>(bytes_of(format().precision));
    const std::size_t at = info.data_offset + number * bytes_of_number +
                           (format().order == ByteOrder::big ? bytes_of_number - 1 : 0);
    whole[at] = static_cast<char>(whole[at] ^ (1 << bit));
    test::write_bytes(path_, whole);
  };
  EXPECT_FALSE(read_accepting({"12345678", "12345678 9abcdef0"}).stale_checksum);
  flip_a_last_bit(100, 0);
  const std::string actual =
      test::together([&] { return test::kind_of(GetParam().format).read(path_).found; }).text();
  expect_refused({path_, "damaged", "expected checksum " + info.checksum->text(), "found " + actual,
                  "accept_checksums = [\"" + actual + "\"]", "--accept-checksum"});
  const auto refused = [&](const std::vector<std::string>& accepted) {
    test::expect_error_everywhere([&] { read_accepting(accepted); }, ErrorKind::input_file,
                                  {path_, "damaged"});
  };
  refused({info.checksum->text()});  // the stale one does not name these links
  refused({actual + " 1"});
  for (const std::string& text : {actual, "0X" + actual}) {
    const auto report = read_accepting({"12345678", text});
    EXPECT_TRUE(report.stale_checksum);
    EXPECT_EQ(report.checksum.text(), actual);
    EXPECT_EQ(report.info.checksum, info.checksum);
    EXPECT_LE(test::difference(gauge_, links_), 3e-7);
  }
  flip_a_last_bit(7, 1);  // another corruption
  refused({actual});
}

TEST(AcceptedChecksums, TextsAreOneOrTwoNumbers) {
  for (const std::string good :
       {"0", "3f80a21c", "0x3F80A21C", "3f80a21c 00be11d5", "3f80a21c,be11d5", " 1:2 "})
    EXPECT_FALSE(validate_checksum(good).has_value()) << good;
  for (const std::string bad : {"", " ", "3f80a21cd", "3f80a21g", "1 2 3", "0x", "-1", "+1", "1 0x"})
    EXPECT_TRUE(validate_checksum(bad).has_value()) << bad;
  const LinkChecksum nersc{ChecksumKind::nersc, 0xbe11d5}, milc{ChecksumKind::milc, 0x3f80a21c, 0xbe11d5};
  EXPECT_TRUE(accepts({"be11d5"}, nersc));
  EXPECT_TRUE(accepts({"1", "00BE11D5"}, nersc));
  EXPECT_FALSE(accepts({"be11d5 0"}, nersc));
  EXPECT_TRUE(accepts({"3f80a21c,0xbe11d5"}, milc));
  EXPECT_FALSE(accepts({"be11d5 3f80a21c"}, milc));
  EXPECT_FALSE(accepts({"3f80a21c"}, milc));
  EXPECT_FALSE(accepts({}, milc));
  EXPECT_FALSE(accepts({"0", "0 0"}, LinkChecksum{}));
}

// Which are told apart by their plaquettes.
TEST_P(GaugeDamage, AnOpenqcdPlaquetteMayBeDDalphaAMGs) {
  write();
  const auto report = read();
  if (!report.info.plaquette) return;
  const auto error = test::error_of([&] { verify_gauge_file(report, plaquette_ + 0.01, trace_); });
  ASSERT_TRUE(error.has_value());
  const auto says = [&](const char* other) {
    return std::string(error->what()).find(std::string(other) + " has the same header") != std::string::npos;
  };
  EXPECT_EQ(says("DDalphaAMG"), is(GaugeFileFormat::openqcd));
  EXPECT_EQ(says("openQCD"), is(GaugeFileFormat::ddalphaamg) && format().order == ByteOrder::little);
}

// Without a sign there is nothing to strip, which three rows show, and of two rows the plaquette.
TEST_P(GaugeDamage, StrippingWhatIsPeriodic) {
  write();
  const auto report = read(true);
  const double largest = global_max(grid_, test::difference(gauge_, links_));
  if (format().rows == 3)
    EXPECT_LE(largest, 3e-7);
  else
    EXPECT_GT(largest, 0.5);
  if (format().rows == 3) return;
  expect_error([&] { verify_gauge_file(report, plaquette_ + 0.01, trace_); }, ErrorKind::input_file,
               {"without antiperiodic = \"strip\""});
}

TEST_P(GaugeDamage, LyingHeader) {
  const auto refused = [&](double p, double t, const char* what) {
    test::write_bytes(path_, test::unchecked_file(GetParam(), links_, true, p, t));
    const auto report = read();
    if (what == std::string("plaquette") ? !report.info.plaquette : !report.info.link_trace) return;
    expect_error([&] { verify_gauge_file(report, plaquette_, trace_); }, ErrorKind::input_file,
                 {path_, "header and links disagree", what});
  };
  refused(plaquette_ + 2e-6, trace_, "plaquette");
  refused(plaquette_, trace_ - 2e-6, "link trace");
  write();
  const auto report = read();
  verify_gauge_file(report, plaquette_ + 0.9e-6, trace_ - 0.9e-6);
  if (report.info.plaquette)
    expect_error([&] { verify_gauge_file(report, std::nan(""), trace_); }, ErrorKind::input_file,
                 {"plaquette"});
}

}  // namespace
}  // namespace plaq
