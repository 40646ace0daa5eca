// Fourier transform of lines on the host: Stockham's, for any extent.
#pragma once

#include <vector>

#include "gaugefix/fourier/algebra_rows.hpp"

namespace plaq {

// Of lines of `extent` numbers in direction n of an array [outer][n][inner].
class LineTransform {
 public:
  LineTransform(int extent, int inner, int outer);
  // sum over n of exp(-+ 2 pi i p n / extent) data[n]; in place.
  void run(ComplexPair* data, bool forward) const;

 private:
  static constexpr int lanes = 8;  // lines that are transformed side by side
  // Real and imaginary parts, element by element.
  using Lines = std::vector<float>;
  void transform(Lines& x, Lines& y, bool forward) const;
  void stage(const float* x, float* y, int radix, int done, float sign) const;

  int extent_, inner_, outer_;
  std::vector<int> radices_;
  std::vector<ComplexPair> roots_;  // exp(2 pi i k / extent)
};

}  // namespace plaq
