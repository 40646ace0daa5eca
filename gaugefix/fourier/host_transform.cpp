#include "gaugefix/fourier/host_transform.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plaq {

LineTransform::LineTransform(int extent, int inner, int outer)
    : extent_(extent), inner_(inner), outer_(outer) {
  for (int rest = extent, p = 2; rest > 1;) {
    if (rest % 4 == 0) {
      radices_.push_back(4), rest /= 4;
    } else if (rest % p == 0) {
      radices_.push_back(p), rest /= p;
    } else {
      ++p;
    }
  }
  for (int k = 0; k < extent; ++k) {
    const double angle = 2 * std::numbers::pi * k / extent;
    const auto clean = [](double v) { return std::abs(v) < 1e-14 ? 0.0f : static_cast<float>(v); };
    roots_.push_back({clean(std::cos(angle)), clean(std::sin(angle))});
  }
}

// y from x: transforms of `done` numbers become those of radix * done. Element e has its real parts at
// 2 lanes e, its imaginary ones behind them.
void LineTransform::stage(const float* x, float* y, int radix, int done, float sign) const {
  const int apart = extent_ / radix;
  for (int t = 0; t < apart; ++t) {
    const int k = t % done, first = (t - k) * radix + k;
    for (int q = 0; q < radix; ++q) {
      float re[lanes] = {}, im[lanes] = {};
      for (int r = 0; r < radix; ++r) {
        // exp(2 pi i r (k + q done) / (radix done))
        const int turn = static_cast<int>(std::int64_t{r} * (k + q * done) * (apart / done) % extent_);
        const float c = roots_[static_cast<std::size_t>(turn)].re,
                    s = sign * roots_[static_cast<std::size_t>(turn)].im;
        const float* from = x + 2 * lanes * (t + r * apart);
        for (int l = 0; l < lanes; ++l) {
          re[l] += c * from[l] - s * from[lanes + l];
          im[l] += c * from[lanes + l] + s * from[l];
        }
      }
      float* to = y + 2 * lanes * (first + q * done);
      std::copy_n(re, lanes, to);
      std::copy_n(im, lanes, to + lanes);
    }
  }
}

void LineTransform::transform(Lines& x, Lines& y, bool forward) const {
  int done = 1;
  for (const int radix : radices_) {
    stage(x.data(), y.data(), radix, done, forward ? -1.0f : 1.0f);
    done *= radix;
    x.swap(y);
  }
}

void LineTransform::run(ComplexPair* data, bool forward) const {
  // Line l begins at l % inner + (l / inner) * extent * inner.
  const int count = inner_ * outer_;
#pragma omp parallel
  {
    Lines x(static_cast<std::size_t>(2 * lanes * extent_)), y(x.size());
#pragma omp for schedule(static)
    for (int group = 0; group < (count + lanes - 1) / lanes; ++group) {
      const int some = std::min(lanes, count - group * lanes);
      const auto element = [&](int l, int n) -> ComplexPair& {
        const std::int64_t line = std::int64_t{group} * lanes + l;
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

}  // namespace plaq
