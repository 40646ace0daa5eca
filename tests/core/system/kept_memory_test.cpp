// Memory of freed buffers: kept while somebody wants that, for buffers of the same size, and never more than
// buffers alone had.
#include "core/system/kept_memory.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "core/system/memory.hpp"
#include "tests/support/locations.hpp"

namespace plaq::kept_memory_test {
namespace {

constexpr std::size_t size = std::size_t{3} << 20;

std::size_t kept(Location location) { return kept_memory::bytes(location); }

TEST(MemoryReuse, GivesMemoryToBuffersOfTheSameSize) {
  for (const Location location : test::locations()) {
    std::optional<MemoryReuse> reuse(std::in_place);
    const MemoryReuse copied = *reuse;
    void* first = nullptr;
    {
      const Buffer buffer(location, size), other(location, size);
      first = buffer.data();
      EXPECT_NE(other.data(), first);
    }
    EXPECT_EQ(kept(location), 2 * size);
    const std::size_t before = kept_memory::taken_from_system(), in_use = Buffer::in_use(location);
    {
      const Buffer buffer(location, size);
      EXPECT_EQ(Buffer::in_use(location), in_use + size);
      EXPECT_EQ(kept(location), size);
      const Buffer again(location, size);
      EXPECT_TRUE(buffer.data() == first || again.data() == first);
    }
    EXPECT_EQ(kept_memory::taken_from_system(), before);
    EXPECT_EQ(Buffer::in_use(location), in_use);
    reuse.reset();
    EXPECT_EQ(kept(location), 2 * size) << "a copy lives";
  }
  for (const Location location : test::locations()) EXPECT_EQ(kept(location), 0u);
}

TEST(MemoryReuse, TakesNoMoreThanTwiceWhatBuffersTook) {
  for (const Location location : test::locations()) {
    const MemoryReuse reuse;
    Buffer::forget_high_water();
    const std::size_t before = Buffer::in_use(location);
    { const Buffer a(location, size), b(location, size), c(location, size); }
    ASSERT_EQ(Buffer::high_water(location), before + 3 * size);
    EXPECT_EQ(kept(location), 3 * size);
    { const Buffer more(location, 2 * size); }
    EXPECT_EQ(kept(location), 5 * size);
    const std::size_t taken = kept_memory::taken_from_system();
    {
      const Buffer more(location, 3 * size);  // two of the first three go back
      EXPECT_LE(kept(location), before + 3 * size);
      EXPECT_GE(kept(location), 2 * size);
      const Buffer again(location, 2 * size);
      EXPECT_EQ(kept_memory::taken_from_system(), taken + 1);
    }
    kept_memory::shrink(location, 3 * size);
    EXPECT_LE(kept(location), 3 * size);
  }
}

TEST(MemoryReuse, IsNotThereWithoutAnObjectOfIt) {
  for (const Location location : test::locations()) {
    { const Buffer buffer(location, size); }
    EXPECT_EQ(kept(location), 0u);
    const MemoryReuse reuse;
    kept_memory::shrink(location, 0);
    EXPECT_EQ(kept(location), 0u);
  }
}

}  // namespace
}  // namespace plaq::kept_memory_test
