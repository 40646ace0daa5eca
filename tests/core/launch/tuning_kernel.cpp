#include "tests/core/launch/tuning_kernel.hpp"

#include "core/algebra/scalar.hpp"
#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"

namespace plaq::test {
namespace {

constexpr int widths[] = {1, 2, 3};
constexpr int largest_block = 256;

template <class TargetT, class T, int Width>
struct MultiplyAndAdd {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = largest_block;
  SiteArray<TargetT, T, 4> m, x, y;
  int batch;

  PLAQ_HD void operator()(const typename Arch::Site& site, int group) const {
    Real factor[4];
    m.load(0, site, factor);
    for (int i = group * Width; i < (group + 1) * Width && i < batch; ++i) {
      Real in[4], out[4];
      x.load(i, site, in);
      y.load_mutable(i, site, out);
      for (int k = 0; k < 4; k += 2) {
        out[k] = fma(-factor[1], in[k + 1], fma(factor[0], in[k], out[k]));
        out[k + 1] = fma(factor[1], in[k], fma(factor[0], in[k + 1], out[k + 1]));
      }
      y.store(i, site, out);
    }
  }
};

template <class TargetT, class T>
SiteArray<TargetT, T, 4> open(const Field& field, int parity) {
  expect(field, location_of<TargetT>, precision_of<T>, 2, 1);
  return SiteArray<TargetT, T, 4>(field.data(0, parity), field.subfield_stride());
}

template <class Target, class T, int Width>
void run(const Field& m, const Field& x, const Field& y, const Queue& queue, const Launch& launch) {
  for (int parity = 0; parity < 2; ++parity) {
    const int groups = (y.subfields() + Width - 1) / Width;
    for_each(make_domain(y.geometry(), Region::all, parity, location_of<Target>, groups), queue,
             MultiplyAndAdd<Target, T, Width>{open<Target, T>(m, parity), open<Target, T>(x, parity),
                                              open<Target, T>(y, parity), y.subfields()},
             launch);
  }
}

}  // namespace

template <class Target, class T>
Launch multiply_and_add(const Field& m, const Field& x, const Field& y, const Queue& queue,
                        const Launch* given) {
  const auto launch_as = [&](const Launch& launch) {
    if (launch.width == 1) run<Target, T, 1>(m, x, y, queue, launch);
    if (launch.width == 2) run<Target, T, 2>(m, x, y, queue, launch);
    if (launch.width == 3) run<Target, T, 3>(m, x, y, queue, launch);
  };
  static const auto candidates = launch_candidates(location_of<Target>, largest_block, widths);
  const Tuner::Memory changed[] = {memory_of(y)};
  const auto key = tune_key("multiply_and_add", name_of(precision_of<T>), y.geometry(), y.subfields());
  const Launch launch = given != nullptr ? *given : tuned(queue, key, candidates, launch_as, changed);
  launch_as(launch);
  return launch;
}

template Launch multiply_and_add<BuildTarget, float>(const Field&, const Field&, const Field&, const Queue&,
                                                     const Launch*);
template Launch multiply_and_add<BuildTarget, double>(const Field&, const Field&, const Field&, const Queue&,
                                                      const Launch*);

#if !defined(__CUDACC__)
std::vector<Launch> multiply_and_add_candidates(Location location) {
  return launch_candidates(location, largest_block, widths);
}
#endif

}  // namespace plaq::test
