#include "core/launch/launch.hpp"
#include "kernels/fourier/fourier_launch.hpp"
#include "kernels/site/lane_wise.hpp"

namespace plaq {
namespace {

template <class T>
struct Reorder {
  using Arch = plaq::Arch<BuildTarget, float>;

  SplitLines lines;
  FourierNumber<T>*rows, *packed;
  bool back;

  PLAQ_HD void operator()(const typename Arch::Site& site, int) const {
    for_each_lane(site, [&](int, int element) {
      const int along = static_cast<int>(lines.by_stride.divide(static_cast<std::uint32_t>(element)));
      const int outer = static_cast<int>(lines.by_extent.divide(static_cast<std::uint32_t>(along)));
      const int position = along - outer * lines.extent;
      const int line = outer * lines.stride + element - along * lines.stride;
      const int part = lines.part_of(line), begin = lines.begin(part);
      const int at = begin * lines.extent + position * (lines.begin(part + 1) - begin) + line - begin;
      if (back) {
        rows[element] = packed[at];
      } else {
        packed[at] = rows[element];
      }
    });
  }
};

// All outputs of one group of inputs of a line.
template <class T>
struct ApplyStage {
  using Arch = plaq::Arch<BuildTarget, float>;

  FourierStage stage;
  int inner;
  Divisor by_inner, by_groups;
  const FourierNumber<T>*roots, *from;
  FourierNumber<T>* to;
  T sign;

  PLAQ_HD void operator()(const typename Arch::Site& site, int) const {
    for_each_lane(site, [&](int, int index) {
      const int along = static_cast<int>(by_inner.divide(static_cast<std::uint32_t>(index)));
      const int outer = static_cast<int>(by_groups.divide(static_cast<std::uint32_t>(along)));
      const int t = along - outer * stage.groups();
      const int first = outer * stage.extent * inner + index - along * inner;
      for (int q = 0; q < stage.radix; ++q) {
        T re = 0, im = 0;
        for (int r = 0; r < stage.radix; ++r) {
          const FourierNumber<T> root = roots[stage.turn(t, q, r)];
          const T c = root.re, s = sign * root.im;
          const FourierNumber<T> x = from[first + (t + r * stage.groups()) * inner];
          re += c * x.re - s * x.im;
          im += c * x.im + s * x.re;
        }
        to[first + stage.place(t, q) * inner] = {re, im};
      }
    });
  }
};

template <class T>
struct Divide {
  using Arch = plaq::Arch<BuildTarget, float>;

  FourierNumber<T>* data;
  T by;

  PLAQ_HD void operator()(const typename Arch::Site& site, int) const {
    for_each_lane(site, [&](int, int index) {
      data[index].re /= by;
      data[index].im /= by;
    });
  }
};

}  // namespace

template <class Target, class T>
void FourierLaunch<Target, T>::reorder(const SplitLines& lines, FourierNumber<T>* rows,
                                       FourierNumber<T>* packed, bool back, int total, const Queue& queue) {
  for_each(index_domain(total), queue, Reorder<T>{lines, rows, packed, back});
}

template <class Target, class T>
void FourierLaunch<Target, T>::stage(const FourierStage& stage, int inner, int total,
                                     const FourierNumber<T>* roots, bool forward,
                                     const FourierNumber<T>* from, FourierNumber<T>* to, const Queue& queue) {
  for_each(index_domain(total / stage.radix), queue,
           ApplyStage<T>{stage, inner, Divisor(static_cast<std::uint32_t>(inner)),
                         Divisor(static_cast<std::uint32_t>(stage.groups())), roots, from, to,
                         forward ? T(-1) : T(1)});
}

template <class Target, class T>
void FourierLaunch<Target, T>::divide(FourierNumber<T>* data, int total, T by, const Queue& queue) {
  for_each(index_domain(total), queue, Divide<T>{data, by});
}

template struct FourierLaunch<BuildTarget, float>;
template struct FourierLaunch<BuildTarget, double>;

}  // namespace plaq
