// Rows of results: datasets and back, JSON, and the table for users; what compares rows with each other.
#include "jobs/rates/row.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "jobs/common/terminal_text.hpp"
#include "jobs/study/study.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

// An application that takes so many microseconds on each of the ranks, with 2e6
// flops and 8 bytes a microsecond.
Row row_of(const std::string& target, int ranks, double microseconds) {
  Row row({microseconds, microseconds / 2, microseconds * 2, 5}, {2e6 * microseconds, 8 * microseconds},
          ranks, "exact");
  row.target = target;
  row.storage = "half 12";
  row.scaling = "strong";
  row.lattice = {8, 8, 8, 16};
  row.process_grid = {1, 1, 1, ranks};
  row.transport = ranks > 1 ? "host" : "auto";
  return row;
}

std::vector<Row> some_rows() {
  std::vector<Row> rows{row_of("wilson_hop", 1, 100), row_of("wilson_hop", 2, 40), row_of("network", 2, 5)};
  rows[1].checksum = -3;
  rows[1].outcome = "converged";
  rows[1].mass = 0.25;
  rows[1].iterations = 7;
  rows[2].numbers = {{"faces", 4}, {"message_bytes", 64}};
  rows[2].curve = {{1e-3, 0.5}, {1e-2, 0}};
  return rows;
}

TEST(Rows, ColumnsHaveNamesOfTheirOwnAndAMeaning) {
  std::set<std::string> names;
  for (const Column& column : columns()) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
    EXPECT_NE(std::string(column.meaning), "") << column.name;
  }
}

TEST(Rows, ComeBackFromDatasets) {
  const std::vector<Row> rows = some_rows();
  Results results;
  add_rows(results, rows);
  for (const Dataset& dataset : results.datasets) {
    const auto axes = std::get<std::vector<std::string>>(*find_attribute(dataset.attributes, "axes"));
    EXPECT_EQ(axes.size(), dataset.extents.size()) << dataset.path;
  }
  const Dataset& targets = *find_dataset(results, "/rows/target");
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(targets.values), (std::vector<std::int64_t>{0, 0, 1}));
  EXPECT_EQ(*find_attribute<std::vector<std::string>>(targets.attributes, "names"),
            (std::vector<std::string>{"wilson_hop", "network"}));
  EXPECT_EQ(find_dataset(results, "/rows/lattice")->extents, (std::vector<std::size_t>{3, 4}));
  EXPECT_EQ(find_dataset(results, "/rows/source"), nullptr);  // no row has one
  const std::vector<Row> back = rows_of(results_from_bytes(to_bytes(results)).value());
  ASSERT_EQ(back.size(), 3u);
  EXPECT_EQ(json_of(back), json_of(rows));
  EXPECT_EQ(back[1].checksum, -3);
  EXPECT_EQ(back[1].seconds_most, rows[1].seconds_most);
  EXPECT_TRUE(std::isnan(back[0].mass));
  EXPECT_EQ(back[2].curve, rows[2].curve);
  EXPECT_TRUE(rows_of(Results()).empty());
}

TEST(Rows, JsonHasWhatIsThere) {
  const auto json = json_of(some_rows());
  EXPECT_EQ(json[0]["target"], "wilson_hop");
  EXPECT_EQ(json[0]["process_grid"], nlohmann::json({1, 1, 1, 1}));
  EXPECT_DOUBLE_EQ(json[0]["flops"].get<double>(), 2e8);
  EXPECT_DOUBLE_EQ(json[1]["bytes"].get<double>(), 640);  // of both ranks
  EXPECT_FALSE(json[0].contains("checksum"));
  EXPECT_EQ(json[1]["checksum"], "fffffffffffffffd");
  EXPECT_EQ(json[2]["numbers"]["message_bytes"], 64);
  EXPECT_EQ(json[2]["curve"][0][1], 0.5);
}

