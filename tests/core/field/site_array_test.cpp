// Windows on sites in every storage: what is stored, where, and what is read back through every kind of
// index. The model is the scalar path with the offsets of core/field/layout.hpp.
#include "core/field/site_array.hpp"

#include "core/lattice/host_neighbors.hpp"
#include "tests/support/test.hpp"

namespace plaq {
namespace {

template <class T_, int N_, class S_, bool SiteScale_>
struct Kind {
  using T = T_;
  using S = S_;
  static constexpr int n = N_;
  static constexpr bool site_scale = SiteScale_;
};

template <class K>
class SiteArrays : public testing::Test {
 public:
  using T = typename K::T;
  using S = typename K::S;
  using Real = typename Arch<Host, T>::Real;
  using Array = SiteArray<Host, T, K::n, S, K::site_scale>;
  static constexpr int N = K::n, W = Arch<Host, T>::width;
  static constexpr bool fixed = std::is_same_v<S, Fixed16>;
  static constexpr int subfields = 2, sites = 55;  // three blocks and a part of one
  static constexpr LaneMask full = static_cast<LaneMask>((std::uint64_t{1} << W) - 1);

  const Layout layout{Location::host, N, sites, static_cast<int>(sizeof(S)), K::site_scale};
  // What lies around it must not be touched either.
  std::vector<S> memory = std::vector<S>(subfields * layout.size() + 2 * layout.size());
  std::mt19937 generator{5};

  SiteArrays() { scramble(); }
  S* data() { return memory.data() + layout.size(); }
  const S* subfield_data(int subfield) { return data() + static_cast<std::size_t>(subfield) * layout.size(); }
  Array array() { return Array(data(), layout.size()); }

