// Settings from plain values: their types, defaults, checks and messages, without a file.
#include "settings/schema/settings.hpp"

#include <gtest/gtest.h>

#include "core/system/error.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings::test {
namespace {

struct Walk {
  int steps = 3;
  double width = 0.5;
  std::vector<double> weights{1};
  std::string name;
};

void check_steps(Problems& problems, const Walk& walk) {
  if (walk.steps * walk.width > 10) problems.add("walk.steps", "leaves the lattice");
}

const Schema& schema() {
  static const Schema schema{"walk",
                             "A walk.",
                             {{"walk",
                               "Steps.",
                               {field(&Walk::steps, "steps", "Steps.").within(1, 100),
                                field(&Walk::width, "width", "Width of each.").between(0, 100),
                                field(&Walk::weights, "weights", "Weights."),
                                field(&Walk::name, "name", "Name.").need("\"some\"")}}},
                             {{{"walk.steps", "walk.width"}, "A walk stays inside.", check_steps}}};
  return schema;
}

RawEntry given(const char* key, RawValue value, int line) {
  RawEntry entry;
  entry.name = {"walk", key};
  entry.value = std::move(value);
  entry.line = line;
  return entry;
}

Settings walk(std::vector<RawEntry> entries) {
  entries.push_back(given("name", {std::string("a")}, 0));
  return {schema(), entries, "walk()"};
}

std::string complaint(const std::vector<RawEntry>& entries) {
  try {
    walk(entries);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::job_file);
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

RawValue list(std::vector<RawValue> elements) { return {std::move(elements)}; }

TEST(Settings, FillStructs) {
  const Walk usual = walk({}).get<Walk>();
  EXPECT_EQ(usual.steps, 3);
  EXPECT_EQ(usual.width, 0.5);
  EXPECT_EQ(usual.weights, std::vector<double>{1});
  EXPECT_EQ(usual.name, "a");
  const Walk other =
      walk({given("steps", {std::int64_t{7}}, 1), given("weights", list({{0.25}, {std::int64_t{2}}}), 2)})
          .get<Walk>();
  EXPECT_EQ(other.steps, 7);
  EXPECT_EQ(other.weights, (std::vector<double>{0.25, 2}));
  EXPECT_EQ(walk({}).origin(), "walk()");
}

TEST(Settings, IntegersServeAsReals) {
  EXPECT_EQ(walk({given("width", {std::int64_t{2}}, 1)}).get<Walk>().width, 2);
}

TEST(Settings, EveryMistakeIsListedInTheOrderGiven) {
  EXPECT_EQ(complaint({given("width", {std::string("wide")}, 2), given("stepz", {std::int64_t{7}}, 1)}),
            "walk(): 2 mistakes\n"
            "  walk(): unknown key 'stepz' in [walk]; did you mean 'steps'?\n"
            "  walk(): 'width' in [walk]: found a string, expected real; for example width = 0.5");
}

TEST(Settings, RangesRulesAndListsAreChecked) {
  EXPECT_EQ(complaint({given("steps", {std::int64_t{0}}, 1)}),
            "walk(): 'steps' in [walk]: found 0, must be 1 to 100");
  EXPECT_EQ(complaint({given("steps", {std::int64_t{90}}, 1)}),
            "walk(): 'steps' in [walk]: leaves the lattice");
  EXPECT_EQ(
      complaint({given("weights", list({{0.5}, {true}}), 1)}),
      "walk(): 'weights' in [walk]: found a list with true or false, expected list of reals; for example "
      "weights = [1.0]");
  EXPECT_EQ(complaint({given("width", {RawValue::Other{"a date or time"}}, 1)}),
            "walk(): 'width' in [walk]: found a date or time, expected real; for example width = 0.5");
}

TEST(Settings, PlacesAreNamed) {
  RawEntry entry = given("steps", {true}, 3);
  entry.place = "walk.toml:3:1";
  EXPECT_EQ(complaint({entry}),
            "walk.toml:3:1: 'steps' in [walk]: found true or false, expected integer; for example steps = 3");
}

TEST(Settings, TypedTextServesWhereAStringIsWanted) {
  RawEntry entry = given("name", {std::int64_t{12}}, 0);
  entry.typed = "12";
  EXPECT_EQ(convert(Type::string, entry), Value(std::string("12")));
  EXPECT_EQ(convert(Type::strings, entry), Value(std::vector<std::string>{"12"}));
  EXPECT_EQ(convert(Type::integer, entry), Value(std::int64_t{12}));
  entry.typed.reset();
  EXPECT_EQ(convert(Type::string, entry), std::nullopt);
}

TEST(Settings, UnboundStructsAreInternalErrors) {
  struct Other {};
  EXPECT_THROW(walk({}).get<Other>(), Error);
}

}  // namespace
}  // namespace plaq::settings::test