TEST(Rows, TextIsOneTable) {
  const std::string text = text_of(some_rows());
  std::istringstream lines(text);
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  // What is the same everywhere stands above.
  EXPECT_EQ(all[0].rfind("storage half 12, rhs 1, scaling strong, lattice 8x8x8x16, nodes 1", 0), 0u) << text;
  EXPECT_EQ(text.find("source"), std::string::npos);
  const auto line_of = [&](const std::string& start) {
    for (const auto& line : all)
      if (line.starts_with(start)) return line;
    return std::string();
  };
  EXPECT_NE(line_of("target").find("message_bytes"), std::string::npos) << text;
  EXPECT_NE(line_of("wilson_hop").find("100 us   50 us"), std::string::npos) << text;
  EXPECT_NE(line_of("network").find("5 us"), std::string::npos) << text;
  expect_holds(text, "proportion of components that are off by epsilon or more");
  expect_holds(text, "1e-03           0.5");
  // A single row keeps its numbers.
  const std::string one = text_of(std::vector<Row>{row_of("wilson_hop", 1, 1)});
  expect_holds(one, "target");
  expect_holds(one, "1 us");
  EXPECT_EQ(text_of(std::vector<Row>()), "");
}

TEST(Rows, EfficienciesAreAgainstTheFewestRanks) {
  std::vector<Row> rows{row_of("wilson_hop", 1, 100), row_of("wilson_hop", 2, 60),
                        row_of("wilson_hop", 2, 80),  row_of("wilson_hop", 4, 50),
                        row_of("cg", 2, 10),          row_of("wilson_hop", 1, 30),
                        row_of("wilson_hop", 2, 40)};
  rows[2].transport = "nccl";
  for (const std::size_t weak : {5, 6}) {
    rows[weak].scaling = "weak";
    rows[weak].lattice[3] = 8 * rows[weak].ranks;
  }
  compare_rows(rows);
  EXPECT_DOUBLE_EQ(rows[0].efficiency, 1);
  EXPECT_DOUBLE_EQ(rows[1].efficiency, 100.0 / (2 * 60));
  EXPECT_DOUBLE_EQ(rows[2].efficiency, 100.0 / (2 * 80));
  EXPECT_DOUBLE_EQ(rows[3].efficiency, 100.0 / (4 * 50));
  EXPECT_TRUE(std::isnan(rows[4].efficiency));  // on one number of ranks alone
  EXPECT_DOUBLE_EQ(rows[6].efficiency, 30.0 / 40);
  // Without one rank: the fewest, of the same transport.
  std::vector<Row> more{rows[1], rows[2], rows[3], rows[3]};
  more[2].transport = "nccl";
  compare_rows(more);
  EXPECT_DOUBLE_EQ(more[2].efficiency, 80.0 / (2 * 50));
  EXPECT_DOUBLE_EQ(more[3].efficiency, 60.0 / (2 * 50));
}

// The first solver is what others are compared with, at the same mass.
TEST(Rows, SpeedUpsAreAgainstTheFirstSolver) {
  std::vector<Row> rows;
  for (const double mass : {0.1, 0.2})
    for (const char* solver : {"cg, double 18", "bicgstab, double 18"}) {
      rows.push_back(row_of(solver, 1, rows.size() % 2 == 0 ? 40 : 20));
      rows.back().mass = mass;
      rows.back().source = 0;
      rows.back().outcome = "converged";
    }
  rows[2].outcome = "maximum of iterations";
  compare_rows(rows);
  EXPECT_DOUBLE_EQ(rows[0].speed_up, 1);
  EXPECT_DOUBLE_EQ(rows[1].speed_up, 2);
  EXPECT_TRUE(std::isnan(rows[2].speed_up));
  EXPECT_TRUE(std::isnan(rows[3].speed_up));  // there is nothing to compare with
}

TEST(Counted, HasOneOrMany) {
  EXPECT_EQ(counted(1, "mass"), "1 mass");
  EXPECT_EQ(counted(2, "mass"), "2 masses");
  EXPECT_EQ(counted(0, "copy"), "0 copies");
  EXPECT_EQ(counted(12, "right-hand side"), "12 right-hand sides");
}

}  // namespace
}  // namespace plaq::jobs::test