  T number() { return std::uniform_real_distribution<T>(T(-1), T(1))(generator); }
  void scramble() {
    for (int subfield = 0; subfield < subfields + 2; ++subfield)
      for (int s = 0; s < layout.padded_sites; ++s) {
        S* at = memory.data() + static_cast<std::size_t>(subfield) * layout.size();
        for (int r = 0; r < N; ++r)
          at[layout.offset(s, r)] = to_storage<S>(fixed ? std::nearbyint(32767 * number()) : number());
        if constexpr (K::site_scale) {
          const float site_scale = std::exp(10 * static_cast<float>(number()));
          std::memcpy(at + layout.scale_offset(s), &site_scale, sizeof(site_scale));
        }
      }
  }
  // The factor and the numbers that the model finds at a site.
  T expected(int subfield, int site, T (&raw)[N]) {
    const S* at = subfield_data(subfield);
    for (int r = 0; r < N; ++r) raw[r] = from_storage<T>(at[layout.offset(site, r)]);
    if constexpr (K::site_scale) {
      float site_scale;
      std::memcpy(&site_scale, at + layout.scale_offset(site), sizeof(site_scale));
      return static_cast<T>(site_scale);
    }
    return fixed ? T(1) / static_cast<T>(fixed16_steps) : T(1);
  }
  template <class Index, class SiteOf>
  void expect_loads(int subfield, const Index& index, SiteOf&& site_of) {
    Real raw[N], out[N], mutable_out[N];
    const Real factor = array().load_raw(subfield, index, raw);
    array().load(subfield, index, out);
    array().load_mutable(subfield, index, mutable_out);
    for (int l = 0; l < W; ++l) {
      T model[N];
      const T f = expected(subfield, site_of(l), model);
      if constexpr (Array::scaled) {
        ASSERT_EQ(factor[l], f);
      }
      for (int r = 0; r < N; ++r) {
        ASSERT_EQ(raw[r][l], model[r]) << "lane " << l << " real " << r;
        ASSERT_EQ(out[r][l], Array::scaled ? model[r] * f : model[r]);
        ASSERT_EQ(mutable_out[r][l], out[r][l]);
      }
    }
  }
  // Stores like the scalar path.
  static void model_store(S* subfield, const Layout& where, int site, const T (&in)[N]) {
    T steps = static_cast<T>(fixed16_steps);
    if constexpr (K::site_scale) {
      T most = 0;
      for (const T v : in) most = larger_magnitude(v, most);
      steps = steps_for(most);
      const auto site_scale = static_cast<float>(most * (T(1) / static_cast<T>(fixed16_steps)));
      std::memcpy(subfield + where.scale_offset(site), &site_scale, sizeof(site_scale));
    }
    for (int r = 0; r < N; ++r) subfield[where.offset(site, r)] = to_storage<S>(in[r], steps);
  }
  bool same_bytes(const std::vector<S>& other) {
    return std::memcmp(memory.data(), other.data(), memory.size() * sizeof(S)) == 0;
  }
  // Stores random numbers (some of them in the place of `special`) and compares the whole memory.
  template <class Index, class SiteOf>
  void expect_store(int subfield, const Index& index, LaneMask mask, SiteOf&& site_of, bool special) {
    constexpr T specials[] = {std::numeric_limits<T>::quiet_NaN(),  std::numeric_limits<T>::infinity(),
                              -std::numeric_limits<T>::infinity(),  std::numeric_limits<T>::denorm_min(),
                              static_cast<T>(fixed16_smallest) / 2, T(0)};
    Real in[N];
    const T scale = std::exp(20 * number());
    for (int l = 0; l < W; ++l)
      for (int r = 0; r < N; ++r) in[r].set(l, number() * (K::site_scale ? scale : T(1)));
    if (special) in[generator() % N].set(static_cast<int>(generator() % W), specials[generator() % 6]);
    auto model = memory;
    for (int l = 0; l < W; ++l) {
      if (!((mask >> l) & 1u)) continue;
      T one[N];
      for (int r = 0; r < N; ++r) one[r] = in[r][l];
      S* at = model.data() + static_cast<std::size_t>(subfield + 1) * layout.size();
      if constexpr (K::site_scale && !fixed) {
        for (int r = 0; r < N; ++r) at[layout.offset(site_of(l), r)] = one[r];
        const auto site_scale = static_cast<float>(one[0]);
        std::memcpy(at + layout.scale_offset(site_of(l)), &site_scale, sizeof(site_scale));
      } else {
        model_store(at, layout, site_of(l), one);
      }
    }
    if constexpr (K::site_scale && !fixed) {
      array().store_raw(subfield, index, in, in[0]);
    } else {
      array().store(subfield, index, in);
    }
    ASSERT_TRUE(same_bytes(model));
  }
  // Lanes as neighbours in x, y, z or t may be: shifted, wrapped around, rows shifted one by one, or anyhow.
  void some_lanes(int (&lane)[W], int round) {
    const int first = static_cast<int>(generator() % static_cast<unsigned>(layout.padded_sites - W + 1));
    const int row = 3 + round % 5;
    for (int l = 0; l < W; ++l) {
      int s = first + l;
      if (round % 4 == 1) s = (first + l + row) % sites;
      if (round % 4 == 2) s = first + l / row * row + (l % row + 1) % row;
      if (round % 4 == 3) s = static_cast<int>(generator() % sites);
      lane[l] = std::min(s, sites - 1);
    }
  }
};

using Kinds = testing::Types<
    Kind<double, 24, double, false>, Kind<float, 24, float, false>, Kind<float, 24, Fixed16, true>,
    Kind<float, 12, float, true>, Kind<double, 18, double, false>, Kind<float, 18, float, false>,
    Kind<float, 18, Fixed16, false>, Kind<float, 12, Fixed16, false>, Kind<float, 8, Fixed16, false>,
    Kind<double, 8, float, false>, Kind<double, 12, float, false>, Kind<double, 8, Fixed16, false>,
    Kind<double, 12, Fixed16, false>, Kind<double, 18, Fixed16, false>, Kind<float, 36, Fixed16, true>>;
TYPED_TEST_SUITE(SiteArrays, Kinds);

TYPED_TEST(SiteArrays, LoadsThroughEveryIndex) {
  constexpr int W = TestFixture::W;
  int runs_seen[most_lane_runs + 1] = {};
  for (int round = 0; round < 400; ++round) {
    const int subfield = round % 2;
    const int first = static_cast<int>(this->generator() % static_cast<unsigned>(this->sites / W)) * W;
    this->expect_loads(subfield, LaneSite<W>{first, this->full}, [&](int l) { return first + l; });
    LaneList<W> list;
    list.mask = this->full;
    this->some_lanes(list.lane, round);
    const auto site_of = [&](int l) { return list.lane[l]; };
    this->expect_loads(subfield, list, site_of);
    LaneRun runs[most_lane_runs];
    const int count = split_into_runs(list.lane, W, this->layout.padded_sites, runs);
    ++runs_seen[count];
    this->expect_loads(subfield, LaneNeighbor<W>{runs, count, list.lane, 0}, site_of);
    this->expect_loads(subfield, LaneNeighbor<W>{runs, 0, list.lane, 0}, site_of);
    if (this->HasFatalFailure()) return;
  }
  EXPECT_GT(runs_seen[0] + runs_seen[3] + runs_seen[4], 0);
  EXPECT_GT(runs_seen[1], 50);
  EXPECT_GT(runs_seen[2], 20);
}

// Through every kind of mask; nothing but the sites that are meant may change, whatever is stored in them.
TYPED_TEST(SiteArrays, StoresTouchTheSitesThatAreMeant) {
  constexpr int W = TestFixture::W;
  for (int round = 0; round < 300; ++round) {
    const int subfield = round % 2;
    const int first = static_cast<int>(this->generator() % static_cast<unsigned>(this->sites / W)) * W;
    const LaneMask mask = round % 4 == 0 ? this->full : this->generator() & this->full;
    this->expect_store(
        subfield, LaneSite<W>{first, mask}, mask, [&](int l) { return first + l; }, round % 3 == 0);
    LaneList<W> list;
    list.mask = mask;
    for (int l = 0; l < W; ++l) list.lane[l] = (7 * l + first + 3) % this->sites;  // no two alike
    this->expect_store(
        subfield, list, mask, [&](int l) { return list.lane[l]; }, round % 3 == 1);
    if (this->HasFatalFailure()) return;
  }
}

// What a component may lose: half a scale, which is 1/32767 of the site's largest number.
TEST(HalfPrecision, LosesAtMostHalfAStep) {
  using Array = SiteArray<Host, float, 24, Fixed16, true>;
  constexpr int W = Arch<Host, float>::width;
  std::mt19937 generator(6);
  std::normal_distribution<float> normal;
  std::vector<Fixed16> memory(Layout(Location::host, 24, 16, 2, true).size());
  const Array array(memory.data(), 0);
  double worst = 0;
  for (int round = 0; round < 4000; ++round) {
    Array::Real in[24], out[24];
    const float scale = std::exp(70 * (static_cast<float>(round) / 2000 - 1));
    for (auto& v : in)
      for (int l = 0; l < W; ++l) v.set(l, scale * normal(generator));
    array.store(0, LaneSite<W>{0, (1u << W) - 1}, in);
    array.load(0, LaneSite<W>{0, (1u << W) - 1}, out);
    for (int l = 0; l < W; ++l) {
      double most = 0, off = 0;
      for (int r = 0; r < 24; ++r) {
        most = std::max(most, std::abs(static_cast<double>(in[r][l])));
        off = std::max(off, std::abs(static_cast<double>(in[r][l]) - static_cast<double>(out[r][l])));
      }
      worst = std::max(worst, off / (most / 32767));
    }
  }
  EXPECT_LT(worst, 0.5 + 0.01);  // integers near 32767 round in single precision first
  EXPECT_GT(worst, 0.49);
}

// A site with one number that is none is lost, and says so; a tiny one is zero.
TEST(HalfPrecision, TaintsTheSiteAndNoOther) {
  using Array = SiteArray<Host, float, 24, Fixed16, true>;
  constexpr int W = Arch<Host, float>::width;
  std::vector<Fixed16> memory(Layout(Location::host, 24, 16, 2, true).size());
  const Array array(memory.data(), 0);
  const LaneSite<W> all{0, (1u << W) - 1};
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()})
    for (int r = 0; r < 24; ++r) {
      Array::Real in[24], out[24];
      for (auto& v : in) v = Array::Real(0.25f);
      in[r].set(2, bad);
      array.store(0, all, in);
      array.load(0, all, out);
      for (int k = 0; k < 24; ++k)
        for (int l = 0; l < W; ++l) {
          if (l == 2) {
            EXPECT_FALSE(std::isfinite(out[k][l])) << bad << " at " << r << " came back as " << out[k][l];
          } else {
            EXPECT_NEAR(out[k][l], 0.25f, 1e-7f);
          }
        }
    }
  for (const float tiny : {0.0f, 1e-45f, 1e-38f, 3.9e-34f}) {
    Array::Real in[24], out[24];
    for (auto& v : in) v = Array::Real(-tiny);
    array.store(0, all, in);
    array.load(0, all, out);
    EXPECT_EQ(out[7][1], 0) << tiny;
  }
}

}  // namespace
}  // namespace plaq
