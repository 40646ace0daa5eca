// Keys that are bound to members: their types, their defaults, and what JobFile::get() has.

#include <gtest/gtest.h>

#include <limits>

#include "jobs/schema/job_file.hpp"
#include "jobs/schema/job_types.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

enum class Color { red, green, blue };
inline constexpr std::string_view color_names[] = {"red", "green", "blue"};

struct Point {
  int x = 3, y = 4;
};

struct Keys {
  bool flag = true;
  int number = 7;
  std::uint64_t unsigned_number = 5;
  std::int64_t large = -1;
  double real = 0.5;
  std::string text = "some";
  std::vector<int> numbers{1, 2};
  std::vector<double> reals{0.25};
  std::vector<std::string> texts{"a", "b"};
  std::array<int, 4> four{1, 1, 1, -1};
  std::array<double, 2> two{0, 1};
  Color color = Color::green;
  std::vector<Color> colors{Color::red};
  bool is_wide = false;
  Point point;
  std::optional<double> maybe_real;
  std::optional<std::array<int, 2>> maybe_two;
  std::optional<Color> maybe_color;
  std::string empty_text;
};

struct Other {
  int number = 1;
};

const Schema& schema() {
  static const Schema schema{
      "test",
      "A test.",
      {{"values",
        "Values.",
        {field(&Keys::flag, "flag", "A flag."), field(&Keys::number, "number", "A number."),
         field(&Keys::unsigned_number, "unsigned_number", "One without a sign."),
         field(&Keys::large, "large", "A large number."), field(&Keys::real, "real", "A real."),
         field(&Keys::text, "text", "A text.")}},
       {"lists",
        "Lists.",
        {field(&Keys::numbers, "numbers", "Numbers."), field(&Keys::reals, "reals", "Reals."),
         field(&Keys::texts, "texts", "Texts."), field(&Keys::four, "four", "Four numbers."),
         field(&Keys::two, "two", "Two numbers.")}},
       {"names",
        "Names.",
        {choice(&Keys::color, "color", "A color.", Names<Color>(color_names)),
         choice(&Keys::colors, "colors", "Colors.", Names<Color>(color_names)),
         choice(&Keys::is_wide, "width", "A width.", {{"wide", true}, {"narrow", false}}),
         choice(&Keys::point, &Point::y, "height", "A height.", {{"low", 4}, {"high", 9}})}},
       {"parts",
        "What may be absent, and members of members.",
        {field(&Keys::point, &Point::x, "x", "Where it is."),
         field(&Keys::maybe_real, "maybe_real", "A real."),
         field(&Keys::maybe_two, "maybe_two", "Two numbers."),
         choice(&Keys::maybe_color, "maybe_color", "A color.", Names<Color>(color_names)),
         field(&Keys::empty_text, "empty_text", "A text.")}},
       {"others", "Of another struct.", {field(&Other::number, "number", "A number.")}}},
      {}};
  return schema;
}

JobFile read(const std::string& text) { return JobFile::parse_as(schema(), text, "job.toml"); }
std::string complaint(const std::string& text) {
  return message_of(ErrorKind::job_file, [&] { read(text); });
}

TEST(Field, TypesAreThoseOfTheMembers) {
  const auto type = [](const char* table, const char* key) { return schema().find(table, key)->type; };
  EXPECT_EQ(type("values", "flag"), Type::flag);
  for (const char* key : {"number", "unsigned_number", "large"})
    EXPECT_EQ(type("values", key), Type::integer);
  EXPECT_EQ(type("values", "real"), Type::real);
  EXPECT_EQ(type("values", "text"), Type::string);
  EXPECT_EQ(type("lists", "numbers"), Type::integers);
  EXPECT_EQ(type("lists", "reals"), Type::reals);
  EXPECT_EQ(type("lists", "texts"), Type::strings);
  EXPECT_EQ(type("lists", "four"), Type::integers);
  EXPECT_EQ(type("lists", "two"), Type::reals);
  for (const char* key : {"color", "width", "height"}) EXPECT_EQ(type("names", key), Type::string);
  EXPECT_EQ(type("names", "colors"), Type::strings);
  EXPECT_EQ(type("parts", "maybe_real"), Type::real);
  EXPECT_EQ(type("parts", "maybe_two"), Type::integers);
  EXPECT_EQ(type("parts", "maybe_color"), Type::string);
}

TEST(Field, DefaultsAreWhatMembersAreInitialisedWith) {
  EXPECT_EQ(read("").canonical_text(), R"(
[values]
flag = true
number = 7
unsigned_number = 5
large = -1
real = 0.5
text = "some"

[lists]
numbers = [1, 2]
reals = [0.25]
texts = ["a", "b"]
four = [1, 1, 1, -1]
two = [0.0, 1.0]

[names]
color = "green"
colors = ["red"]
width = "narrow"
height = "low"

[parts]
x = 3

[others]
number = 1
)");
}

