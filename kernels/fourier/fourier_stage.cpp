#include "kernels/fourier/fourier_stage.hpp"

#include <cmath>
#include <numbers>

namespace plaq {

std::vector<FourierStage> fourier_stages(int extent) {
  std::vector<FourierStage> stages;
  int done = 1;
  const auto add = [&](int radix) {
    stages.push_back({extent, radix, done});
    done *= radix;
  };
  for (int p = 2; done < extent;) {
    const int rest = extent / done;
    if (rest % 4 == 0) {
      add(4);
    } else if (rest % p == 0) {
      add(p);
    } else {
      ++p;
    }
  }
  return stages;
}

template <class T>
std::vector<FourierNumber<T>> fourier_roots(int extent) {
  std::vector<FourierNumber<T>> roots;
  const auto clean = [](double v) { return std::abs(v) < 1e-14 ? T(0) : static_cast<T>(v); };
  for (int k = 0; k < extent; ++k) {
    const double angle = 2 * std::numbers::pi * k / extent;
    roots.push_back({clean(std::cos(angle)), clean(std::sin(angle))});
  }
  return roots;
}

template std::vector<FourierNumber<float>> fourier_roots<float>(int extent);
template std::vector<FourierNumber<double>> fourier_roots<double>(int extent);

}  // namespace plaq
