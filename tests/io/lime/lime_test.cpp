#include "io/lime/lime.hpp"

#include "io/lime/lime_texts.hpp"
#include "tests/io/lime/lime_files.hpp"
#include "tests/support/errors.hpp"

namespace plaq {
namespace {

using test::source_of;

std::vector<reference::LimeRecord> three_records() {
  return {{"first-type", "some text", true, true},
          {"second-type", "12345678", true, false},
          {"t", "", false, true}};
}
std::string three() { return reference::lime_bytes(three_records()); }

void expect_refused(const std::string& bytes, const test::Parts& parts) {
  const std::string refusal = test::message_of(ErrorKind::input_file, [&] { LimeTexts{source_of(bytes)}; });
  EXPECT_TRUE(refusal.starts_with("some.file")) << refusal;
  test::expect_parts(refusal, parts);
}
void expect_warning(const std::string& bytes, const test::Parts& parts) {
  const auto warnings = scan_lime(source_of(bytes)).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  test::expect_parts(warnings[0], parts);
}
std::string with_byte(std::string bytes, std::size_t at, char value) {
  bytes[at] = value;
  return bytes;
}

TEST(Lime, ListsRecords) {
  const std::string bytes = three();
  const LimeFile file = scan_lime(source_of(bytes));
  EXPECT_TRUE(file.warnings.empty());
  ASSERT_EQ(file.records.size(), 3u);
  EXPECT_EQ(file.records[0].type, "first-type");
  EXPECT_EQ(file.records[0].bytes, 9u);
  EXPECT_EQ(file.records[0].data_offset, 144u);
  EXPECT_EQ(file.records[1].header_offset, 144u + 16u);
  EXPECT_EQ(file.records[2].bytes, 0u);
  EXPECT_EQ(file.records[0].message, 1);
  EXPECT_EQ(file.records[1].message, 2);
  EXPECT_EQ(file.records[2].message, 2);
  EXPECT_EQ(file.records[1].place(), "record 2 (second-type) at byte 160");
  EXPECT_TRUE(is_lime(source_of(bytes)));
  EXPECT_FALSE(is_lime(source_of("BEGIN_HEADER")));
  EXPECT_FALSE(is_lime(source_of("")));
}

TEST(Lime, WritesWhatTheReferenceWrites) {
  std::string bytes;
  for (const auto& r : three_records()) bytes += lime_record(r.type, r.data, r.begins, r.ends);
  EXPECT_EQ(bytes, three());
  const std::string longest(most_lime_type, 'x');
  EXPECT_EQ(scan_lime(source_of(lime_record(longest, "", true, true))).records[0].type, longest);
  for (const auto& type : {std::string(), longest + 'x', std::string("a\nb"), std::string("a\0b", 3)})
    EXPECT_THROW(lime_record(type, "", true, true), Error) << type;
}

TEST(Lime, RefusesBrokenFraming) {
  const std::string good = three();
  expect_refused("", {"record 1 at byte 0", "found nothing"});
  expect_refused("\x45\x67", {"record 1 at byte 0", "456789ab", "2 bytes in all"});
  expect_refused(with_byte(good, 0, 'x'), {"record 1 at byte 0", "expected", "456789ab", "found 786789ab"});
  expect_refused(with_byte(good, 163, '\xaa'), {"record 2 at byte 160", "found 456789aa"});
  expect_refused(with_byte(good, 5, 2), {"record 1 at byte 0", "expected LIME version 1, found 2"});
  expect_refused(good.substr(0, 100), {"record 1 at byte 0", "truncated", "144", "found 100"});
  expect_refused(good.substr(0, 150),
                 {"truncated by 3 bytes", "record 1 (first-type)", "9 bytes", "found 6"});
  expect_refused(good + "garbage", {"record 4 at byte 456", "or the end of the file", "7 bytes in all"});
  expect_refused(good + std::string(10, '\0') + "x", {"record 4 at byte 456"});
  for (int i = 8; i < 14; ++i)  // lengths up to 2^64 - 1
    expect_refused(with_byte(good, i, '\xff'), {"record 1", "truncated by"});
  std::string overflow = good;
  overflow.replace(8, 8, std::string(8, '\xff'));
  expect_refused(overflow, {"expected 18446744073709551615 bytes of data, found 312"});
  std::string unterminated = good;
  unterminated.replace(16, 128, std::string(128, 'x'));
  expect_refused(unterminated, {"record 1 at byte 0", "no zero"});
  expect_refused(with_byte(good, 17, '\n'), {"ASCII"});
  expect_refused(with_byte(good, 16, '\0'), {"expected a type, found none for 9 bytes"});
}

TEST(Lime, OdditiesWarn) {
  const std::string good = three();
  expect_warning(with_byte(good, 144 + 9, 'x'), {"record 1", "padded with other bytes than zeros"});
  expect_warning(with_byte(good, 100, 'x'), {"record 1", "followed by other bytes"});
  expect_warning(with_byte(good, 7, 1), {"record 1", "unknown bits c001"});
  expect_warning(with_byte(good, 6, 0x40), {"record 1", "should begin a message"});
  expect_warning(with_byte(good, 6, '\x80'),
                 {"record 2", "begins a message, but the one before has not ended"});
  expect_warning(with_byte(good, good.size() - 144 + 6, 0), {"the last message does not end"});
  expect_warning(good + std::string(12, '\0'), {"12 zero bytes after the last record"});
  const std::string unpadded = reference::lime_bytes({{"type", "12345", true, true}});
  expect_warning(unpadded.substr(0, 144 + 5), {"padding is missing"});
  expect_warning(unpadded.substr(0, 144 + 6), {"padding is missing"});
}

TEST(Lime, ManyRecordsAreRefused) {
  std::string bytes;
  const std::string one = lime_record("t", "", true, true);
  for (std::size_t i = 0; i < most_lime_records; ++i) bytes += one;
  EXPECT_EQ(scan_lime(source_of(bytes)).records.size(), most_lime_records);
  expect_refused(bytes + one, {"at most 10000 records"});
}

TEST(LimeTexts, KeepsTextsAndNothingElse) {
  const std::string big(most_text_bytes + 1, 'x');
  const std::string bytes =
      reference::lime_bytes({{"a-text", std::string("two\nlines\0\0", 11), true, true},
                             {"in-utf8", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", true, true},
                             {"latin-1", "\xe4", true, true},
                             {"a-zero", std::string("a\0b", 3), true, true},
                             {"surrogate", "\xed\xa0\x80", true, true},
                             {"too-long", big, true, true},
                             {"nothing", "", true, true},
                             {"scidac-binary-data", "text", true, true}});
  const LimeTexts texts{source_of(bytes)};
  ASSERT_EQ(texts.entries().size(), 2u);
  EXPECT_EQ(texts.entries()[0].key, "a-text");
  EXPECT_EQ(texts.entries()[0].value, "two\nlines");
  EXPECT_EQ(texts.entries()[1].line, 2);
  EXPECT_EQ(texts.warnings().size(), 4u);
  EXPECT_EQ(texts.count("a-zero"), 1);
  EXPECT_EQ(texts.find("none"), nullptr);
  EXPECT_THROW(texts.text(*texts.find("latin-1")), Error);
}

TEST(LimeTexts, KnownTypesAreNotDamagedUnseen) {
  for (std::string type : {"scidac-checksum", "ildg-format", "ildg-binary-data", "plaq-info"}) {
    const std::string known = type;
    type[3] ^= 4;
    expect_refused(reference::lime_bytes({{type, "text", true, true}}),
                   {"record 1 (" + type, "type is damaged", "expected " + known});
  }
  const std::string twice =
      reference::lime_bytes({{"ildg-format", "a", true, true}, {"ildg-format", "b", true, true}});
  const LimeTexts texts{source_of(twice)};
  EXPECT_THROW(texts.find("ildg-format"), Error);
}

}  // namespace
}  // namespace plaq
