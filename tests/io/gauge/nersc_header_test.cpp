#include "io/gauge/nersc_header.hpp"

#include "tests/io/lime/lime_files.hpp"
#include "tests/support/errors.hpp"

namespace plaq {
namespace {

const std::string good =
    "BEGIN_HEADER\n"
    "HDR_VERSION = 1.0\n"
    "DATATYPE = 4D_SU3_GAUGE_3x3\n"
    "STORAGE_FORMAT = 1.0\n"
    "DIMENSION_1 = 2\n"
    "DIMENSION_2 = 4\n"
    "DIMENSION_3 = 6\n"
    "DIMENSION_4 = 8\n"
    "LINK_TRACE = -0.125\n"
    "PLAQUETTE = 0.5941\n"
    "BOUNDARY_4 = PERIODIC\n"
    "CHECKSUM = f9ad0d88\n"
    "ENSEMBLE_LABEL = a = b, quenched\n"
    "FLOATING_POINT = IEEE64BIG\n"
    "END_HEADER\n";

NerscHeader parse(const std::string& text) { return parse_nersc_header(test::source_of(text)); }
GaugeFileInfo info_of(const std::string& text) { return read_nersc_info(test::source_of(text)); }

// `good` with one line replaced ("" takes it away).
std::string with(const std::string& key, const std::string& line) {
  const auto begin = good.find(key), end = good.find('\n', begin) + 1;
  std::string text = good.substr(0, begin);
  text.append(line);
  if (!line.empty()) text.push_back('\n');
  return text.append(good, end);
}

void expect_refused(const std::string& text, const test::Parts& parts) {
  const std::string refusal = test::message_of(ErrorKind::input_file, [&] { parse(text); });
  EXPECT_TRUE(refusal.starts_with("some.file")) << refusal;
  test::expect_parts(refusal, parts);
}

TEST(NerscHeader, ReadsEveryKey) {
  const NerscHeader header = parse(good + "the links");
  EXPECT_EQ(header.extents, (Extents{2, 4, 6, 8}));
  EXPECT_EQ(header.rows, 3);
  EXPECT_EQ(header.precision, Precision::double_precision);
  EXPECT_EQ(header.order, ByteOrder::big);
  EXPECT_EQ(header.plaquette, 0.5941);
  EXPECT_EQ(header.link_trace, -0.125);
  EXPECT_EQ(header.checksum, 0xf9ad0d88u);
  EXPECT_EQ(header.bytes, good.size());
  ASSERT_NE(header.find("ENSEMBLE_LABEL"), nullptr);
  EXPECT_EQ(header.find("ENSEMBLE_LABEL")->value, "a = b, quenched");
  EXPECT_EQ(header.find("ENSEMBLE_LABEL")->line, 13);
  EXPECT_EQ(header.entries.size(), 13u);
}

TEST(NerscHeader, ToleratesWhatOtherWritersDo) {
  std::string text;
  for (const char c : good) {
    if (c == '\n') text.push_back('\r');
    text.push_back(c);
  }
  EXPECT_EQ(parse(text).bytes, text.size());                        // line ends of another system
  EXPECT_EQ(parse(with("HDR_VERSION", "")).rows, 3);                // versions may be missing,
  EXPECT_EQ(parse(with("PLAQUETTE", "")).plaquette, std::nullopt);  // and numbers to compare with
  EXPECT_EQ(parse(with("CHECKSUM", "")).checksum, std::nullopt);
  EXPECT_EQ(parse(with("CHECKSUM", "CHECKSUM = 0")).checksum, std::nullopt);
  EXPECT_EQ(parse(with("CHECKSUM", "CHECKSUM = 0x1F")).checksum, 0x1fu);
  EXPECT_EQ(parse(with("LINK_TRACE", "LINK_TRACE = 0")).link_trace, std::nullopt);
  EXPECT_EQ(parse(with("PLAQUETTE", "  PLAQUETTE=  +5.9e-1  ")).plaquette, 0.59);
  EXPECT_EQ(parse(with("BOUNDARY_4", "\nMY_KEY = \xc3\xa4\n")).find("MY_KEY")->value, "\xc3\xa4");
}

TEST(NerscHeader, KnowsFormatsOfNumbers) {
  EXPECT_EQ(parse(with("DATATYPE", "DATATYPE = 4D_SU3_GAUGE")).rows, 2);
  for (const auto& [name, precision, order] :
       {std::tuple{"IEEE32BIG", Precision::single_precision, std::optional(ByteOrder::big)},
        std::tuple{"IEEE32LITTLE", Precision::single_precision, std::optional(ByteOrder::little)},
        std::tuple{"IEEE32", Precision::single_precision, std::optional<ByteOrder>()},
        std::tuple{"IEEE64LITTLE", Precision::double_precision, std::optional(ByteOrder::little)},
        std::tuple{"IEEE64", Precision::double_precision, std::optional<ByteOrder>()}}) {
    const auto header = parse(with("FLOATING_POINT", std::string("FLOATING_POINT = ") + name));
    EXPECT_EQ(header.precision, precision) << name;
    EXPECT_EQ(header.order, order) << name;
  }
}

TEST(NerscHeader, RefusesWithLineExpectedAndFound) {
  expect_refused("", {"line 1", "BEGIN_HEADER"});
  expect_refused("BEGIN_HEADER", {"line 1"});
  expect_refused("BEGIN_HEADERS\n", {"line 1", "expected BEGIN_HEADER", "'BEGIN_HEADERS'"});
  expect_refused(good.substr(0, 60), {"line 4", "ends after 60 bytes", "END_HEADER"});
  expect_refused(with("END_HEADER", "END_HEADR"), {"line 15", "KEY = VALUE", "'END_HEADR'"});
  expect_refused(with("HDR_VERSION", "HDR_VERSION = 2.0"), {"line 2", "HDR_VERSION = '2.0'", "1.0"});
  expect_refused(with("STORAGE_FORMAT", "STORAGE_FORMAT = new"), {"line 4", "'new'"});
  expect_refused(with("DATATYPE", ""), {"no DATATYPE", "4D_SU3_GAUGE_3x3"});
  expect_refused(with("DATATYPE", "DATATYPE = 4D_SU2_GAUGE"),
                 {"line 3", "'4D_SU2_GAUGE'", "4D_SU3_GAUGE_3x3"});
  expect_refused(with("FLOATING_POINT", ""), {"no FLOATING_POINT", "IEEE64BIG"});
  expect_refused(with("FLOATING_POINT", "FLOATING_POINT = IEEE16"), {"line 14", "'IEEE16'", "IEEE32BIG"});
  expect_refused(with("DIMENSION_3", ""), {"no DIMENSION_3"});
  for (const char* bad : {"0", "-4", "4.0", "four", "", "4 4", "99999999999999999999", "65537"})
    expect_refused(with("DIMENSION_3", std::string("DIMENSION_3 = ") + bad),
                   {"line 7", "DIMENSION_3 = '" + std::string(bad) + "'", "whole number from 1 to 65536"});
  for (const char* bad : {"nan", "inf", "0.5.", "", "1e999", "x"})
    expect_refused(with("PLAQUETTE", std::string("PLAQUETTE = ") + bad), {"line 10", "finite number"});
  for (const char* bad : {"1f9ad0d88", "xyz", "-1", "", "0x"})
    expect_refused(with("CHECKSUM", std::string("CHECKSUM = ") + bad), {"line 12", "32 bits"});
  expect_refused(with("BOUNDARY_4", "DIMENSION_1 = 2"), {"line 11", "DIMENSION_1 again", "line 5"});
  expect_refused(with("BOUNDARY_4", "no equals sign"), {"line 11", "'no equals sign'"});
  expect_refused(with("BOUNDARY_4", " = value"), {"line 11"});
  expect_refused(with("BOUNDARY_4", "KEY = \x1b[31m"), {"line 11", "0x1b"});
  expect_refused(with("BOUNDARY_4", std::string("KEY = a\0b", 9)), {"line 11", "0x00"});
}

TEST(NerscHeader, IsBounded) {
  std::string endless = "BEGIN_HEADER\n";
  while (endless.size() < 2 * most_header_bytes) endless += "KEY = VALUE\n";
  expect_refused(endless, {"goes on past 65536 bytes"});
  expect_refused("BEGIN_HEADER\nKEY = " + std::string(2 * most_header_bytes, 'x'), {"line 2", "65536"});
}

TEST(NerscHeader, FormattedAndParsedIsTheSame) {
  NerscHeader header = parse(good);
  header.entries = {{"ENSEMBLE_ID", "plaq test"}, {"SEQUENCE_NUMBER", "17"}};
  for (const auto checksum : {0u, 1u, 0xffffffffu}) {
    header.checksum = checksum;
    const std::string text = format_nersc_header(header);
    const NerscHeader back = parse(text);
    const auto numbers = [](const NerscHeader& h) {
      return std::tuple(h.extents, h.rows, h.order, h.plaquette, h.link_trace);
    };
    EXPECT_EQ(numbers(back), numbers(header));
    EXPECT_EQ(back.bytes, text.size());
    EXPECT_EQ(back.checksum.value_or(0), checksum);
    EXPECT_EQ(back.find("SEQUENCE_NUMBER")->value, "17");
  }
}

constexpr std::size_t good_data = 2 * 4 * 6 * 8 * 4 * 18 * 8;

TEST(NerscInfo, TheSizeMustFit) {
  const auto refused = [](const std::string& text, const test::Parts& parts) {
    test::expect_error([&] { info_of(text); }, ErrorKind::input_file, parts);
  };
  const std::string whole = good + std::string(good_data, 'x');
  EXPECT_EQ(info_of(whole).data_bytes, good_data);
  EXPECT_EQ(info_of(whole + "\n").data_offset, good.size());
  const std::string expected = "expected " + std::to_string(whole.size()) + " bytes";
  for (const auto& [text, what] : {std::pair{whole.substr(0, whole.size() - 1), "truncated by 1 bytes"},
                                   {good, "truncated by"},
                                   {whole + "x", "1 bytes too many"},
                                   {whole + "\n\n", "2 bytes too many"}})
    refused(text, {what, expected, "found " + std::to_string(text.size())});
  std::string huge = good;
  for (int mu = 1; mu <= 4; ++mu) {
    const std::string key = "DIMENSION_" + std::to_string(mu) + " = ";
    huge.replace(huge.find(key) + key.size(), 1, "65536");
  }
  refused(huge, {"larger than any file"});
}

TEST(NerscInfo, OdditiesWarn) {
  const std::string data(good_data, 'x');
  EXPECT_TRUE(info_of(good + data).warnings.empty());
  for (const auto& [key, line, what] :
       {std::tuple{"CHECKSUM", "CHECKSUM = 0", "CHECKSUM is 0"},
        std::tuple{"CHECKSUM", "", "CHECKSUM is absent"},
        std::tuple{"LINK_TRACE", "LINK_TRACE = 0.0", "LINK_TRACE is 0"},
        std::tuple{"PLAQUETTE", "", "PLAQUETTE is absent"},
        std::tuple{"BOUNDARY_4", "BOUNDARY_4 = ANTIPERIODIC", "BOUNDARY_4 = ANTIPERIODIC"},
        std::tuple{"FLOATING_POINT", "FLOATING_POINT = IEEE64", "byte order"}}) {
    const auto warnings = info_of(with(key, line) + data).warnings;
    ASSERT_EQ(warnings.size(), 1u) << what;
    test::expect_parts(warnings[0], {what});
  }
}

TEST(NerscInfo, AnOpenByteOrderIsSeenFromTheFirstLink) {
  const std::string header = with("FLOATING_POINT", "FLOATING_POINT = IEEE64");
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    std::string data(good_data, '\0');
    store(reinterpret_cast<std::byte*>(data.data()), order, 0.6);
    store(reinterpret_cast<std::byte*>(data.data()) + 24, order, -0.8);
    EXPECT_EQ(info_of(header + data).links.order, order);
  }
}

}  // namespace
}  // namespace plaq
