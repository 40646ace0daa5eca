#include "kernels/fourier/line_transform.hpp"

#include <algorithm>

namespace plaq {

template <class T>
LineTransform<T>::LineTransform(int extent, int inner, int outer)
    : extent_(extent),
      inner_(inner),
      outer_(outer),
      stages_(fourier_stages(extent)),
      roots_(fourier_roots<T>(extent)) {}

// Element e has its real parts at 2 lanes e, its imaginary ones behind them.
template <class T>
void LineTransform<T>::apply(const FourierStage& stage, const T* x, T* y, T sign) const {
  for (int t = 0; t < stage.groups(); ++t)
    for (int q = 0; q < stage.radix; ++q) {
      T re[lanes] = {}, im[lanes] = {};
      for (int r = 0; r < stage.radix; ++r) {
        const FourierNumber<T>& root = roots_[static_cast<std::size_t>(stage.turn(t, q, r))];
        const T c = root.re, s = sign * root.im;
        const T* from = x + 2 * lanes * (t + r * stage.groups());
        for (int l = 0; l < lanes; ++l) {
          re[l] += c * from[l] - s * from[lanes + l];
          im[l] += c * from[lanes + l] + s * from[l];
        }
      }
      T* to = y + 2 * lanes * stage.place(t, q);
      std::copy_n(re, lanes, to);
      std::copy_n(im, lanes, to + lanes);
    }
}

template <class T>
void LineTransform<T>::transform(Lines& x, Lines& y, bool forward) const {
  for (const FourierStage& stage : stages_) {
    apply(stage, x.data(), y.data(), forward ? T(-1) : T(1));
    x.swap(y);
  }
}

template <class T>
void LineTransform<T>::run(FourierNumber<T>* data, bool forward) const {
  // Line l begins at l % inner + (l / inner) * extent * inner.
  const std::int64_t count = std::int64_t{inner_} * outer_;
#pragma omp parallel
  {
    Lines x(static_cast<std::size_t>(2 * lanes * extent_)), y(x.size());
#pragma omp for schedule(static)
    for (std::int64_t first = 0; first < count; first += lanes) {
      const int some = static_cast<int>(std::min<std::int64_t>(lanes, count - first));
      const auto element = [&](int l, int n) -> FourierNumber<T>& {
        const std::int64_t line = first + l;
        return data[line % inner_ + (line / inner_ * extent_ + n) * inner_];
      };
      for (int n = 0; n < extent_; ++n)
        for (int l = 0; l < some; ++l) {
          const auto at = static_cast<std::size_t>(2 * lanes * n + l);
          x[at] = element(l, n).re;
          x[at + lanes] = element(l, n).im;
        }
      transform(x, y, forward);
      for (int n = 0; n < extent_; ++n)
        for (int l = 0; l < some; ++l) {
          const auto at = static_cast<std::size_t>(2 * lanes * n + l);
          element(l, n) = {x[at], x[at + lanes]};
        }
    }
  }
}

template class LineTransform<float>;
template class LineTransform<double>;

}  // namespace plaq
