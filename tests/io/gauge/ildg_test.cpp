
#include "io/gauge/lime_gauge.hpp"
#include "tests/io/lime/lime_files.hpp"
#include "tests/support/errors.hpp"

namespace plaq::ildg_test {
namespace {

using test::lime_example;
using test::LimeExample;
using test::source_of;

const reference::GaugeField& links() {
  static const reference::GaugeField gauge = [] {
    reference::Generator generator(17);
    return reference::random_gauge({{2, 4, 2, 6}}, generator);
  }();
  return gauge;
}
LimeExample example(bool ildg = true, int precision = 64) {
  return lime_example(ildg, precision, reference::link_bytes(links(), precision));
}
GaugeFileInfo inspect(const std::string& bytes) { return ildg_format().inspect(source_of(bytes)); }

void expect_refused(const LimeExample& file, const test::Parts& parts) {
  const std::string refusal = test::message_of(ErrorKind::input_file, [&] { inspect(file.bytes()); });
  EXPECT_TRUE(refusal.starts_with("some.file")) << refusal;
  test::expect_parts(refusal, parts);
}
void expect_warning(const LimeExample& file, const std::string& part) {
  const auto warnings = inspect(file.bytes()).warnings;
  ASSERT_EQ(warnings.size(), 1u) << testing::PrintToString(warnings);
  test::expect_parts(warnings[0], {part});
}

// The example with one text replaced.
struct Change {
  bool ildg;
  const char *type, *before, *after;
  LimeExample file() const {
    LimeExample changed = example(ildg);
    changed.replace(type, before, after);
    return changed;
  }
};
constexpr const char *file_xml = "scidac-private-file-xml", *record_xml = "scidac-private-record-xml";

TEST(Ildg, BothFormatsInBothPrecisions) {
  for (const bool ildg : {true, false})
    for (const int precision : {32, 64}) {
      const LimeExample file = example(ildg, precision);
      const std::string bytes = file.bytes();
      ASSERT_TRUE((ildg ? ildg_format() : scidac_format()).recognize(source_of(bytes)));
      const GaugeFileInfo info = inspect(bytes);
      EXPECT_EQ(info.path, "some.file");
      EXPECT_EQ(info.format, ildg ? GaugeFileFormat::ildg : GaugeFileFormat::scidac);
      EXPECT_EQ(info.extents, (Extents{2, 4, 2, 6}));
      EXPECT_EQ(8 * bytes_of(info.links.precision), precision);
      EXPECT_EQ(info.links.order, ByteOrder::big);
      EXPECT_EQ(info.checksum_kind, ChecksumKind::scidac);
      const std::string data = reference::link_bytes(links(), precision);
      EXPECT_EQ(bytes.substr(info.data_offset, info.data_bytes), data);
      EXPECT_EQ(info.file_bytes, bytes.size());
      const auto sums = reference::scidac_sums(data, 9 * precision);
      EXPECT_EQ(info.checksum, (LinkChecksum{ChecksumKind::scidac, sums.a, sums.b}));
      EXPECT_EQ(info.plaquette, 0.5948502);
      EXPECT_EQ(info.link_trace, -0.125);
      EXPECT_TRUE(info.warnings.empty()) << info.warnings[0];
      EXPECT_EQ(info.entries.size(), ildg ? 7u : 5u);
      EXPECT_EQ(info.entries[3].key, "scidac-record-xml");
      EXPECT_EQ(info.entries[3].line, 4);
      EXPECT_EQ(lime_header_lines(info.entries)[0].value, "6 < 7");
    }
}

TEST(Ildg, WhatMayBeMissingWarns) {
  LimeExample file = example();
  file.remove("scidac-checksum");
  file["ildg-binary-data"].ends = true;
  expect_warning(file, "scidac-checksum is absent");
  EXPECT_EQ(inspect(file.bytes()).checksum, std::nullopt);
  file = example();
  file.remove("ildg-data-lfn");
  expect_warning(file, "ildg-data-lfn is absent");
  expect_warning(Change{true, record_xml, "QDP_D3_ColorMatrix", "Lattice"}.file(), "Lattice");
  expect_warning(Change{true, record_xml, "<typesize>144</typesize><datacount>4<",
                        "<typesize>16</typesize><datacount>36<"}
                     .file(),
                 "36 objects of 16 bytes");
  file = example();
  for (const char* type : {file_xml, "scidac-file-xml", record_xml, "scidac-record-xml"}) file.remove(type);
  file["ildg-format"].begins = true;
  EXPECT_TRUE(inspect(file.bytes()).warnings.empty());  // ILDG does not ask for them
  file = example();
  std::swap(file["ildg-format"], file["ildg-binary-data"]);
  expect_warning(file, "should stand before the links");
}

// Records as QUDA's lib/qio_field.cpp fills them; of late without spins, before as 9 colors and 1 spin.
TEST(Ildg, GaugeFieldsOfQuda) {
  for (const int precision : {32, 64})
    for (const bool old : {false, true}) {
      const std::string letter = precision == 32 ? "F" : "D";
      LimeExample file = example(false, precision);
      file.replace(record_xml, "QDP_" + letter + "3_ColorMatrix", "QUDA_" + letter + "Nc3_GaugeField");
      file.replace(record_xml, "<colors>3</colors><spins>1</spins>",
                   old ? "<colors>9</colors><spins>1</spins>" : "<colors>3</colors>");
      file["scidac-file-xml"].data = "Dummy user file XML";
      const GaugeFileInfo info = inspect(file.bytes());
      EXPECT_EQ(info.format, GaugeFileFormat::scidac);
      EXPECT_EQ(info.extents, (Extents{2, 4, 2, 6}));
      EXPECT_EQ(8 * bytes_of(info.links.precision), precision);
      EXPECT_TRUE(info.warnings.empty()) << info.warnings[0];
    }
  expect_refused(Change{false, record_xml, "QDP_D3_ColorMatrix", "QUDA_FNc3_GaugeField"}.file(),
                 {"QUDA_FNc3_GaugeField", "precision double"});
  LimeExample file = example(false);
  file[record_xml].data = test::private_record_xml("QUDA_DNs4Nc3_ColorSpinorField", 64, 192, 12);
  expect_refused(file, {"propagator or quark field", "QUDA_DNs4Nc3_ColorSpinorField"});
  file[record_xml].data = test::private_record_xml("QUDA_DNc3_MomField", 64, 144, 4);
  expect_refused(file, {"another field", "QUDA_DNc3_MomField"});
}

TEST(Ildg, WithoutItsFormatRecordOthersSayTheLattice) {
  for (const int precision : {32, 64})
    for (const bool has_record : {true, false}) {
      LimeExample file = example(true, precision);
      file.remove("ildg-format");
      if (!has_record) {
        file.remove(record_xml);
        file["scidac-record-xml"].begins = true;
      }
      expect_warning(file, "ildg-format is absent: lattice and precision are those of the other records");
      const GaugeFileInfo info = inspect(file.bytes());
      EXPECT_EQ(info.extents, (Extents{2, 4, 2, 6}));
      EXPECT_EQ(8 * bytes_of(info.links.precision), precision);
    }
  LimeExample file = example();
  file.remove("ildg-format");
  file.remove(file_xml);
  expect_refused(file, {"expected a record scidac-private-file-xml"});
  file = example();
  file.remove("ildg-format");
  file["ildg-binary-data"].data += "12345678";
  expect_refused(file, {"8 bytes too many"});
}

TEST(Ildg, ValuesOfAnotherNormalisationAreNotCompared) {
  for (const char* value : {"1.784551", "missing", "", "nan", "0.0e+00", "-0.5", "1e999"}) {
    LimeExample file = example();
    file.replace("scidac-record-xml", "5.948502e-01", value);
    const GaugeFileInfo info = inspect(file.bytes());
    EXPECT_EQ(info.plaquette, std::nullopt) << value;
    EXPECT_EQ(info.link_trace, -0.125);
    EXPECT_EQ(info.warnings.size(), *value ? 1u : 0u) << value;
  }
  LimeExample file = example();
  file["scidac-record-xml"].data = "Dummy <usqcdInfo> & no XML";
  EXPECT_EQ(inspect(file.bytes()).plaquette, std::nullopt);
}

TEST(Ildg, WhatIsChangedIsRefused) {
  const struct {
    Change change;
    test::Parts parts;
  } cases[] = {
      // Contradictions between records.
      {{true, "ildg-format", "<lt>6", "<lt>7"},
       {"record 1 (scidac-private-file-xml) at byte 0", "2x4x2x6", "record 5 (ildg-format)", "2x4x2x7"}},
      {{true, "ildg-format", ">64<", ">32<"}, {"record 3", "double", "ildg-format", "single"}},
      {{true, record_xml, "QDP_D3_", "QDP_F3_"}, {"QDP_F3_ColorMatrix", "precision double"}},
      {{true, record_xml, "<typesize>144<", "<typesize>145<"},
       {"record 3", "expected 4 objects of 144 bytes a site, found 4 of 145"}},
      {{true, record_xml, "<colors>3", "<colors>2"}, {"expected 3 colors, found 2"}},
      {{false, file_xml, ">2 4 2 6", ">2 4 2 8"},
       {"record 5 (scidac-binary-data)", "expected 73728 bytes", "found 55296", "18432 bytes missing"}},
      // Other contents.
      {{false, record_xml, "QDP_D3_ColorMatrix", "QDP_D3_DiracPropagator"},
       {"record 3", "it holds a propagator", "QDP_D3_DiracPropagator"}},
      {{false, file_xml, "<volfmt>0", "<volfmt>1"}, {"record 1", "<volfmt>", "single file", "found '1"}},
      {{false, file_xml, "<volfmt>0", "<volfmt>2"}, {"record 1", "<volfmt>", "single file", "found '2"}},
      {{false, file_xml, "<volfmt>0</volfmt>", "<multifile>8</multifile>"},
       {"<multifile>", "single file", "'8'"}},
      {{false, record_xml, "<recordtype>0", "<recordtype>1"},
       {"<recordtype>", "field over the whole lattice", "'1'"}},
      // Broken texts.
      {{true, "ildg-format", "</lt>", ""}, {"record 5 (ildg-format)", "expected XML"}},
      {{true, "ildg-format", "<lt>6</lt>", ""}, {"expected <lt>, found none"}},
      {{true, "ildg-format", "<lt>6", "<lt>6</lt><lt>6"}, {"<lt> is there twice"}},
      {{true, "ildg-format", "<lt>6", "<lt>6x"}, {"<lt>", "whole number from 1 to 65536", "'6x'"}},
      {{true, "ildg-format", "<lt>6", "<lt>0"}, {"'0'"}},
      {{true, "ildg-format", "<lt>6", "<lt>-6"}, {"'-6'"}},
      {{true, "ildg-format", "<lt>6", "<lt>99999999999999999999"}, {"'99999999999999999999'"}},
      {{true, "ildg-format", "su3gauge", "su3gauga"}, {"<field>", "su3gauge"}},
      {{true, "ildg-format", ">64<", ">16<"}, {"<precision>", "32 or 64", "'16'"}},
      {{true, "ildg-format", "<version>1.0", "<version>3.0"}, {"<version>", "'3.0'"}},
      {{true, file_xml, "2 4 2 6", "2 4 2"}, {"<dims>", "four whole numbers"}},
      {{true, file_xml, "2 4 2 6", "2 4 2 6 2"}, {"<dims>", "four numbers"}},
      {{true, file_xml, "2 4 2 6", "2 4 2 six"}, {"<dims>"}},
      {{true, file_xml, "<spacetime>4", "<spacetime>3"}, {"<spacetime>", "'3'"}},
      {{true, file_xml, "scidacFile><v", "scidacFilf><v"}, {"expected XML"}},
      {{true, record_xml, "<precision>D", "<precision>E"}, {"F or D", "'E'"}},
      {{true, record_xml, "<datacount>4", "<datacount>x"}, {"<datacount>"}},
      {{true, record_xml, "ColorMatrix", "ColorMatrjx"}, {"another field"}},
      {{true, "scidac-checksum", "<suma>", "<suma>123456789"},
       {"(scidac-checksum)", "<suma>", "hexadecimal"}},
      {{true, "scidac-checksum", "<suma>", "<suma>g"}, {"<suma>"}},
      {{true, "scidac-checksum", "scidacChecksum>", "scidacChecksun>"}, {"expected XML"}},
  };
  for (const auto& [change, parts] : cases) {
    SCOPED_TRACE(std::string(change.type) + ": " + change.after);
    expect_refused(change.file(), parts);
  }
}

TEST(Ildg, WhatIsAddedIsRefused) {
  LimeExample file = example();
  file["ildg-binary-data"].data += "12345678";
  expect_refused(file, {"8 bytes too many"});
  file = example();
  file.records.push_back({"xlf-info", "plaquette = 0.600000\n beta = 6\n", true, true});
  expect_refused(file, {"(xlf-info)", "plaquette = 0.6", "says 0.5948502"});
  file = example(false);
  file.records.push_back({"ildg-format", example()["ildg-format"].data, true, true});
  expect_refused(file, {"(ildg-format)", "expected links in ildg-binary-data", "(scidac-binary-data)"});
  file = example(false);
  file.records.push_back({"scidac-sitelist", "1234", true, true});
  expect_refused(file, {"(scidac-sitelist)", "several files"});
}

TEST(Ildg, OtherContentsAreNamed) {
  LimeExample file = example(false);
  file[record_xml].data = test::private_record_xml("Lattice", 64, 2304, 1);
  expect_refused(file, {"record 3", "it holds a propagator", "data type Lattice"});
  file[record_xml].data = test::private_record_xml("QDP_D3_DiracPropagator", 64, 2304, 1);
  file.records.push_back({record_xml, file[record_xml].data, true, false});
  file.records.push_back({"scidac-binary-data", "x", false, true});
  expect_refused(file,
                 {"expected one record of links", "0 of the former and 2 of the latter", "DiracPropagator"});
  file = example();
  file.records.push_back({"scidac-binary-data", "x", true, true});
  expect_refused(file, {"1 of the former and 1 of the latter"});
  file.remove("ildg-binary-data");
  file.remove("scidac-binary-data");
  expect_refused(file, {"found 0 of the former and 0 of the latter among 7 records"});
}

TEST(Ildg, HostileTextsAreRefused) {
  LimeExample file = example();
  file["ildg-format"].data = std::string("\xff\xfe", 2);
  expect_refused(file, {"record 5", "UTF-8"});
  file = example();
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  file["ildg-format"].data = deep;
  expect_refused(file, {"record 5", "2000 elements", "300000 bytes"});
  file = example();
  for (const char* name : {"<lx>2", "<ly>4", "<lz>2", "<lt>6"})
    file.replace("ildg-format", name, std::string(name).substr(0, 4) + "65536");
  file.replace(file_xml, "2 4 2 6", "65536 65536 65536 65536");
  expect_refused(file, {"larger than any file"});
}

TEST(Ildg, RefusesOtherEncodings) {
  const GaugeFormat& format = ildg_format();
  EXPECT_EQ(format.refuse({3, Precision::single_precision}), std::nullopt);
  EXPECT_EQ(format.refuse({3, Precision::double_precision}), std::nullopt);
  EXPECT_NE(format.refuse({2, Precision::double_precision}).value().find("rows"), std::string::npos);
  EXPECT_NE(format.refuse({3, Precision::double_precision, ByteOrder::little}).value().find("big-endian"),
            std::string::npos);
  EXPECT_TRUE(
      format.refuse({3, Precision::double_precision, ByteOrder::big, LinkOrder::openqcd}).has_value());
}

}  // namespace
}  // namespace plaq::ildg_test
