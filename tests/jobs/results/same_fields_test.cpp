// One gauge field under two names is known by its sums.
#include "jobs/results/same_fields.hpp"

#include <gtest/gtest.h>

namespace plaq::jobs {
namespace {

constexpr double sites = 4 * 4 * 4 * 8;  // two means that single precision changes differ by less than 1.3e-8
const FieldSums nersc{"a.nersc", "3f80a21c", 0.5, 0.001};

Likeness with_a(const FieldSums& other) {
  const Likeness found = compare_fields(nersc, other, sites);
  EXPECT_EQ(compare_fields(other, nersc, sites), found);
  return found;
}

TEST(SameFields, AreKnownByChecksumPlaquetteAndLinkTrace) {
  EXPECT_EQ(with_a({"b.nersc", "3f80a21c", 0.5, 0.001}), Likeness::same);
  EXPECT_EQ(with_a({"b.nersc", "3f80a21c", 0.5, {}}), Likeness::same);
  // Two of many fields share 32 bits.
  EXPECT_EQ(with_a({"b.nersc", "3f80a21c", 0.500001, 0.001}), Likeness::different);
  EXPECT_EQ(with_a({"b.nersc", "3f80a21c", {}, {}}), Likeness::different);
  // Another format, or single precision.
  EXPECT_EQ(with_a({"b.ildg", "3f80a21c 00be11d5", 0.5, 0.001}), Likeness::alike);
  EXPECT_EQ(with_a({"b.nersc", "12345678", 0.5 + 5e-9, 0.001 - 5e-9}), Likeness::alike);
  EXPECT_EQ(with_a({"b.nersc", "12345678", 0.5, 0.0010001}), Likeness::different);
  EXPECT_EQ(with_a({"b.ildg", "3f80a21c 00be11d5", 0.5, {}}), Likeness::different);
  const FieldSums ildg{"c.ildg", "3f80a21c 00be11d5", {}, {}};
  EXPECT_EQ(compare_fields(ildg, ildg, sites), Likeness::same);
  const FieldSums unknown{"d", "", {}, {}};
  EXPECT_EQ(compare_fields(unknown, unknown, sites), Likeness::different);
}

TEST(SameFields, AreFoundAmongMany) {
  std::vector<FieldSums> fields;
  for (int i = 0; i < 100; ++i)
    fields.push_back(
        {"f" + std::to_string(i), "sum" + std::to_string(i), 0.5 + 1e-4 * (i * 37 % 100), 0.01 * i});
  EXPECT_TRUE(find_same_fields(fields, sites).empty());
  fields[70] = fields[20];
  fields[60] = {"f60", "another", fields[90].plaquette, fields[90].link_trace};
  fields.push_back({"no plaquette", "3f80a21c 00be11d5", {}, {}});
  fields.push_back(fields.back());
  fields.push_back({"with plaquette", "3f80a21c 00be11d5", 0.7, {}});
  std::vector<std::tuple<std::size_t, std::size_t, Likeness>> found;
  for (const SameFields& pair : find_same_fields(fields, sites))
    found.emplace_back(pair.first, pair.second, pair.likeness);
  EXPECT_EQ(found, (decltype(found){{20, 70, Likeness::same},
                                    {60, 90, Likeness::alike},
                                    {100, 101, Likeness::same},
                                    {100, 102, Likeness::same},
                                    {101, 102, Likeness::same}}));
}

TEST(SameFields, AreReadFromResults) {
  const FieldSums sums = field_sums({{"file", "a"}, {"checksum", "none"}, {"plaquette", 0.5}});
  EXPECT_EQ(sums.file, "a");
  EXPECT_EQ(sums.checksum, "");
  EXPECT_EQ(sums.plaquette, 0.5);
  EXPECT_EQ(sums.link_trace, std::nullopt);
}

}  // namespace
}  // namespace plaq::jobs
