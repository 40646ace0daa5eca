// Layouts, windows on sites, and copies between fields.
#include "core/field/field_views.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "core/system/error.hpp"
#include "tests/core/field/field_support.hpp"
#include "tests/support/locations.hpp"
#include "tests/support/shapes.hpp"

namespace plaq {
namespace {

using test::for_reals;

constexpr Precision both[] = {Precision::single_precision, Precision::double_precision};

TEST(Layout, OffsetsAreABijectionInsideTheStorage) {
  for (const Location location : {Location::host, Location::device})
    for (const int bytes : {4, 8})
      for (const int reals : {1, 2, 3, 6, 12, 18, 24, 32})
        for (const int sites : {1, 8, 15, 16, 17, 63, 64, 65, 240, 1001}) {
          const Layout layout(location, reals, sites, bytes);
          ASSERT_GE(layout.padded_sites, sites);
          std::vector<char> used(layout.size(), 0);
          for (int s = 0; s < sites; ++s)
            for (int r = 0; r < reals; ++r) {
              const std::size_t at = layout.offset(s, r);
              ASSERT_LT(at, used.size());
              ASSERT_EQ(used[at]++, 0) << "site " << s << " real " << r;
            }
        }
}

// The two units of a scale, which is aligned as a float, take no other's place, and none is left over.
TEST(Layout, ScalesHaveAPlaceOfTheirOwn) {
  for (const Location location : {Location::host, Location::device})
    for (const int bytes : {2, 4})
      for (const int reals : {1, 8, 12, 18, 24, 36})
        for (const int sites : {1, 8, 15, 16, 17, 63, 64, 65, 240, 1001}) {
          const Layout layout(location, reals, sites, bytes, true);
          const auto units = static_cast<std::size_t>(layout.scale_units);
          ASSERT_EQ(units * static_cast<std::size_t>(bytes), sizeof(float));
          std::vector<char> used(layout.size(), 0);
          for (int s = 0; s < layout.padded_sites; ++s) {
            for (int r = 0; r < reals; ++r) {
              ASSERT_LT(layout.offset(s, r), used.size());
              ASSERT_EQ(used[layout.offset(s, r)]++, 0) << "site " << s << " real " << r;
            }
            const std::size_t site_scale = layout.scale_offset(s);
            ASSERT_EQ(site_scale % units, 0U);
            for (std::size_t u = site_scale; u < site_scale + units; ++u) {
              ASSERT_LT(u, used.size());
              ASSERT_EQ(used[u]++, 0) << "scale of site " << s;
            }
          }
          ASSERT_EQ(std::count(used.begin(), used.end(), 0), 0);
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

// A field in which every real is another number, exact in single precision.
double number(const Field& f, int subfield, int parity, int site, int real) {
  return ((subfield * 2 + parity) * f.layout().sites + site) * f.reals_per_site() + real + 0.5;
}
Field numbered(const GeometryPtr& g, FieldSpec spec) {
  spec.location = Location::host;
  Field f(g, spec);
  for_reals(f, [&](int subfield, int parity, int s, int r) {
    set_real(f, subfield, parity, s, r, number(f, subfield, parity, s, r));
  });
  return f;
}

template <class T>
class HostArray : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(HostArray, Scalars);

// Stores through every partial mask, and site by site; nothing else may change.
TYPED_TEST(HostArray, StoresTouchTheSitesThatAreMeant) {
  using T = TypeParam;
  using A = Arch<Host, T>;
  constexpr int W = A::width;
  const auto g = Geometry::create({{6, 2, 10, 4}});
  const auto spec = spinor_spec(Subset::full, 2, precision_of<T>, Location::host);
  const int sites = g->shape().half_volume;
  std::mt19937 generator(2);
  auto value = [](int r, int lane) { return static_cast<T>(-1000 - 100 * r - lane); };
  auto check = [&](auto&& site_of, LaneMask mask, auto&& where, int subfield, int parity) {
    Field f = numbered(g, spec);
    const SiteArray<Host, T, 24> array(f.data(0, parity), f.subfield_stride());
    typename A::Real in[24];
    for (int r = 0; r < 24; ++r)
      for (int l = 0; l < W; ++l) in[r].set(l, value(r, l));
    array.store(subfield, where, in);
    std::vector<int> stored(static_cast<std::size_t>(sites), -1);
    for (int l = 0; l < W; ++l)
      if ((mask >> l) & 1u) stored[static_cast<std::size_t>(site_of(l))] = l;
    for_reals(f, [&](int k, int p, int s, int r) {
      const int lane = k == subfield && p == parity ? stored[static_cast<std::size_t>(s)] : -1;
      ASSERT_EQ(get_real(f, k, p, s, r),
                lane < 0 ? number(f, k, p, s, r) : static_cast<double>(value(r, lane)));
    });
  };
  for (int round = 0; round < 60; ++round) {
    const int first = static_cast<int>(generator() % static_cast<unsigned>(sites / W)) * W;
    const LaneMask all = static_cast<LaneMask>((std::uint64_t{1} << W) - 1);
    const LaneMask mask = round % 4 == 0 ? all : generator() & all;
    const int subfield = round % 2, parity = round / 2 % 2;
    check([&](int l) { return first + l; }, mask, LaneSite<W>{first, mask}, subfield, parity);
    LaneList<W> list;
    list.mask = mask;
    for (int l = 0; l < W; ++l) list.lane[l] = (7 * l + first + 3) % sites;  // no two alike
    check([&](int l) { return list.lane[l]; }, mask, list, subfield, parity);
    // And back.
    Field f = numbered(g, spec);
    const SiteArray<Host, T, 24> array(f.data(0, parity), f.subfield_stride());
    typename A::Real out[24];
    array.load(subfield, list, out);
    for (int r = 0; r < 24; ++r)
      for (int l = 0; l < W; ++l)
        ASSERT_EQ(static_cast<double>(out[r][l]), number(f, subfield, parity, list.lane[l], r));
    array.load(subfield, LaneSite<W>{first, all}, out);
    for (int r = 0; r < 24; ++r)
      for (int l = 0; l < W; ++l)
        ASSERT_EQ(static_cast<double>(out[r][l]), number(f, subfield, parity, first + l, r));
  }
}

TEST(Field, IsZeroAndKnowsItsShape) {
  const auto g = Geometry::create({{6, 2, 10, 4}});
  for (const Location location : test::locations())
    for (const Precision precision : both) {
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
  try {
    const Field f(g, spinor_spec(Subset::even, 1, Precision::half_precision, Location::device));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::job_file);
    EXPECT_STREQ(
        error.what(),
        "a lattice of 512x512x512x8 on one GPU: fields of 24 reals a site in half precision would be "
        "too large for its kernels; use more ranks");
  }
}

// host -> here -> there -> host, every location and precision.
TEST(Field, CopiesBetweenLocationsAndPrecisions) {
  for (const auto& d : {test::decompositions()[2], test::decompositions()[8]}) {
    const auto g = Geometry::create(d);
    for (FieldSpec spec : {spinor_spec(Subset::full, 2, Precision::double_precision, Location::host),
                           spinor_spec(Subset::odd, 3, Precision::double_precision, Location::host),
                           gauge_spec(Precision::double_precision, Location::host)}) {
      const Field original = numbered(g, spec);
      for (const Location l1 : test::locations())
        for (const Precision p1 : both)
          for (const Location l2 : test::locations())
            for (const Precision p2 : both) {
              spec.location = l1;
              spec.precision = p1;
              Field here(g, spec);
              spec.location = l2;
              spec.precision = p2;
              Field there(g, spec);
              Field back(g, original.spec());
              const auto version = there.version();
              copy(here, original);
              copy(there, here);
              copy(back, there);
              EXPECT_NE(there.version(), version);
              for_reals(original, [&](int subfield, int parity, int s, int r) {
                ASSERT_EQ(get_real(back, subfield, parity, s, r), number(original, subfield, parity, s, r));
              });
            }
    }
  }
}

TEST(Field, CopyRoundsToSingle) {
  const auto g = Geometry::create({{2, 2, 2, 2}});
  Field from(g, spinor_spec(Subset::full, 1, Precision::double_precision, Location::host));
  set_real(from, 0, 1, 3, 5, 0.1);
  Field to(g, spinor_spec(Subset::full, 1, Precision::single_precision, Location::host));
  copy(to, from);
  EXPECT_EQ(get_real(to, 0, 1, 3, 5), static_cast<double>(0.1f));
}

// What a site of another geometry of the same rank is called there, -1 where it is not owned.
int same_site(const Geometry& to, const Geometry& from, int parity, int site) {
  Coordinates c = from.shape().coordinates(parity, site);
  for (int mu = 0; mu < 4; ++mu) {
    c.x[mu] -= from.shape().halo[mu];
    if (c.x[mu] < 0 || c.x[mu] >= from.local()[static_cast<std::size_t>(mu)]) return -1;
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
      const Field source = numbered(from, gauge_spec(Precision::double_precision, Location::host));
      for (const Precision precision : both)
        for (const Location location : test::locations()) {
          Field target(to, gauge_spec(precision, location));
          copy(target, source);
          Field got(to, gauge_spec(Precision::double_precision, Location::host));
          copy(got, target);
          for_reals(got, [&](int subfield, int parity, int s, int r) {
            const int at = same_site(*from, *to, parity, s);
            ASSERT_EQ(get_real(got, subfield, parity, s, r),
                      at < 0 ? 0 : number(source, subfield, parity, at, r));
          });
        }
    }
  }
}

TEST(Field, CopiesOfOneParityAndOneSubfield) {
  const auto g = Geometry::create({{6, 2, 10, 4}});
  for (const Location location : test::locations()) {
    const Queue queue(location);
    const auto full = spinor_spec(Subset::full, 2, Precision::double_precision, location);
    Field from(g, full), to(g, full),
        odd(g, spinor_spec(Subset::odd, 2, Precision::double_precision, location));
    Field one(g, spinor_spec(Subset::full, 1, Precision::double_precision, location));
    copy(from, numbered(g, full));
    copy_parity(odd, from, 1, queue);
    copy_parity(to, odd, 1, queue);
    queue.synchronize();
    copy_subfield(one, 0, from, 1);
    Field got(g, numbered(g, full).spec()), got_one(g, numbered(g, one.spec()).spec());
    copy(got, to);
    copy(got_one, one);
    for_reals(got, [&](int subfield, int parity, int s, int r) {
      ASSERT_EQ(get_real(got, subfield, parity, s, r), parity == 0 ? 0 : number(got, subfield, parity, s, r));
      if (subfield != 1) return;
      ASSERT_EQ(get_real(got_one, 0, parity, s, r), number(got, 1, parity, s, r));
    });
    EXPECT_THROW(copy_subfield(one, 0, odd, 1), Error);
    EXPECT_THROW(copy_subfield(one, 1, from, 1), Error);
    EXPECT_THROW(copy_parity(to, one, 1, queue), Error);
  }
}

TEST(Field, RefusesOtherShapes) {
  const auto g = Geometry::create({{6, 2, 10, 4}});
  const auto spec = spinor_spec(Subset::full, 2, Precision::double_precision, Location::host);
  const Field f(g, spec);
  Field fewer(g, spinor_spec(Subset::full, 1, Precision::double_precision, Location::host));
  Field even(g, spinor_spec(Subset::even, 2, Precision::double_precision, Location::host));
  Field links(g, gauge_spec(Precision::double_precision, Location::host));
  Field smaller(Geometry::create({{6, 2, 10, 2}}), spec);
  for (Field* to : {&fewer, &even, &links, &smaller}) EXPECT_THROW(copy(*to, f), Error);
  EXPECT_NO_THROW(expect(f, Location::host, Precision::double_precision, 4, 3));
  try {
    spinor_view<Host, float>(links, 0);
    ADD_FAILURE() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::internal);
    EXPECT_STREQ(e.what(),
                 "internal error: a view for single 4x3 (24 reals), host was opened on a field of double 3x3 "
                 "(18 reals), host");
  }
}

}  // namespace
}  // namespace plaq
