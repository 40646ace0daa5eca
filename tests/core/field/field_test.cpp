// Layouts, windows on sites, and copies between fields.
#include "core/field/field_views.hpp"

#include "tests/core/field/field_support.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/locations.hpp"
#include "tests/support/shapes.hpp"

namespace plaq {
namespace {

using test::both_precisions;
using test::copied;
using test::expect_reals;
using test::number;
using test::numbered;
using test::with;

const FieldSpec full_spinors = spinor_spec(Subset::full, 2, Precision::double_precision, Location::host);
const FieldSpec links = gauge_spec(Precision::double_precision, Location::host);

// Checks that every offset is used once at most.
struct Used {
  std::vector<char> units;
  void mark(std::size_t at, std::size_t count = 1) {
    for (std::size_t u = at; u < at + count; ++u) {
      ASSERT_LT(u, units.size());
      ASSERT_EQ(units[u]++, 0) << "unit " << u;
    }
  }
};

// The two units of a scale, which is aligned as a float, take no other's place. None
// is left over where there is one.
TEST(Layout, OffsetsAreABijectionInsideTheStorage) {
  for (const Location location : {Location::host, Location::device})
    for (const bool with_scale : {false, true})
      for (const int bytes : {2, 4, 8})
        for (const int reals : {1, 2, 3, 6, 8, 12, 18, 24, 32, 36})
          for (const int sites : {1, 8, 15, 16, 17, 63, 64, 65, 240, 1001}) {
            if (with_scale && bytes == 8) continue;
            SCOPED_TRACE(std::to_string(bytes) + " bytes, reals " + std::to_string(reals));
            const Layout layout(location, reals, sites, bytes, with_scale);
            ASSERT_GE(layout.padded_sites, sites);
            const auto units = static_cast<std::size_t>(layout.scale_units);
            Used used{std::vector<char>(layout.size(), 0)};
            for (int s = 0; s < (with_scale ? layout.padded_sites : sites); ++s) {
              for (int r = 0; r < reals; ++r) used.mark(layout.offset(s, r));
              if (!with_scale) continue;
              ASSERT_EQ(units * static_cast<std::size_t>(bytes), sizeof(float));
              ASSERT_EQ(layout.scale_offset(s) % units, 0U);
              used.mark(layout.scale_offset(s), units);
            }
            if (testing::Test::HasFatalFailure()) return;
            if (with_scale) {
              ASSERT_EQ(std::count(used.units.begin(), used.units.end(), 0), 0);
            }
          }
}

TEST(Layout, ChunksFit16BytesAndDivide) {
  EXPECT_EQ(chunk_reals(18, 4), 2);
  EXPECT_EQ(chunk_reals(18, 8), 2);
  EXPECT_EQ(chunk_reals(24, 4), 4);
  EXPECT_EQ(chunk_reals(24, 8), 2);
  EXPECT_EQ(chunk_reals(3, 4), 1);
  EXPECT_EQ(chunk_reals(24, 2), 8);
  EXPECT_EQ(chunk_reals(18, 2), 2);
  EXPECT_EQ(chunk_reals(12, 2), 4);
  EXPECT_EQ(chunk_reals(8, 2), 8);
}

TEST(Field, IsZeroAndKnowsItsShape) {
  const auto g = Geometry::create({{6, 2, 10, 4}});
  for (const Location location : test::locations())
    for (const Precision precision : both_precisions) {
      const Field f(g, spinor_spec(Subset::odd, 3, precision, location));
      EXPECT_EQ(f.parities(), 1);
      EXPECT_FALSE(f.holds(0));
      EXPECT_TRUE(f.holds(1));
      EXPECT_EQ(f.reals_per_site(), 24);
      EXPECT_EQ(f.bytes(), 3 * f.layout().size() * static_cast<std::size_t>(bytes_of(precision)));
      EXPECT_EQ(f.subfield_stride(), f.layout().size());
      std::vector<char> bytes(f.bytes(), 1);
      copy_bytes(bytes.data(), Location::host, f.data(0, 1), location, f.bytes());
      EXPECT_EQ(bytes, std::vector<char>(f.bytes(), 0));
      EXPECT_THROW(f.data(0, 0), Error);
      EXPECT_THROW(f.data(3, 1), Error);
      EXPECT_THROW(f.data(-1, 1), Error);
    }
}

// 2^29 sites of one parity: half spinors take 13 units of 4 bytes each. Refused before memory is asked for.
TEST(Field, TooLargeForADevice) {
  const auto g = Geometry::create({{512, 512, 512, 8}});
  const auto half = spinor_spec(Subset::even, 1, Precision::half_precision, Location::device);
  EXPECT_EQ(test::message_of(ErrorKind::job_file, [&] { const Field f(g, half); }),
            "a lattice of 512x512x512x8 on one GPU: fields of 24 reals a site in half precision would be "
            "too large for its kernels; use more ranks");
}

// host -> here -> there -> host, every location and precision.
TEST(Field, CopiesBetweenLocationsAndPrecisions) {
  for (const auto& d : {test::decompositions()[2], test::decompositions()[8]})
    for (const FieldSpec& spec :
         {full_spinors, spinor_spec(Subset::odd, 3, Precision::double_precision, Location::host), links}) {
      const Field original = numbered(Geometry::create(d), spec);
      for (const Location l1 : test::locations())
        for (const Precision p1 : both_precisions)
          for (const Location l2 : test::locations())
            for (const Precision p2 : both_precisions) {
              const Field here = copied(original, with(spec, p1, l1));
              Field there(original.geometry_ptr(), with(spec, p2, l2));
              const auto version = there.version();
              copy(there, here);
              EXPECT_NE(there.version(), version);
              test::expect_numbers_of(copied(there, spec), original);
            }
    }
}

TEST(Field, CopyRoundsToSingle) {
  const auto g = Geometry::create({{2, 2, 2, 2}});
  Field from(g, full_spinors);
  set_real(from, 0, 1, 3, 5, 0.1);
  const Field to = copied(from, with(full_spinors, Precision::single_precision, Location::host));
  EXPECT_EQ(get_real(to, 0, 1, 3, 5), static_cast<double>(0.1f));
}

// What a site of another geometry of the same rank is called there, -1 where it is not owned.
int same_site(const Geometry& to, const Geometry& from, int parity, int site) {
  Coordinates c = from.shape().coordinates(parity, site);
  for (int mu = 0; mu < 4; ++mu) {
    c.x[mu] -= from.shape().halo[mu];
    if (c.x[mu] < 0 || c.x[mu] >= from.local()[mu]) return -1;
    c.x[mu] += to.shape().halo[mu];
  }
  return to.shape().index(c);
}

TEST(Field, CopiesOwnedSitesToAndFromExtendedLattices) {
  for (const auto& d : test::decompositions()) {
    const auto plain = Geometry::create(d);
    if (!plain->any_partitioned()) continue;
    // The last pair: the same depth, but in other directions.
    auto other = d;
    other.forced ^= 15;
    const std::pair<GeometryPtr, GeometryPtr> pairs[] = {
        {plain, plain->extended(1)},
        {plain->extended(2), plain},
        {plain->extended(1), plain->extended(2)},
        {plain->extended(1), Geometry::create(other)->extended(1)}};
    for (const auto& [to, from] : pairs) {
      if (to->shape().partitioned == from->shape().partitioned && to->halo_depth() == from->halo_depth())
        continue;
      SCOPED_TRACE(test::describe(*from) + " to " + test::describe(*to));
      const Field source = numbered(from, links);
      for (const Precision precision : both_precisions)
        for (const Location location : test::locations()) {
          const auto expect_copy = [&](const Field& original) {
            Field target(to, with(links, precision, location));
            copy(target, original);
            expect_reals(copied(target, links), [&](int subfield, int parity, int s, int r) {
              const int at = same_site(*from, *to, parity, s);
              return at < 0 ? 0 : number(source, subfield, parity, at, r);
            });
          };
          expect_copy(source);
          expect_copy(copied(source, with(links, precision, location)));
        }
    }
  }
}

TEST(Field, CopiesOfOneParityAndOneSubfield) {
  const auto g = Geometry::create({{6, 2, 10, 4}});
  for (const Location location : test::locations()) {
    const Queue queue(location);
    const auto full = with(full_spinors, Precision::double_precision, location);
    Field to(g, full), odd(g, spinor_spec(Subset::odd, 2, Precision::double_precision, location)),
        one(g, spinor_spec(Subset::full, 1, Precision::double_precision, location));
    const Field original = numbered(g, full), from = copied(original, full);
    copy_parity(odd, from, 1, queue);
    copy_parity(to, odd, 1, queue);
    queue.synchronize();
    copy_subfield(one, 0, from, 1);
    expect_reals(copied(to, full_spinors), [&](int subfield, int parity, int s, int r) {
      return parity == 0 ? 0 : number(original, subfield, parity, s, r);
    });
    expect_reals(copied(one, with(one.spec(), Precision::double_precision, Location::host)),
                 [&](int, int parity, int s, int r) { return number(original, 1, parity, s, r); });
    EXPECT_THROW(copy_subfield(one, 0, odd, 1), Error);
    EXPECT_THROW(copy_subfield(one, 1, from, 1), Error);
    EXPECT_THROW(copy_parity(to, one, 1, queue), Error);
  }
}

TEST(Field, CopiesOfARightHandSideTakeAllSlices) {
  const auto g = Geometry::create({{6, 2, 10, 4}});
  constexpr int Ls = 3;
  for (const Location location : test::locations()) {
    const auto spec = [&](int batch, int slices, Location where) {
      return five_dimensional_spec(Subset::full, batch, slices, Precision::double_precision, where);
    };
    const Field original = numbered(g, spec(2, Ls, Location::host)),
                from = copied(original, spec(2, Ls, location));
    Field three(g, spec(3, Ls, location)), other(g, spec(2, Ls + 1, location));
    copy_right_hand_side(three, 2, from, 1);
    expect_reals(copied(three, spec(3, Ls, Location::host)), [&](int subfield, int parity, int s, int r) {
      return subfield < 2 * Ls ? 0 : number(original, subfield - Ls, parity, s, r);
    });
    EXPECT_THROW(copy_right_hand_side(three, 3, from, 1), Error);
    EXPECT_THROW(copy_right_hand_side(three, 0, from, 2), Error);
    EXPECT_THROW(copy_right_hand_side(other, 0, from, 0), Error);
  }
}

TEST(Field, RefusesOtherShapes) {
  const auto g = Geometry::create({{6, 2, 10, 4}});
  const Field f(g, full_spinors);
  Field fewer(g, spinor_spec(Subset::full, 1, Precision::double_precision, Location::host));
  Field even(g, spinor_spec(Subset::even, 2, Precision::double_precision, Location::host));
  Field gauge(g, links);
  Field smaller(Geometry::create({{6, 2, 10, 2}}), full_spinors);
  for (Field* to : {&fewer, &even, &gauge, &smaller}) EXPECT_THROW(copy(*to, f), Error);
  EXPECT_NO_THROW(expect(f, Location::host, Precision::double_precision, 4, 3));
  EXPECT_EQ(test::message_of(ErrorKind::internal, [&] { spinor_view<Host, float>(gauge, 0); }),
            "internal error: a view for single 4x3 (24 reals), host was opened on a field of double 3x3 (18 "
            "reals), host");
}

}  // namespace
}  // namespace plaq
