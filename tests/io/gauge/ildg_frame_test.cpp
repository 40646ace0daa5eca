
#include <cctype>

#include "io/gauge/lime_gauge.hpp"
#include "io/lime/lime_texts.hpp"
#include "tests/io/lime/lime_files.hpp"
#include "tests/support/files.hpp"

namespace plaq {
namespace {

using test::source_of;

const std::string data(2 * 2 * 2 * 4 * 576, 'x');
constexpr LinkChecksum sums{ChecksumKind::scidac, 0x12, 0xabcdef01};

GaugeWriteRequest request(bool ildg = true) {
  GaugeWriteRequest r;
  r.format = ildg ? GaugeFileFormat::ildg : GaugeFileFormat::scidac;
  r.extents = {2, 2, 2, 4};
  r.plaquette = 0.123456789012345;
  r.link_trace = -0.25;
  return r;
}
std::string file_of(const GaugeWriteRequest& r, const LinkChecksum& checksum = sums) {
  const auto& format = r.format == GaugeFileFormat::ildg ? ildg_format() : scidac_format();
  const GaugeFileFrame frame = format.frame(r, checksum);
  return frame.head + data.substr(0, static_cast<std::size_t>(32 * r.links.site_bytes())) + frame.tail;
}
GaugeFileInfo inspect(const std::string& bytes) { return ildg_format().inspect(source_of(bytes)); }
std::string entry(const GaugeFileInfo& info, const std::string& key) {
  for (const auto& e : info.entries)
    if (e.key == key) return e.value;
  return "(none)";
}

TEST(IldgFrame, IsReadBack) {
  for (const bool ildg : {true, false})
    for (const auto precision : {Precision::single_precision, Precision::double_precision}) {
      auto r = request(ildg);
      r.links.precision = precision;
      r.metadata.ildg_lfn = "lfn://plaq/test/1";
      const std::string bytes = file_of(r);
      const GaugeFileInfo info = inspect(bytes);
      EXPECT_EQ(info.format, r.format);
      EXPECT_EQ(info.extents, r.extents);
      EXPECT_EQ(info.links, r.links);
      EXPECT_EQ(info.plaquette, r.plaquette);
      EXPECT_EQ(info.link_trace, r.link_trace);
      EXPECT_EQ(info.checksum, sums);
      EXPECT_TRUE(info.warnings.empty()) << info.warnings[0];
      EXPECT_EQ(entry(info, "ildg-data-lfn"), "lfn://plaq/test/1");
    }
}

TEST(IldgFrame, HasTheRecordsOfQio) {
  auto r = request();
  r.metadata.ildg_lfn = "lfn://x";
  const auto records = reference::lime_records(file_of(r));
  const std::vector<std::tuple<std::string, bool, bool>> expected = {
      {"scidac-private-file-xml", true, false},
      {"scidac-file-xml", false, true},
      {"scidac-private-record-xml", true, false},
      {"scidac-record-xml", false, false},
      {"ildg-format", false, false},
      {"ildg-binary-data", false, false},
      {"scidac-checksum", false, true},
      {"ildg-data-lfn", true, true},
      {"plaq-info", true, true}};
  ASSERT_EQ(records.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(std::tuple(records[i].type, records[i].begins, records[i].ends), expected[i]);
  EXPECT_EQ(records[5].data, data);
  using reference::between_tags;
  EXPECT_EQ(between_tags(records[0].data, "dims"), "2 2 2 4 ");
  EXPECT_EQ(between_tags(records[2].data, "datatype"), "QDP_D3_ColorMatrix");
  EXPECT_EQ(between_tags(records[2].data, "typesize"), "144");
  EXPECT_EQ(between_tags(records[2].data, "datacount"), "4");
  EXPECT_EQ(between_tags(records[3].data, "plaq"), "0.123456789012345");
  EXPECT_EQ(between_tags(records[3].data, "linktr"), "-0.25");
  EXPECT_EQ(between_tags(records[4].data, "precision"), "64");
  EXPECT_EQ(between_tags(records[4].data, "lt"), "4");
  EXPECT_EQ(between_tags(records[6].data, "suma"), "00000012");
  EXPECT_EQ(between_tags(records[6].data, "sumb"), "abcdef01");
}

TEST(IldgFrame, SizesDoNotDependOnTheChecksum) {
  const auto a = ildg_format().frame(request(), {ChecksumKind::scidac, 0, 0});
  const auto b = ildg_format().frame(request(), {ChecksumKind::scidac, 0xffffffff, 0xffffffff});
  EXPECT_EQ(a.head, b.head);
  EXPECT_EQ(a.tail.size(), b.tail.size());
  EXPECT_EQ(file_of(request()), file_of(request()));
}

TEST(IldgFrame, MetadataOfNersc) {
  auto r = request();
  r.metadata.ensemble_id = "id & <name>";
  r.metadata.sequence_number = 17;
  r.metadata.entries = {{"ENSEMBLE_ID", "older"},
                        {"CREATOR", "\xc3\xa4 > b"},
                        {"DATATYPE", "4D_SU3_GAUGE"},
                        {"CHECKSUM", "1234"},
                        {"date", "Mon Jan  2 2023"}};
  const GaugeFileInfo info = inspect(file_of(r));
  EXPECT_EQ(reference::between_tags(entry(info, "scidac-record-xml"), "info"),
            "ENSEMBLE_ID = id &amp; &lt;name&gt;\nSEQUENCE_NUMBER = 17\nCREATOR = \xc3\xa4 &gt; b\n");
  EXPECT_EQ(reference::between_tags(entry(info, "scidac-private-record-xml"), "date"), "Mon Jan  2 2023");
  const auto lines = lime_header_lines(info.entries);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].key, "ENSEMBLE_ID");
  EXPECT_EQ(lines[0].value, "id & <name>");
  EXPECT_EQ(lines[2].value, "\xc3\xa4 > b");
}

// A file that is read and written again has the same bytes, in either format, as often as one likes.
TEST(IldgFrame, RewritingKeepsEverything) {
  auto first = request();
  first.metadata.ensemble_label = "a label";
  first.metadata.ildg_lfn = "lfn://plaq/test/1";
  first.metadata.entries = {{"date", "Mon Jan  2 2023"},
                            {"KEY", "value"},
                            {"xlf-info", "plaquette = 0.123457\nbeta = 6\n"},
                            {"Several", "two\nlines"},
                            {"scidac-file-xml", "<any>thing</any>"}};
  const std::string bytes = file_of(first);
  auto second = request();
  second.metadata.entries = inspect(bytes).entries;
  EXPECT_EQ(file_of(second), bytes);
  second.format = GaugeFileFormat::scidac;
  auto third = request();
  third.metadata.entries = inspect(file_of(second)).entries;
  EXPECT_EQ(file_of(third), bytes);
}

TEST(IldgFrame, TextsOfOthersAreKept) {
  auto r = request();
  const std::string xml = "<?xml version=\"1.0\"?>\n\n<szin>\n  <a>1</a>\n</szin>\n";
  r.metadata.ensemble_label = "new label";
  r.metadata.entries = {{"scidac-record-xml", xml}, {"KEY", "value"}};
  const GaugeFileInfo info = inspect(file_of(r));
  EXPECT_EQ(entry(info, "scidac-record-xml"), xml);
  EXPECT_EQ(info.plaquette, r.plaquette);  // from plaq-info
  EXPECT_EQ(info.link_trace, r.link_trace);
  const auto lines = lime_header_lines(info.entries);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].key + lines[0].value, "ENSEMBLE_LABELnew label");
  auto again = request();
  again.metadata.entries = info.entries;
  EXPECT_EQ(file_of(again), file_of(r));
}

