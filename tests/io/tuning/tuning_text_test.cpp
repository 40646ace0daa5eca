// The text of tuning files: what comes back, and what is not believed.
#include "io/tuning/tuning_text.hpp"

#include <fmt/format.h>

#include "tests/io/tuning/tuning_entries.hpp"

namespace plaq::test {
namespace {

using State = TuningText::State;

const std::string head = "{\"format\":\"plaq tuning\",\"version\":1}\n";
const std::string line =
    "{\"kernel\":\"hop\",\"storage\":\"single\",\"local\":[8,8,8,16],\"partitioned\":\"zt\",\"batch\":12,"
    "\"launch\":{\"block\":128,\"width\":3},\"us\":12.25,\"default_us\":15.5,\"device\":\"NVIDIA H200\","
    "\"driver\":\"CUDA driver 12.4, runtime 12.2\",\"build\":\"0.1.0 "
    "abcd\",\"date\":\"2026-01-31T23:59:59Z\"}\n";

std::string with(const std::string& from, const std::string& to) {
  const auto at = line.find(from);
  EXPECT_NE(at, line.npos) << from;
  return std::string(line).replace(at, from.size(), to);
}

TEST(TuningText, IsAsItIsDescribed) {
  const TuneEntry entry = tune_entry("hop");
  EXPECT_EQ(tuning_text({&entry, 1}), head + line);
  const auto found = parse_tuning("file", head + line);
  EXPECT_EQ(found.state, State::good);
  EXPECT_TRUE(found.problem.empty());
  EXPECT_EQ(found.entries, std::vector<TuneEntry>{entry});
  EXPECT_EQ(tuning_text({}), head);
}

TEST(TuningText, ComesBack) {
  std::vector<TuneEntry> entries;
  for (int i = 0; i < 300; ++i) {
    TuneEntry e = tune_entry(fmt::format("kernel {:03} \"quoted\" \\ \u00b5", i), {i % 3 * 32, i % 4});
    e.launch.held = i % 5 == 0;
    e.launch.tiles = i % 5 == 1;
    if (i % 7 == 0) e.launch.box = {1 << i % 3, 2, 1 << i % 4};
    e.partitioned = static_cast<std::uint32_t>(i % 16);
    e.microseconds = 1.0 / (i + 3);
    e.default_microseconds = i % 2 == 0 ? 0 : 1e9 / (i + 7);
    entries.push_back(e);
  }
  const auto found = parse_tuning("file", tuning_text(entries));
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(found.entries, entries);
}

TEST(TuningText, NothingIsGood) {
  for (const std::string& text : {std::string(), head}) {
    const auto found = parse_tuning("file", text);
    EXPECT_EQ(found.state, State::good);
    EXPECT_TRUE(found.entries.empty());
  }
}

void expect_refused(const std::string& text, State state, const std::string& problem) {
  const auto found = parse_tuning("file", text);
  EXPECT_EQ(found.state, state) << text;
  EXPECT_TRUE(found.entries.empty());
  EXPECT_EQ(found.problem, problem) << text;
}

TEST(TuningText, FilesOfOthersAreKnown) {
  const std::string no_file = "file:1: not a tuning file of plaq";
  for (const char* first :
       {"", "job = \"measure\"", "{}", "[]", "null", "{\"format\":\"plaq tuning\"}",
        "{\"format\":\"other\",\"version\":1}", "{\"format\":\"plaq tuning\",\"version\":0}",
        "{\"format\":\"plaq tuning\",\"version\":-1}", "{\"format\":\"plaq tuning\",\"version\":\"1\"}",
        "{\"format\":\"plaq tuning\",\"version\":1.5}", "\x89HDF\r", "{\"format\":\"plaq tuni"}) {
    expect_refused(std::string(first) + "\n" + line, State::foreign, no_file);
    if (*first != 0) expect_refused(first, State::foreign, no_file);
  }
  expect_refused(std::string(most_tuning_bytes + 1, '\n'), State::foreign,
                 "file:0: larger than any tuning file of plaq");
  expect_refused("{\"format\":\"plaq tuning\",\"version\":2,\"more\":{}}\nunknown\n", State::newer,
                 "file:1: version 2, but this plaq reads version 1");
  expect_refused("{\"format\":\"plaq tuning\",\"version\":99999999999999}\n", State::newer,
                 "file:1: version 1073741824, but this plaq reads version 1");
}

TEST(TuningText, EveryTruncationIsSeenButBetweenEntries) {
  const TuneEntry two[] = {tune_entry("a"), tune_entry("b")};
  const std::string text = tuning_text(two);
  for (std::size_t size = 1; size < text.size(); ++size) {
    const auto found = parse_tuning("file", text.substr(0, size));
    if (text[size - 1] == '\n') {
      EXPECT_EQ(found.state, State::good);
    } else {
      EXPECT_EQ(found.state, size < head.size() - 1 ? State::foreign : State::damaged) << size;
      EXPECT_TRUE(found.entries.empty());
    }
  }
}

TEST(TuningText, DamagedLinesAreNamed) {
  const auto refused = [](const std::string& bad, const std::string& why) {
    expect_refused(head + with("hop", "first") + bad, State::damaged, "file:3: " + why);
  };
  const std::string no_object = "not a JSON object: cut off or damaged";
  refused("\n", no_object);
  refused("[1]\n", no_object);
  refused(line.substr(0, 100) + "\n", no_object);
  refused(with("12.25", "NaN"), no_object);
  refused(with("12.25", "1e999"), no_object);
  refused(with("hop", "h\xffp"), no_object);
  refused(with("hop", std::string("h\0p", 3)), no_object);
  refused(std::string(100000, '[') + "\n", no_object);
  for (const char* time : {"-1", "0", "\"12\"", "null", "1e13"})
    refused(with("12.25", time), "'us' is no time in microseconds");
  for (const char* time : {"-1", "{}", "true", "1e13"})
    refused(with("15.5", time), "'default_us' is no time in microseconds");
  refused(with("hop", ""), "'kernel' is not a line of 1 to 256 characters");
  refused(with("hop", std::string(257, 'x')), "'kernel' is not a line of 1 to 256 characters");
  refused(with("hop", "a\\nb"), "'kernel' is not a line of 1 to 256 characters");
  refused(with("\"hop\"", "5"), "'kernel' is no text");
  refused(with("\"kernel\"", "\"colonel\""), "'kernel' is missing");
  refused(with("8,8,8,16", "8,8,16"), "'local' is not four numbers");
  for (const char* local : {"8,8,8,0", "8,8,8,-2", "8,8,8,65537", "8,8,8,1.5", "8,8,8,18446744073709551617"})
    refused(with("8,8,8,16", local), "'local' is no whole number from 1 to 65536");
  for (const char* directions : {"tz", "zz", "w", "xyztt"})
    refused(with("\"zt\"", '"' + std::string(directions) + '"'),
            "'partitioned' is not some of xyzt in this order");
  refused(with("\"zt\"", "12"), "'partitioned' is no text");
  refused(with("12,", "0,"), "'batch' is no whole number from 1 to 65536");
  refused(with("12,", "true,"), "'batch' is no whole number from 1 to 65536");
  refused(with(":128", ":2048"), "'block' is no whole number from 1 to 1024");
  refused(with(":128", ":-128"), "'block' is no whole number from 1 to 1024");
  refused(with(":3}", ":0}"), "'width' is no whole number from 1 to 256");
  refused(with(":3}", ":3,\"held\":1}"), "'held' is neither true nor false");
  refused(with(":3}", ":3,\"box\":[4,2]}"), "'box' is not three numbers");
  refused(with(":3}", ":3,\"box\":[4,2,0]}"), "'box' is no whole number from 1 to 1024");
  refused(with("width", "length"), "'launch' has 'length', which plaq does not know");
  refused(with("{\"block\":128,\"width\":3}", "[]"), "'launch' is no object");
  refused(with("2026-01", "2026/01"), "'date' is not like 2026-01-31T23:59:59Z");
  refused(with("59Z", "59"), "'date' is not like 2026-01-31T23:59:59Z");
  refused(with("\"us\"", "\"more\":1,\"us\""), "it has members that plaq does not know");
  refused(head, "'kernel' is missing");  // two files, one behind the other
  refused(with("hop", "first"), "the same entry twice");
  refused(with("12.25", "3.5").replace(line.find("hop"), 3, "first"), "the same entry twice");
}

TEST(TuningText, Merges) {
  TuneEntry old_b = tune_entry("b", {64, 1}), other = tune_entry("b", {96, 1});
  other.device = "NVIDIA A100";
  const std::vector<TuneEntry> ours = {tune_entry("c"), tune_entry("b"), tune_entry("b", {32, 1})};
  const std::vector<TuneEntry> expected = {other, tune_entry("a"), tune_entry("b"), tune_entry("c")};
  EXPECT_EQ(merge_tuning({old_b, tune_entry("a"), other}, ours), expected);
  EXPECT_TRUE(same_case(old_b, tune_entry("b")));
  EXPECT_FALSE(same_case(old_b, other));
}

TEST(TuningText, DropsTheOldest) {
  std::vector<TuneEntry> theirs;
  for (std::size_t i = 0; i < most_tuning_entries; ++i) theirs.push_back(tune_entry(fmt::format("{:05}", i)));
  theirs[77].date = "2025-01-31T23:59:59Z";
  const TuneEntry ours = tune_entry("new");
  auto expected = theirs;
  expected.erase(expected.begin() + 77);
  expected.push_back(ours);
  EXPECT_EQ(merge_tuning(theirs, {&ours, 1}), expected);
  EXPECT_EQ(parse_tuning("file", tuning_text(expected)).state, State::good);
  theirs.push_back(ours);
  EXPECT_EQ(parse_tuning("file", tuning_text(theirs)).state, State::damaged);
}

}  // namespace
}  // namespace plaq::test