TEST(Field, MembersHaveTheValuesOfTheFile) {
  const auto keys = read(R"(
[values]
flag = false
number = -2147483648
unsigned_number = 9223372036854775807
large = -9223372036854775808
real = 2
text = "other"
[lists]
numbers = []
reals = [1, 2.5]
texts = "one"
four = [1, 2, 3, 4]
two = [0.5, 0.75]
[names]
color = "blue"
colors = ["blue", "red"]
width = "wide"
height = "high"
[parts]
x = -5
maybe_real = 0.125
maybe_two = [6, 7]
maybe_color = "red"
empty_text = "full"
)")
                        .get<Keys>();
  EXPECT_FALSE(keys.flag);
  EXPECT_EQ(keys.number, std::numeric_limits<int>::min());
  EXPECT_EQ(keys.unsigned_number, 9223372036854775807u);
  EXPECT_EQ(keys.large, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(keys.real, 2.0);
  EXPECT_EQ(keys.text, "other");
  EXPECT_TRUE(keys.numbers.empty());
  EXPECT_EQ(keys.reals, (std::vector<double>{1, 2.5}));
  EXPECT_EQ(keys.texts, std::vector<std::string>{"one"});
  EXPECT_EQ(keys.four, (std::array{1, 2, 3, 4}));
  EXPECT_EQ(keys.two, (std::array{0.5, 0.75}));
  EXPECT_EQ(keys.color, Color::blue);
  EXPECT_EQ(keys.colors, (std::vector{Color::blue, Color::red}));
  EXPECT_TRUE(keys.is_wide);
  EXPECT_EQ(keys.point.x, -5);
  EXPECT_EQ(keys.point.y, 9);
  EXPECT_EQ(keys.maybe_real, 0.125);
  EXPECT_EQ(keys.maybe_two, (std::array{6, 7}));
  EXPECT_EQ(keys.maybe_color, Color::red);
  EXPECT_EQ(keys.empty_text, "full");
}

TEST(Field, AbsentKeysLeaveTheirMembers) {
  const auto keys = read("").get<Keys>();
  EXPECT_EQ(keys.number, 7);
  EXPECT_EQ(keys.four, (std::array{1, 1, 1, -1}));
  EXPECT_EQ(keys.maybe_real, std::nullopt);
  EXPECT_EQ(keys.maybe_two, std::nullopt);
  EXPECT_EQ(keys.maybe_color, std::nullopt);
  EXPECT_EQ(keys.empty_text, "");
}

TEST(Field, AStructHasItsOwnKeysAlone) {
  const JobFile job = read("[values]\nnumber = 2\n[others]\nnumber = 3\n");
  EXPECT_EQ(job.get<Keys>().number, 2);
  EXPECT_EQ(job.get<Other>().number, 3);
  struct Unbound {
    int number = 0;
  };
  message_of(ErrorKind::internal, [&] { job.get<Unbound>(); });
}

TEST(Field, WrongValuesAreFoundWhenTheFileIsRead) {
  expect_holds(complaint("values.flag = 1"),
               "'flag' in [values]: found the integer 1, expected true or false");
  expect_holds(complaint("values.number = 1.5"), "found the real 1.5, expected integer");
  expect_holds(complaint("values.real = \"much\""), "found a string, expected real");
  expect_holds(complaint("lists.numbers = [1, \"x\"]"),
               "found a list with a string, expected list of integers");
  expect_holds(complaint("lists.four = [1, 2, 3]"), "'four' in [lists]: found 3 numbers, must be 4");
  expect_holds(complaint("lists.two = [1.0, 2.0, 3.0]"), "found 3 numbers, must be 2");
  expect_holds(complaint("parts.maybe_two = [1]"), "found 1 numbers, must be 2");
  expect_holds(complaint("names.color = \"pink\""), "found \"pink\", must be \"red\", \"green\" or \"blue\"");
  expect_holds(complaint("names.colors = [\"red\", \"pink\"]"), "element 2: found \"pink\"");
  expect_holds(complaint("names.width = true"), "expected \"wide\" or \"narrow\"");
}

TEST(Field, NumbersThatDoNotFitTheMemberAreFoundToo) {
  expect_holds(complaint("values.number = 2147483648"),
               "job.toml:1:8: 'number' in [values]: found 2147483648, a number that plaq has no room for");
  expect_holds(complaint("values.number = -2147483649"), "'number' in [values]");
  expect_holds(complaint("values.unsigned_number = -1"), "'unsigned_number' in [values]: found -1");
  expect_holds(complaint("lists.numbers = [1, 2147483648]"), "'numbers' in [lists]: found [1, 2147483648]");
  expect_holds(complaint("lists.four = [1, 1, 1, 3000000000]"), "'four' in [lists]");
  expect_holds(complaint("parts.maybe_two = [1, 3000000000]"), "'maybe_two' in [parts]");
  EXPECT_EQ(read("values.number = 2147483647").get<Keys>().number, std::numeric_limits<int>::max());
}

TEST(Field, NeedAndWithoutTakeTheDefaultAway) {
  EXPECT_FALSE(field(&Keys::number, "number", "").need("1").fallback);
  EXPECT_FALSE(field(&Keys::number, "number", "").without("none").fallback);
  EXPECT_EQ(field(&Keys::number, "number", "").such_as("9").fallback, Value(std::int64_t{7}));
  EXPECT_EQ(field(&Keys::number, "number", "").otherwise(8).fallback, Value(std::int64_t{8}));
}

TEST(Field, NamesOfValues) {
  const Names<Color> names(color_names);
  EXPECT_EQ(names.of(Color::blue), "blue");
  EXPECT_EQ(names.read("green"), Color::green);
  EXPECT_EQ(names.read("pink"), std::nullopt);
  EXPECT_EQ(names.texts(), (std::vector<std::string>{"red", "green", "blue"}));
}

TEST(Field, EveryKeyOfEveryJobTypeIsBound) {
  for (const std::string& type : job_type_names())
    for (const Table& table : find_job_type(type)->schema().tables)
      for (const Key& key : table.keys) EXPECT_NE(key.member.keys, typeid(void)) << type << " " << key.name;
}

}  // namespace
}  // namespace plaq::jobs::test