TEST(IldgFrame, ValuesThatNoLongerHoldAreSetRight) {
  auto r = request();
  r.metadata.entries = {{"scidac-record-xml",
                         "<usqcdInfo><version>1.0</version><plaq> 0.5 "
                         "</plaq><linktr>-0.2500001</linktr><info>a</info></usqcdInfo>"},
                        {"xlf-info", " plaquette = 0.500000\n beta = 6\n"}};
  const GaugeFileInfo info = inspect(file_of(r));
  EXPECT_EQ(info.plaquette, r.plaquette);
  EXPECT_EQ(entry(info, "scidac-record-xml"),
            "<usqcdInfo><version>1.0</version><plaq>0.123456789012345</plaq><linktr>-0.2500001</"
            "linktr><info>a</info></usqcdInfo>");
  EXPECT_EQ(entry(info, "xlf-info"), " plaquette = 0.123456789012\n beta = 6\n");
}

TEST(IldgFrame, RefusesWhatCannotBeReadBack) {
  const std::string zero("a\0b", 3);
  const struct {
    HeaderEntry entry;
    std::string what;
  } cases[] = {
      {{"KEY", zero}, "UTF-8"},
      {{"KEY", "\xff"}, "UTF-8"},
      {{zero, "value"}, "UTF-8"},
      {{"scidac-file-xml", zero}, "UTF-8"},
      {{"a=b", "value"}, "without '='"},
      {{"", "value"}, "a key"},
      {{"KEY", " value"}, "one line without blanks"},
      {{"header_crc", "1"}, "belongs to plaq-info"},
      {{std::string(60, 'a') + "-" + std::string(70, 'a'), "text"}, "at most 127"},
      {{"scidac-file-xml", std::string(most_text_bytes, 'x')}, "less than"},
      {{"scidac-private-record-xml", "no XML"}, "expected"},
      {{"date", "two\nlines"}, "one line"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what + c.entry.key);
    auto r = request();
    r.metadata.entries = {c.entry};
    test::expect_error([&] { file_of(r); }, ErrorKind::output_file, {c.what});
  }
  auto r = request();
  r.metadata.entries = {{"scidac-file-xml", "a"}, {"scidac-file-xml", "b"}};
  test::expect_error([&] { file_of(r); }, ErrorKind::output_file, {"twice"});
  r = request();
  for (int i = 0; i < 3; ++i)
    r.metadata.entries.push_back({"some-text", std::string(most_text_bytes - 1, 'x')});
  test::expect_error([&] { file_of(r); }, ErrorKind::output_file, {"in all"});
}

// Every bit around the links: refused, or a warning says so. Bits of the links are the checksum's.
TEST(IldgFrame, EveryBitFlipIsNoticed) {
  auto r = request();
  r.metadata.ensemble_label = "a label";
  r.metadata.ildg_lfn = "lfn://x";
  const GaugeFileFrame frame = ildg_format().frame(r, sums);
  const std::string good = frame.head + data + frame.tail;
  EXPECT_TRUE(inspect(good).warnings.empty());
  for (std::size_t at = 0; at < good.size(); ++at) {
    if (at == frame.head.size()) at += data.size();
    for (int bit = 0; bit < 8; ++bit) {
      const std::string bytes = test::with_flipped_bit(good, at, bit);
      try {
        const GaugeFileInfo info = inspect(bytes);
        const bool same_digit =
            at + 16 > good.size() && std::isxdigit(good[at]) && (bytes[at] ^ good[at]) == 32;
        EXPECT_TRUE(!info.warnings.empty() || same_digit) << "byte " << at << " bit " << bit;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input_file) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace plaq
