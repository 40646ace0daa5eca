// Fourier transform of lines on the host, for any extent.
#pragma once

#include <vector>

#include "kernels/fourier/fourier_stage.hpp"

namespace plaq {

/// Transforms lines of `extent` numbers in direction n of an array [outer][n][inner]. Each line gets the same
/// bits alone and with others.
template <class T>
class LineTransform {
 public:
  LineTransform(int extent, int inner, int outer);
  /// data[p] = sum over n of exp(-+ 2 pi i p n / extent) data[n].
  void run(FourierNumber<T>* data, bool forward) const;

 private:
  static constexpr int lanes = 8;  // lines that are transformed side by side
  // Real and imaginary parts, element by element.
  using Lines = std::vector<T>;
  void transform(Lines& x, Lines& y, bool forward) const;
  void apply(const FourierStage& stage, const T* x, T* y, T sign) const;

  int extent_, inner_, outer_;
  std::vector<FourierStage> stages_;
  std::vector<FourierNumber<T>> roots_;
};

}  // namespace plaq
