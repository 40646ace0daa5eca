// plaq convert and the antiperiodic sign, as users meet them.
#include <map>
#include <nlohmann/json.hpp>

#include "io/multigrid/multigrid_scidac.hpp"
#include "io/transformation/transformation_scidac.hpp"
#include "jobs/files/convert.hpp"
#include "tests/io/gauge/format_cases.hpp"
#include "tests/io/multigrid/multigrid_files.hpp"
#include "tests/io/propagator/staggered_files.hpp"
#include "tests/io/transformation/transformation_files.hpp"
#include "tests/jobs/program/program.hpp"

namespace plaq {
namespace {

using Json = nlohmann::json;
using test::contents;
using test::expect_failure;

class ProgramConvert : public testing::Test {
 protected:
  ProgramConvert() {
    GaugeWriteOptions way;
    way.metadata.ensemble_id = "test";
    way.metadata.entries = {{"BETA", "6.0"}};
    box_.write("field.nersc", file(way, links_));
    flip_last_slice();
    box_.write("signed.nersc", file(way, links_));
    way.rows = 2;
    box_.write("signed2.nersc", file(way, links_));
    flip_last_slice();
    box_.write("measure.toml", test::measure_job);
  }
  std::string file(const GaugeWriteOptions& way, const reference::GaugeField& links) const {
    return test::unchecked_file(way, links, true, plaquette_, trace_);
  }
  void flip_last_slice() {
    for (int x = 0; x < links_.lattice.volume(); ++x)
      if (links_.lattice.coordinates(x)[3] == 7) {
        auto& link = links_.link[static_cast<std::size_t>(x)][3];
        link = -1.0 * link;
      }
  }
  Json info(const std::string& name) const {
    const auto outcome = box_.plaq("info --json " + name);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out, nullptr, false);
  }

  test::Sandbox box_;
  reference::GaugeField links_ = test::random_links({4, 4, 4, 8}, 8);
  double plaquette_ = reference::average_plaquette(links_).all, trace_ = reference::link_trace(links_);
};

TEST_F(ProgramConvert, EveryFormatThereAndBack) {
  for (const auto& way : test::all_ways()) {
    const std::string name = test::name_of_way(way);
    if (name.starts_with("nersc") && name.ends_with("little")) continue;  // tests/io has them
    SCOPED_TRACE(name);
    std::string alone;
    for (const int ranks : {1, 4}) {
      const auto outcome = box_.plaq(
          "convert field.nersc " + name + " --overwrite --format " + std::string(short_name(way.format)) +
              " --precision " + std::string(name_of(*way.precision)) + (way.rows == 2 ? " --rows 3x2" : "") +
              (way.order == ByteOrder::little ? " --byte-order little" : ""),
          ranks);
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_NE(outcome.err.find("wrote " + name), std::string::npos) << outcome.err;
      if (ranks == 1) alone = contents(box_ / name);
      EXPECT_TRUE(contents(box_ / name) == alone);
    }
    const Json said = info(name);
    EXPECT_TRUE(said["verified"]);
    EXPECT_EQ(said["precision"], name_of(*way.precision));
    EXPECT_EQ(said["rows"], *way.rows);
    EXPECT_NEAR(said["links"]["plaquette"].get<double>(), plaquette_, 1e-6);
    const auto back = box_.plaq("convert " + name + " back --overwrite --format nersc --ensemble-id test");
    ASSERT_EQ(back.code, 0) << back.err;
    // Without loss, and with what the format can hold: the first file again.
    if (way.format == GaugeFileFormat::nersc && way.rows == 3 &&
        way.precision == Precision::double_precision) {
      EXPECT_TRUE(contents(box_ / "back") == contents(box_ / "field.nersc"));
    }
  }
}

TEST_F(ProgramConvert, MetadataComeBack) {
  const auto there_and_back = [&](const std::string& from, const std::string& by, const std::string& to) {
    SCOPED_TRACE(from + " " + by + " " + to);
    auto outcome = box_.plaq("convert " + from + " between --overwrite --format " + by);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("left out"), std::string::npos) << outcome.err;
    outcome = box_.plaq("convert between back --overwrite --format " + to);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("left out"), std::string::npos) << outcome.err;
    EXPECT_TRUE(contents(box_ / from) == contents(box_ / "back"));
  };
  GaugeWriteOptions way;
  way.metadata.ensemble_id = "id & <name>";
  way.metadata.ensemble_label = "a = label";
  way.metadata.sequence_number = 17;
  way.metadata.entries = {{"CREATOR", "somebody"}, {"BETA", "6.0"}};
  box_.write("lines.nersc", file(way, links_));
  there_and_back("lines.nersc", "ildg", "nersc");
  there_and_back("lines.nersc", "scidac", "nersc");

  way.format = GaugeFileFormat::milc;
  way.metadata = {};
  way.metadata.entries = {{"time_stamp", "Sat Nov 21 12:00:00 2026"}};
  box_.write("stamped.milc", file(way, links_));
  there_and_back("stamped.milc", "ildg", "milc");
  there_and_back("stamped.milc", "nersc", "milc");

  way.format = GaugeFileFormat::ildg;
  way.metadata = {};
  way.metadata.ensemble_id = "test";
  way.metadata.ensemble_label = "a label";
  way.metadata.ildg_lfn = "lfn://test/1";
  way.metadata.entries = {{"KEY", "value"},
                          {"date", "Mon Jan  2 2023"},
                          {"xlf-info", "beta = 6\nkappa = 0.1\n"},
                          {"scidac-file-xml", "<any>thing</any>"}};
  box_.write("texts.ildg", file(way, links_));
  there_and_back("texts.ildg", "scidac", "ildg");
  way.metadata.entries.push_back({"scidac-record-xml", "<szin><a>1</a></szin>"});
  box_.write("others.ildg", file(way, links_));
  there_and_back("others.ildg", "scidac", "ildg");

  // What only LIME holds is named, once.
  const auto outcome = box_.plaq("convert others.ildg lines --format nersc");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("left out, since NERSC files have no place for it: scidac-file-xml, "
                             "scidac-record-xml, xlf-info, ildg-data-lfn\n"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(contents(box_ / "lines").find("ENSEMBLE_LABEL = a label\n"), std::string::npos);
  EXPECT_NE(contents(box_ / "lines").find("KEY = value\n"), std::string::npos);
}

