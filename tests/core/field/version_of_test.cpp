// Versions of fields: what was computed of a field finds out that it changed.
#include "core/field/version_of.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "core/system/error.hpp"
#include "tests/support/shapes.hpp"

namespace plaq {
namespace {

GeometryPtr geometry() { return Geometry::create(test::decompositions().front()); }
Field new_links() { return {geometry(), gauge_spec(Precision::double_precision, Location::host)}; }

void expect_refused(const VersionOf& version) {
  try {
    version.expect_unchanged("the clover term");
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(std::string(error.what()),
              "the clover term was made of other links, or of links that changed since: make it again after "
              "the change");
  }
}

TEST(VersionOf, KnowsItsFieldUntilThatChanges) {
  Field field = new_links();
  const VersionOf version(field), same(field);
  EXPECT_FALSE(version.changed());
  EXPECT_TRUE(version.is_of(field));
  EXPECT_EQ(version, same);
  EXPECT_NO_THROW(version.expect_unchanged("the clover term"));
  EXPECT_NO_THROW(version.expect_of(field, "the clover term"));
  field.touch();
  EXPECT_TRUE(version.changed());
  EXPECT_FALSE(version.is_of(field));
  EXPECT_NE(version, VersionOf(field));
  EXPECT_TRUE(VersionOf(field).is_of(field));
  expect_refused(version);
}

TEST(VersionOf, NoticesAChangeByAnyFieldThatSharesTheMemory) {
  Field field = new_links(), other = field;
  const VersionOf version(field);
  EXPECT_TRUE(version.is_of(other));
  const Field numbers = new_links();
  copy(other, numbers);
  EXPECT_TRUE(version.changed());
  EXPECT_FALSE(version.is_of(field));
  EXPECT_EQ(VersionOf(field), VersionOf(other));
}

TEST(VersionOf, TellsEqualNumbersInOtherMemoryApart) {
  Field field = new_links(), copied = new_links();
  copy(copied, field);
  const VersionOf version(field);
  EXPECT_FALSE(version.is_of(copied));
  EXPECT_THROW(version.expect_of(copied, "the clover term"), Error);
  EXPECT_THROW(version.expect_same(VersionOf(copied), "the clover term"), Error);
  copied.touch();
  EXPECT_FALSE(version.changed());
}

// An allocator gives the memory of a field that is gone to the next one of its size.
TEST(VersionOf, TakesAFieldInTheMemoryOfAnotherOneForAnother) {
  auto first = std::make_unique<Field>(new_links());
  const void* memory = first->buffer().data();
  const VersionOf version(*first);
  first.reset();
  for (int i = 0; i < 100; ++i) {
    const Field next = new_links();
    EXPECT_FALSE(version.is_of(next));
    EXPECT_TRUE(next.buffer().data() != memory || version.changed());
  }
}

TEST(VersionOf, OfNoFieldNeverChanges) {
  const VersionOf none, empty{Field()};
  EXPECT_FALSE(none.changed());
  EXPECT_EQ(none, empty);
  EXPECT_NO_THROW(none.expect_unchanged("nothing"));
  EXPECT_TRUE(none.is_of(Field()));
  EXPECT_FALSE(none.is_of(new_links()));
}

}  // namespace
}  // namespace plaq
