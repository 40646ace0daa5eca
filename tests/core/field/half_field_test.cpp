// Copies from and to half precision.

#include "core/field/site_array.hpp"
#include "tests/core/field/field_support.hpp"
#include "tests/support/locations.hpp"
#include "tests/support/shapes.hpp"

namespace plaq {
namespace {

using test::copied;
using test::for_reals;
using test::with;

// Normal numbers of very different size from site to site.
Field spread(const GeometryPtr& g, const FieldSpec& spec) {
  Field f(g, with(spec, Precision::double_precision, Location::host));
  std::mt19937 generator(9);
  std::normal_distribution<double> normal;
  double scale = 1;
  for_reals(f, [&](int subfield, int parity, int s, int r) {
    if (r == 0) scale = spec.bounded ? 0.2 : std::exp(20 * normal(generator));
    set_real(f, subfield, parity, s, r, std::clamp(scale * normal(generator), -scale * 5, scale * 5));
  });
  return f;
}
std::vector<char> bytes_of(const Field& f) {
  std::vector<char> bytes(f.bytes());
  copy_bytes(bytes.data(), Location::host, f.data(0, f.holds(0) ? 0 : 1), f.location(), f.bytes());
  return bytes;
}

// The bits that a kernel stores on the host; the path through a GPU changes none.
template <int N, bool SiteScale>
void expect_bits_of_a_kernel(const GeometryPtr& g, const FieldSpec& shape) {
  const Field original = spread(g, shape);
  for (const Precision precision : test::both_precisions) {
    const Field from = copied(original, with(shape, precision, Location::host));
    const FieldSpec half = with(shape, Precision::half_precision, Location::host);
    Field stored(g, half);
    constexpr int W = Arch<Host, float>::width;
    for (int subfield = 0; subfield < from.subfields(); ++subfield)
      for (int parity = 0; parity < 2; ++parity) {
        if (!from.holds(parity)) continue;
        const SiteArray<Host, float, N, Fixed16, SiteScale> array(stored.data(subfield, parity), 0);
        for (int s = 0; s < from.layout().sites; s += W) {
          Arch<Host, float>::Real in[N];
          LaneMask mask = 0;
          for (int l = 0; l < W && s + l < from.layout().sites; ++l) {
            mask |= LaneMask{1} << l;
            for (int r = 0; r < N; ++r)
              in[r].set(l, static_cast<float>(get_real(from, subfield, parity, s + l, r)));
          }
          array.store(0, LaneSite<W>{s, mask}, in);
        }
      }
    EXPECT_EQ(bytes_of(copied(from, half)), bytes_of(stored));
    for (const Location location : test::locations()) {
      const Field there = copied(from, with(half, half.precision, location));
      EXPECT_EQ(bytes_of(copied(there, half)), bytes_of(stored));
    }
    // Numbers come back to half a scale.
    const Field back = copied(stored, original.spec());
    double most = 0;
    for_reals(original, [&](int subfield, int parity, int s, int r) {
      if (r == 0) {
        most = SiteScale ? 0 : 1;
        for (int k = 0; k < N; ++k)
          most = std::max(most, std::abs(get_real(original, subfield, parity, s, k)));
      }
      ASSERT_NEAR(get_real(back, subfield, parity, s, r), get_real(original, subfield, parity, s, r),
                  0.51 / 32767 * most);
    });
  }
}

TEST(HalfField, CopyToHalfHasTheBitsOfAKernel) {
  const auto where = Precision::double_precision;
  for (const auto& d : {test::decompositions()[0], test::decompositions()[2], test::decompositions()[8]}) {
    const auto g = Geometry::create(d);
    expect_bits_of_a_kernel<24, true>(g, spinor_spec(Subset::full, 2, where, Location::host));
    expect_bits_of_a_kernel<24, true>(g, spinor_spec(Subset::odd, 3, where, Location::host));
    expect_bits_of_a_kernel<36, true>(g, {Subset::even, 6, 3, 2, where, Location::host});
    expect_bits_of_a_kernel<18, false>(g, gauge_spec(where, Location::host));
    expect_bits_of_a_kernel<12, false>(g, gauge_spec(where, Location::host, 12));
    expect_bits_of_a_kernel<8, false>(g, gauge_spec(where, Location::host, 8));
  }
}

// Between layouts, numbers in half precision keep integers and scales.
TEST(HalfField, HalfToHalfChangesNoBit) {
  const auto plain = Geometry::create(test::decompositions()[4]);
  const auto extended = plain->extended(1);
  auto spec = spinor_spec(Subset::full, 2, Precision::half_precision, Location::host);
  Field numbers = spread(plain, spec);
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  set_real(numbers, 0, 1, 3, 5, nan);
  set_real(numbers, 1, 0, 2, 0, -std::numeric_limits<double>::infinity());
  const Field half = copied(numbers, spec);
  Field wide(extended, spec), back(plain, spec);
  for (int r = 0; r < 24; ++r) {
    EXPECT_TRUE(std::isnan(get_real(half, 0, 1, 3, r)));
    EXPECT_FALSE(std::isfinite(get_real(half, 1, 0, 2, r)));
    EXPECT_TRUE(std::isfinite(get_real(half, 0, 1, 4, r)) && std::isfinite(get_real(half, 0, 1, 2, r)));
  }
  copy(wide, half);
  copy(back, wide);
  const auto there = bytes_of(half), again = bytes_of(back);
  // Padding may differ: units of stored sites only.
  const Layout& layout = half.layout();
  for (int subfield = 0; subfield < 2; ++subfield)
    for (int parity = 0; parity < 2; ++parity) {
      const auto first = static_cast<std::size_t>(2 * subfield + parity) * layout.size();
      const auto same = [&](std::size_t unit, std::size_t units) {
        return std::memcmp(&there[2 * (first + unit)], &again[2 * (first + unit)], 2 * units) == 0;
      };
      for (int s = 0; s < layout.sites; ++s) {
        for (int r = 0; r < 24; ++r) ASSERT_TRUE(same(layout.offset(s, r), 1));
        ASSERT_TRUE(same(layout.scale_offset(s), 2)) << "subfield " << subfield << " site " << s;
      }
    }
  // To wider numbers and back as well.
  for (const Precision precision : test::both_precisions) {
    const Field direct = copied(half, numbers.spec()),
                b = copied(copied(half, with(spec, precision, Location::host)), numbers.spec());
    for_reals(b, [&](int subfield, int parity, int s, int r) {
      const double want = get_real(direct, subfield, parity, s, r);
      const double got = get_real(b, subfield, parity, s, r);
      if (std::isnan(want)) {
        ASSERT_TRUE(std::isnan(got));
      } else if (precision == Precision::single_precision) {
        ASSERT_EQ(got, static_cast<double>(static_cast<float>(want)));
      } else {
        ASSERT_EQ(got, want);
      }
    });
  }
}

}  // namespace
}  // namespace plaq