TEST_F(ProgramConvert, RealFilesIntoEveryFormat) {
  const char* data = std::getenv("PLAQ_DATA_DIR");
  if (!data || !*data) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  for (const auto& entry : std::filesystem::directory_iterator(std::string(data) + "/gauge"))
    for (const auto& kind : test::format_kinds()) {
      const std::string path = entry.path().string(), format(short_name(kind.format));
      SCOPED_TRACE(path + " as " + format);
      const auto outcome = box_.plaq("convert " + path + " out --overwrite --format " + format);
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      const auto from = inspect_gauge_file(path), to = inspect_gauge_file(box_ / "out");
      EXPECT_EQ(to.format, kind.format);
      if (!is_lime_format(from.format) || !is_lime_format(to.format)) continue;
      for (const char* key : {"scidac-file-xml", "scidac-record-xml", "ildg-data-lfn", "xlf-info"})
        for (const auto& text : from.entries)
          if (text.key == key) {
            EXPECT_TRUE(std::any_of(to.entries.begin(), to.entries.end(), [&](const HeaderEntry& e) {
              return e.key == key && e.value == text.value;
            })) << key;
          }
    }
}

TEST_F(ProgramConvert, Propagators) {
  const Extents extents{4, 4, 4, 8};
  const auto columns = test::random_propagator(extents);
  box_.write("others.lime", test::lime_propagator(columns, extents, 64).bytes());
  const auto convert = [&](const std::string& arguments, int ranks = 1) {
    const auto outcome = box_.plaq("convert --overwrite " + arguments, ranks);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err;
  };
  const auto numbers = [&](const std::string& name) {  // of a SciDAC file
    for (const auto& record : reference::lime_records(contents(box_ / name)))
      if (record.type == "scidac-binary-data") return record.data;
    return std::string();
  };
  EXPECT_NE(convert("others.lime p.h5 --format hdf5").find("wrote p.h5: HDF5 propagator, double"),
            std::string::npos);
  const std::string alone = contents(box_ / "p.h5");
  convert("others.lime p.h5 --format hdf5", 4);
  EXPECT_TRUE(contents(box_ / "p.h5") == alone);
  convert("p.h5 back.lime --format scidac", 2);
  EXPECT_TRUE(numbers("back.lime") == reference::qdp_bytes(columns, 64));
  convert("back.lime again.h5 --format hdf5");
  EXPECT_TRUE(contents(box_ / "again.h5") == alone);  // the text, too
  convert("p.h5 single.lime --format scidac --precision single");
  EXPECT_TRUE(numbers("single.lime") == reference::qdp_bytes(columns, 32));
  convert("single.lime single.h5 --format hdf5");  // the precision of the input
  convert("single.h5 wide.lime --format scidac --precision double");
  EXPECT_TRUE(numbers("wide.lime") == reference::qdp_bytes(test::rounded(columns), 64));

  for (const std::string name : {"p.h5", "back.lime", "single.h5", "single.lime"}) {
    const Json said = info(name);
    EXPECT_EQ(said["kind"], "propagator");
    EXPECT_EQ(said["format"], name.ends_with("h5") ? "HDF5" : "SciDAC");
    EXPECT_EQ(said["precision"], name.starts_with("single") ? "single" : "double");
    EXPECT_EQ(said["extents"], Json({4, 4, 4, 8}));
    EXPECT_EQ(said["checksum"], said["numbers"]["checksum"]);
    EXPECT_EQ(said["warnings"], Json::array());
    EXPECT_TRUE(said["verified"]);
    const auto text = box_.plaq("info " + name, 2);
    EXPECT_NE(text.out.find("verified: the numbers are finite"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("<Propagator><a/></Propagator>"), std::string::npos) << text.out;
  }

  expect_failure(box_.plaq("convert p.h5 new --format nersc", 2), 2,
                 {"p.h5", "propagator", "hdf5, scidac, milc or fnal"});
  expect_failure(box_.plaq("convert p.h5 new --format scidac --rows 3x2"), 2, {"--rows is for gauge fields"});
  expect_failure(box_.plaq("convert field.nersc new --format hdf5", 2), 2, {"field.nersc", "gauge field"});
  EXPECT_FALSE(std::filesystem::exists(box_ / "new"));
  for (const std::string name : {"p.h5", "back.lime"}) {
    const auto place = inspect_propagator(box_ / name);
    std::string bad = contents(box_ / name);
    bad[place.data_offset + 1000] = static_cast<char>(bad[place.data_offset + 1000] ^ 4);
    box_.write("bad", bad);
    const auto outcome = box_.plaq("info bad", 2);
    expect_failure(outcome, 4, {"bad", "damaged", "checksum"});
    EXPECT_NE(outcome.out.find("NOT VERIFIED"), std::string::npos) << outcome.out;
    expect_failure(box_.plaq("convert bad new --format hdf5", 2), 4, {"bad", "checksum"});
  }
  std::string bad = alone;
  bad[200] = static_cast<char>(bad[200] ^ 1);  // of the structure
  box_.write("bad", bad);
  expect_failure(box_.plaq("info bad", 2), 4, {"bad", "damaged", "CRC-32"});
}

TEST_F(ProgramConvert, StaggeredPropagators) {
  const Extents extents{4, 4, 4, 8};
  const auto columns = test::random_staggered(extents), ours = test::with_zeta(columns, extents);
  box_.write("milc.lime", test::lime_staggered(columns, extents, 64).bytes());
  const auto convert = [&](const std::string& arguments, int ranks = 1) {
    const auto outcome = box_.plaq("convert --overwrite " + arguments, ranks);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  };
  const auto numbers = [&](const std::string& name) {  // of a SciDAC file
    for (const auto& record : reference::lime_records(contents(box_ / name)))
      if (record.type == "scidac-binary-data") return record.data;
    return std::string();
  };
  // The order of phases stays, unless another one is asked for.
  convert("milc.lime same.lime --format scidac", 2);
  EXPECT_TRUE(numbers("same.lime") == test::vector_bytes(columns, 64));
  convert("milc.lime ours.lime --format scidac --phases xyzt", 4);
  EXPECT_TRUE(numbers("ours.lime") == test::vector_bytes(ours, 64));
  convert("ours.lime p.h5 --format hdf5");
  const std::string alone = contents(box_ / "p.h5");
  convert("same.lime p.h5 --format hdf5 --phases xyzt", 2);
  EXPECT_TRUE(contents(box_ / "p.h5") == alone);
  convert("p.h5 back.lime --format scidac --phases txyz --precision single");
  EXPECT_TRUE(numbers("back.lime") == test::vector_bytes(test::rounded(columns), 32));

  for (const std::string name : {"same.lime", "ours.lime", "p.h5", "back.lime"}) {
    const Json said = info(name);
    const bool milc = name == "same.lime" || name == "back.lime";
    EXPECT_EQ(said["kind"], "propagator");
    EXPECT_EQ(said["quarks"], "staggered");
    EXPECT_EQ(said["columns"], 3);
    EXPECT_EQ(said["staggered_phases"], milc ? "txyz" : "xyzt");
    EXPECT_FALSE(said.contains("spin_basis"));
    EXPECT_EQ(said["checksum"], said["numbers"]["checksum"]);
    EXPECT_EQ(said["warnings"], Json::array());
    EXPECT_EQ(said["text"], "b & c");
    EXPECT_TRUE(said["verified"]);
    const auto text = box_.plaq("info " + name, 2);
    EXPECT_NE(text.out.find("3: color of the source; staggered quarks"), std::string::npos) << text.out;
  }
  box_.write("usqcd.lime", test::usqcd_staggered(columns, extents, 64).bytes());
  convert("usqcd.lime q.h5 --format hdf5 --phases xyzt", 2);
  convert("q.h5 q.lime --format scidac --phases txyz");
  EXPECT_TRUE(numbers("q.lime") == test::vector_bytes(columns, 64));
  const Json milc = info("usqcd.lime");
  EXPECT_EQ(milc["staggered_phases"], "txyz");
  EXPECT_EQ(milc["text"], "mass 0.02 < 0.03");
  EXPECT_EQ(milc["checksum"], milc["numbers"]["checksum"]);
  EXPECT_TRUE(milc["verified"]);
  ASSERT_EQ(milc["column_offsets"].size(), 3u);
  const std::string all = contents(box_ / "usqcd.lime");
  for (std::size_t color = 0; color < 3; ++color) {
    const auto first = test::vector_bytes({columns[color]}, 64).substr(0, 48);
    EXPECT_EQ(all.substr(milc["column_offsets"][color].get<std::size_t>(), 48), first) << color;
  }
  EXPECT_NE(box_.plaq("info usqcd.lime").out.find("columns from bytes"), std::string::npos);

  expect_failure(box_.plaq("convert field.nersc new --format milc --phases txyz", 2), 2,
                 {"field.nersc", "--phases is for propagators of staggered quarks"});
  box_.write("spinors.lime", test::lime_propagator(test::random_propagator(extents), extents, 64).bytes());
  expect_failure(box_.plaq("convert spinors.lime new --format hdf5 --phases txyz"), 2,
                 {"spinors.lime", "--phases is for those of staggered quarks"});
  EXPECT_FALSE(std::filesystem::exists(box_ / "new"));
  std::string bad = contents(box_ / "p.h5");
  const auto place = inspect_propagator(box_ / "p.h5");
  bad[place.data_offset + 1000] = static_cast<char>(bad[place.data_offset + 1000] ^ 4);
  box_.write("bad", bad);
  expect_failure(box_.plaq("info bad", 2), 4, {"bad", "damaged", "checksum"});
}

// In single precision: there, and back through formats that have another spin basis, other phases or no text.
TEST_F(ProgramConvert, PropagatorsOfMilcAndFnal) {
  const Extents extents{2, 2, 4, 4};
  const auto columns = test::rounded(test::random_staggered(extents));
  const auto spinors = test::rounded(test::random_propagator(extents));
  box_.write("staggered.lime", test::lime_staggered(columns, extents, 32).bytes());
  box_.write("wilson.lime", test::lime_propagator(spinors, extents, 32).bytes());
  const auto convert = [&](const std::string& what, int ranks) {
    const auto outcome = box_.plaq("convert " + what, ranks);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  };
  const auto numbers = [&](const std::string& name) {
    for (const auto& record : reference::lime_records(contents(box_ / name)))
      if (record.type == "scidac-binary-data") return record.data;
    return std::string();
  };
  for (const std::string quarks : {"staggered", "wilson"})
    for (const std::string format : {"milc", "fnal"}) {
      SCOPED_TRACE(quarks + " " + format);
      const std::string file = quarks + "." + format, back = file + ".lime";
      convert(quarks + ".lime " + file + " --format " + format + " --byte-order little", 2);
      convert(file + " " + back + " --format scidac", 4);
      const Json said = info(file);
      EXPECT_EQ(said["kind"], "propagator");
      EXPECT_EQ(said["format"], format == "milc" ? "MILC v5" : "FNAL");
      EXPECT_EQ(said["byte_order"], "little-endian");
      EXPECT_EQ(said["columns"], quarks == "wilson" ? 12 : 3);
      EXPECT_TRUE(said["verified"]);
      EXPECT_EQ(said["warnings"].size(), format == "milc" ? 0u : 1u);
      if (quarks == "wilson")
        EXPECT_EQ(said["spin_basis"], format == "milc" ? "MILC" : "FNAL");
      else
        EXPECT_EQ(said["staggered_phases"], "txyz");
      const auto text = box_.plaq("info " + file, 2);
      EXPECT_NE(text.out.find(format == "milc" ? "verified" : "no checksum"), std::string::npos) << text.out;
      // FNAL's spinors are sums, which round.
      if (quarks == "wilson" && format == "fnal") {
        convert(back + " again.fnal --format fnal --byte-order little --overwrite", 1);
        EXPECT_EQ(contents(box_ / "again.fnal").size(), contents(box_ / file).size());
      } else {
        EXPECT_TRUE(numbers(back) == numbers(quarks + ".lime"));
      }
    }
  expect_failure(box_.plaq("convert wilson.lime new --format milc --precision double"), 2,
                 {"wilson.lime", "single precision only"});
  expect_failure(box_.plaq("convert staggered.lime new --format fnal --phases xyzt"), 2, {"phases txyz"});
  expect_failure(box_.plaq("convert wilson.lime new --format scidac --byte-order little"), 2,
                 {"--byte-order"});
  expect_failure(box_.plaq("convert field.nersc new --format fnal"), 2,
                 {"field.nersc", "--format fnal is for"});
  // A single quark field.
  box_.write("one.lime",
             test::scidac_example(test::dims_of(extents), "<?xml version=\"1.0\"?><title>a</title>",
                                  test::vector_record_xml(32, 1), "<?xml version=\"1.0\"?><title>b</title>",
                                  test::vector_bytes({columns[1]}, 32), 24)
                 .bytes());
  const Json single = info("one.lime");
  EXPECT_EQ(single["columns"], 1);
  EXPECT_TRUE(single["verified"]);
  EXPECT_NE(box_.plaq("info one.lime").out.find("a single quark field"), std::string::npos);
  convert("one.lime two.lime --format scidac --precision double", 2);
  EXPECT_TRUE(numbers("two.lime") == test::vector_bytes({columns[1]}, 64));
  expect_failure(box_.plaq("convert one.lime new --format hdf5"), 2,
                 {"one.lime", "not a single quark field"});
  EXPECT_FALSE(std::filesystem::exists(box_ / "new"));
}

// Numbers that a file's own checksum does not fit are shown and converted where that of the numbers is named.
TEST_F(ProgramConvert, StaleChecksumsAreAccepted) {
  const Extents extents{2, 2, 2, 4};
  box_.write("good.lime", test::lime_propagator(test::random_propagator(extents), extents, 64).bytes());
  std::string bad = contents(box_ / "good.lime");
  const auto place = inspect_propagator(box_ / "good.lime");
  bad[place.data_offset + 1007] = static_cast<char>(bad[place.data_offset + 1007] ^ 1);
  box_.write("bad.lime", bad);
  std::string links = contents(box_ / "field.nersc");
  const auto in_field = inspect_gauge_file(box_ / "field.nersc");
  const std::size_t last = in_field.links.order == ByteOrder::big ? 7 : 0;
  ASSERT_EQ(in_field.links.precision, Precision::double_precision);
  links[in_field.data_offset + last] = static_cast<char>(links[in_field.data_offset + last] ^ 1);
  box_.write("bad.nersc", links);
  for (const std::string name : {"bad.lime", "bad.nersc"}) {
    const bool field = name == "bad.nersc";
    const auto refused = box_.plaq("info " + name, 2);
    expect_failure(refused, 4, {name, "damaged", "--accept-checksum"});
    const std::string key = "--accept-checksum \"";
    const std::size_t at = refused.err.find(key) + key.size();
    const std::string accept =
        " --accept-checksum '" + refused.err.substr(at, refused.err.find('"', at) - at) + "'";
    const auto text = box_.plaq("info " + name + accept, 2);
    EXPECT_EQ(text.code, 0) << text.err;
    for (const char* part : {"accepted", "verified but for the checksum"})
      EXPECT_NE(text.out.find(part), std::string::npos) << text.out;
    const Json said = Json::parse(box_.plaq("info --json " + name + accept).out);
    EXPECT_TRUE(said["verified"]);
    EXPECT_EQ(said["accepted_checksum"], said[field ? "links" : "numbers"]["checksum"]);
    EXPECT_NE(said["accepted_checksum"], field ? said["header"]["checksum"] : said["checksum"]);
    const std::string out = field ? "out.nersc --format nersc" : "out.h5 --format hdf5";
    expect_failure(box_.plaq("convert " + name + " " + out + " --accept-checksum 12345678", 2), 4,
                   {name, "damaged"});
    EXPECT_EQ(box_.plaq("convert " + name + " " + out + accept, 2).code, 0);
    const Json written = info(out.substr(0, out.find(' ')));
    EXPECT_TRUE(written["verified"]);
    EXPECT_FALSE(written.contains("accepted_checksum"));
  }
  expect_failure(box_.plaq("info bad.nersc --accept-checksum tea"), 2, {"tea", "hexadecimal"});
}

// A file of a gauge transformation as plaq writes it.
std::string transformation_file(const reference::GaugeTransformation& g, const Extents& extents, int bits,
                                const std::vector<HeaderEntry>& entries) {
  const std::string data = reference::matrix_bytes(g, bits);
  const auto sums = reference::scidac_sums(data, static_cast<std::size_t>(9 * bits / 4));
  const auto frame = frame_scidac_transformation(
      extents, bits == 32 ? Precision::single_precision : Precision::double_precision, entries,
      {ChecksumKind::scidac, sums.a, sums.b});
  return frame.head + data + frame.tail;
}

double largest_difference(const reference::GaugeField& a, const reference::GaugeField& b) {
  double largest = 0;
  for (std::size_t site = 0; site < a.link.size(); ++site)
    for (std::size_t mu = 0; mu < 4; ++mu)
      for (int r = 0; r < 18; ++r)
        largest = std::max(
            largest, std::abs(test::component(a.link[site][mu], r) - test::component(b.link[site][mu], r)));
  return largest;
}

TEST_F(ProgramConvert, Transformations) {
  const Extents extents{4, 4, 4, 8};
  const auto g = test::random_matrices(extents);
  box_.write("g.lime", transformation_file(
                           g, extents, 64,
                           {{"GAUGE_FIXED", "Landau"}, {"GAUGE_THETA", "1e-15"}, {"NOTE", "of g alone"}}));
  const auto convert = [&](const std::string& arguments, int ranks = 1) {
    const auto outcome = box_.plaq("convert --overwrite " + arguments, ranks);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err;
  };
  const auto expected = reference::transformed(links_, g);
  EXPECT_NE(convert("field.nersc fixed.ildg --format ildg --transform g.lime").find("g.lime, checksum"),
            std::string::npos);
  const std::string alone = contents(box_ / "fixed.ildg");
  convert("field.nersc fixed.ildg --format ildg --transform g.lime", 4);
  EXPECT_TRUE(contents(box_ / "fixed.ildg") == alone);
  EXPECT_LT(largest_difference(reference::read_lime_gauge(box_ / "fixed.ildg").gauge, expected), 1e-14);

  Json said = info("fixed.ildg");
  EXPECT_TRUE(said["verified"]);
  EXPECT_NEAR(said["links"]["plaquette"].get<double>(), plaquette_, 1e-12);
  EXPECT_NEAR(said["links"]["link_trace"].get<double>(), reference::link_trace(expected), 1e-12);
  const auto lines = [](const Json& file) { return file["header"]["entries"].dump(); };
  for (const char* text : {"BETA = 6.0", "ENSEMBLE_ID = test", "GAUGE_FIXED = Landau", "GAUGE_THETA = 1e-15"})
    EXPECT_NE(lines(said).find(text), std::string::npos) << text << "\n" << lines(said);
  EXPECT_EQ(lines(said).find("NOTE"), std::string::npos);

  // Back again, by a file of single precision: its matrices are brought back to SU(3). What the older file
  // said of its gauge is replaced.
  reference::GaugeTransformation back;
  for (const auto& matrix : g) back.push_back(reference::dagger(matrix));
  box_.write("back.lime", transformation_file(back, extents, 32, {{"GAUGE_FIXED", "none"}}));
  for (const std::string format : {"scidac", "nersc"}) {
    SCOPED_TRACE(format);
    convert("fixed.ildg back --transform back.lime --format " + format, 2);
    said = info("back");
    EXPECT_TRUE(said["verified"]);
    EXPECT_LT(said["links"]["unitarity_violation"].get<double>(), 1e-13);
    EXPECT_NEAR(said["links"]["plaquette"].get<double>(), plaquette_, 1e-12);
    EXPECT_NEAR(said["links"]["link_trace"].get<double>(), trace_, 1e-6);
    EXPECT_EQ(lines(said).find("Landau"), std::string::npos) << lines(said);
    EXPECT_NE(lines(said).find("GAUGE_FIXED"), std::string::npos) << lines(said);
    EXPECT_NE(lines(said).find("BETA"), std::string::npos) << lines(said);
  }
  EXPECT_NE(convert("field.nersc milc --format milc --transform g.lime")
                .find("no place for it: BETA, ENSEMBLE_ID, GAUGE_FIXED, GAUGE_THETA"),
            std::string::npos)
      << contents(box_ / ".err");

  for (const std::string name : {"g.lime", "back.lime"}) {
    said = info(name);
    EXPECT_EQ(said["kind"], "gauge transformation");
    EXPECT_EQ(said["precision"], name == "g.lime" ? "double" : "single");
    EXPECT_EQ(said["extents"], Json({4, 4, 4, 8}));
    EXPECT_EQ(said["checksum"], said["matrices"]["checksum"]);
    EXPECT_EQ(said["entries"][0]["key"], "GAUGE_FIXED");
    EXPECT_EQ(said["warnings"], Json::array());
    EXPECT_TRUE(said["verified"]);
  }
  const auto text = box_.plaq("info g.lime", 2);
  EXPECT_NE(text.out.find("verified: the matrices are SU(3)"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("GAUGE_FIXED = Landau"), std::string::npos) << text.out;
}

TEST_F(ProgramConvert, TransformationsThatAreRefused) {
  const Extents extents{4, 4, 4, 8}, smaller{4, 4, 4, 4};
  const auto g = test::random_matrices(extents);
  const std::string good = transformation_file(g, extents, 64, {});
  box_.write("g.lime", good);
  box_.write("small.lime", transformation_file(test::random_matrices(smaller), smaller, 64, {}));
  std::string damaged = good;
  damaged[good.size() / 2] = static_cast<char>(damaged[good.size() / 2] ^ 4);
  box_.write("bad.lime", damaged);
  box_.write("p.lime", test::lime_propagator(test::random_propagator(extents), extents, 32).bytes());
  const std::string to = " new --format nersc --transform ";
  expect_failure(box_.plaq("convert field.nersc" + to + "bad.lime", 2), 4,
                 {"bad.lime", "damaged", "checksum"});
  expect_failure(box_.plaq("convert field.nersc" + to + "small.lime", 2), 4,
                 {"small.lime", "4x4x4x4", "4x4x4x8"});
  expect_failure(box_.plaq("convert field.nersc" + to + "field.nersc", 2), 4,
                 {"field.nersc", "a gauge field (NERSC)", "expected a gauge transformation"});
  expect_failure(box_.plaq("convert field.nersc" + to + "p.lime", 2), 4,
                 {"p.lime", "a propagator", "a gauge transformation"});
  expect_failure(box_.plaq("convert field.nersc" + to + "none.lime", 2), 4, {"none.lime", "No such file"});
  expect_failure(box_.plaq("convert p.lime new --format hdf5 --transform g.lime", 2), 2,
                 {"p.lime", "a propagator", "--transform is for gauge fields"});
  expect_failure(box_.plaq("convert g.lime" + to + "g.lime", 2), 2, {"g.lime", "a gauge transformation"});
  expect_failure(box_.plaq("convert g.lime new --format scidac"), 2, {"g.lime", "a gauge transformation"});
  EXPECT_FALSE(std::filesystem::exists(box_ / "new"));
  const auto outcome = box_.plaq("info bad.lime", 2);
  expect_failure(outcome, 4, {"bad.lime", "damaged", "checksum"});
  EXPECT_NE(outcome.out.find("NOT VERIFIED"), std::string::npos) << outcome.out;
}

TEST_F(ProgramConvert, SetupsOfMultigridAreShown) {
  const Extents extents{2, 4, 2, 4};
  const auto vectors = test::random_vectors(extents);
  MultigridFileInfo info;
  info.extents = extents;
  info.vectors = 5;
  info.setup = test::some_setup();
  for (const auto stored : {Precision::half_precision, Precision::single_precision}) {
    info.precision = stored;
    const std::string numbers = test::record_bytes_of(vectors, extents, stored);
    const auto sums = reference::scidac_sums(numbers, static_cast<std::size_t>(5 * near_null_bytes(stored)));
    const LinkChecksum sum{ChecksumKind::scidac, sums.a, sums.b};
    const auto frame = frame_scidac_multigrid(info, sum);
    const std::string name(name_of(stored)), file = frame.head + numbers + frame.tail;
    box_.write(name, file);
    const Json said = this->info(name);
    EXPECT_EQ(said["kind"], "multigrid setup");
    EXPECT_EQ(said["precision"], name);
    EXPECT_EQ(said["extents"], extents);
    EXPECT_EQ(said["vectors"], 5);
    EXPECT_EQ(said["checksum"], sum.text());
    EXPECT_EQ(said["setup"]["mass"], info.setup.action.mass);
    EXPECT_EQ(said["setup"]["levels"][1]["block"], (Extents{1, 1, 2, 2}));
    EXPECT_TRUE(said["verified"]);
    const auto text = box_.plaq("info " + name, 2);
    for (const std::string& part :
         {"multigrid setup, " + name + " precision", std::string("2x4x2x4"), sum.text(),
          std::string("5 near-null vectors on the even sites"),
          std::string(
              "level 0     blocks of 2x4x3x2, 24 vectors, 4 smoothing steps; below to 0.2 or 16 iterations"),
          std::string("rounds      2, more to come"), std::string("boundary    1 -1 1 -1"),
          std::string("NOTE = a < b & \"c\" = d"), std::string("verified: the numbers are finite")})
      EXPECT_NE(text.out.find(part), std::string::npos) << part << " in " << text.out;
    expect_failure(box_.plaq("convert " + name + " new --format scidac", 2), 2, {name, "a multigrid setup"});
    box_.write("bad", test::with_flipped_bit(file, frame.head.size() + 100, 2));
    const auto outcome = box_.plaq("info bad", 2);
    expect_failure(outcome, 4, {"bad", "damaged", "checksum"});
    EXPECT_NE(outcome.out.find("NOT VERIFIED"), std::string::npos) << outcome.out;
    box_.write("bad", file.substr(0, file.size() / 2));
    expect_failure(box_.plaq("info bad", 2), 4, {"bad", "truncated"});
  }
}

// What jobs say of the checksums of files, whatever their kind.
TEST_F(ProgramConvert, ChecksumsOfJobs) {
  box_.write("generate.toml", test::generate_job);
  const std::map<GaugeFileFormat, std::string> units = {{GaugeFileFormat::nersc, "NERSC checksum"},
                                                        {GaugeFileFormat::ildg, "SciDAC checksum"},
                                                        {GaugeFileFormat::scidac, "SciDAC checksum"},
                                                        {GaugeFileFormat::milc, "MILC checksum"},
                                                        {GaugeFileFormat::openqcd, ""},
                                                        {GaugeFileFormat::ddalphaamg, ""}};
  for (const auto& kind : test::format_kinds()) {
    const std::string format(short_name(kind.format)), field = format + ".000002." + format;
    SCOPED_TRACE(format);
    ASSERT_EQ(box_.plaq("run generate.toml --set update.configurations=1 --set output.prefix=" + format +
                        " --set output.format=" + format +
                        (format == "milc" ? " --set output.precision=single" : "") +
                        (format == "openqcd" ? " --set output.byte_order=little" : ""))
                  .code,
              0)
        << contents(box_ / ".err");
    const auto sum = kind.read(box_ / field).found;
    const Json history = info(format + ".history.h5");
    bool there = false;
    for (const auto& object : history["objects"])
      if (object["path"] == "/configurations/checksum") {
        there = true;
        EXPECT_EQ(object["attributes"]["units"], units.at(kind.format));
        EXPECT_EQ(object["extents"],
                  kind.format == GaugeFileFormat::nersc ? Json::array({1}) : Json::array({1, 2}));
      }
    EXPECT_EQ(there, !units.at(kind.format).empty());
    const auto measured =
        box_.plaq("run measure.toml --set output.overwrite=true --set gauge.files=" + field);
    ASSERT_EQ(measured.code, 0) << measured.err;
    const Json results = info("measured.h5");
    std::string said;
    for (const auto& object : results["objects"])
      if (object["path"] == "/gauge/000000") said = object["attributes"]["checksum"];
    EXPECT_EQ(said, sum.text());
    EXPECT_EQ(info(field)["links"]["checksum"], sum.text());
  }
}

// What is wrong with the new file is about OUT: it is an error of writing.
TEST(Convert, AReadBackThatFails) {
  jobs::ConvertOptions options;
  options.output = "out";
  test::expect_error(
      test::error_of([&] { jobs::read_back(options, [] { throw jobs::differs("1", "2", 3); }); }),
      ErrorKind::output_file, {"cannot write out", "checksum 2, found 1", "3 numbers differ"});
  jobs::read_back(options, [] {});
}

TEST_F(ProgramConvert, SaysWhatIsLeftOut) {
  const auto outcome = box_.plaq("convert field.nersc out --format openqcd");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("left out"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("BETA"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("ENSEMBLE_ID"), std::string::npos) << outcome.err;
  EXPECT_EQ(box_.plaq("convert field.nersc single --format milc").code, 0);  // what MILC has
  EXPECT_EQ(info("single")["precision"], "single");
  EXPECT_EQ(info("single")["checksum_kind"], "MILC");
  // The precision of the input, where the format has it.
  EXPECT_EQ(box_.plaq("convert single again --format nersc").code, 0);
  EXPECT_EQ(info("again")["precision"], "single");
  EXPECT_EQ(box_.plaq("convert single wide --format openqcd").code, 0);
  EXPECT_EQ(info("wide")["precision"], "double");
}

TEST_F(ProgramConvert, Refusals) {
  box_.write("out", "precious");
  expect_failure(box_.plaq("convert field.nersc out --format nersc", 2), 5, {"out", "exists", "--overwrite"});
  EXPECT_EQ(contents(box_ / "out"), "precious");
  expect_failure(box_.plaq("convert none.nersc new --format nersc", 2), 4, {"none.nersc", "No such file"});
  expect_failure(box_.plaq("convert field.nersc new --format milc --precision double", 2), 2,
                 {"single precision only"});
  expect_failure(box_.plaq("convert field.nersc none/new --format milc", 2), 5, {"none/new"});
  expect_failure(box_.plaq("convert field.nersc new --format nersc", 3), 3, {"3", "4x4x4x8"});
  std::string bad = contents(box_ / "field.nersc");
  bad[bad.size() - 10] = static_cast<char>(bad[bad.size() - 10] ^ 4);
  box_.write("bad.nersc", bad);
  expect_failure(box_.plaq("convert bad.nersc new --format nersc", 2), 4, {"bad.nersc", "checksum"});
  EXPECT_FALSE(std::filesystem::exists(box_ / "new"));
}

TEST_F(ProgramConvert, AntiperiodicSign) {
  const std::string strip = " --strip-antiperiodic --format nersc --overwrite";
  expect_failure(box_.plaq("convert signed.nersc out --format nersc", 2), 4,
                 {"signed.nersc", "determinant -1", "--strip-antiperiodic"});
  expect_failure(box_.plaq("convert signed2.nersc out --format nersc", 2), 4,
                 {"signed2.nersc", "plaquette", "--strip-antiperiodic"});
  for (const char* name : {"signed.nersc", "signed2.nersc"}) {
    const auto outcome = box_.plaq(std::string("convert ") + name + " out" + strip, 2);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("off 64 links"), std::string::npos) << outcome.err;
    if (name == std::string("signed.nersc")) {
      EXPECT_TRUE(contents(box_ / "out") == contents(box_ / "field.nersc"));
    }
  }
  // Two rows without the sign: the plaquette shows that stripping was wrong.
  ASSERT_EQ(box_.plaq("convert field.nersc two --format nersc --rows 3x2").code, 0);
  expect_failure(box_.plaq("convert two out" + strip), 4, {"two", "plaquette", "without antiperiodic"});

  // The key of jobs.
  const std::string job = "run measure.toml --set gauge.files=signed.nersc";
  expect_failure(box_.plaq(job, 2), 4, {"signed.nersc", "antiperiodic = \"strip\" in [gauge]"});
  expect_failure(box_.plaq(job + " --set gauge.antiperiodic=yes"), 3, {"antiperiodic", "\"strip\""});
  const auto outcome = box_.plaq(job + " --set gauge.antiperiodic=strip", 2);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

}  // namespace
}  // namespace plaq
