// Fourier transforms of lines of n numbers, n of any factors, by the stages of Stockham (Cochran et
// al., Proc. IEEE 55 (1967) 1664).
#pragma once

#include <cstdint>
#include <vector>

#include "core/launch/target.hpp"

namespace plaq {

/// A complex number in the memory of a transform.
template <class T>
struct alignas(2 * sizeof(T)) FourierNumber {
  T re, im;
};

/// A stage reads transforms of `done` numbers each, and writes transforms of radix * done numbers:
///   to[place(t, q)] = sum over r of root[turn(t, q, r)]^(-+1) from[t + r groups()],
///     t < groups(), q and r < radix.
/// Terms are added from 0 on in the order of r, and no product is contracted:
/// the host and devices round alike.
struct FourierStage {
  int extent = 1, radix = 1, done = 1;

  PLAQ_HD int groups() const { return extent / radix; }
  PLAQ_HD int place(int t, int q) const { return (t - t % done) * radix + t % done + q * done; }
  PLAQ_HD int turn(int t, int q, int r) const {
    return static_cast<int>(std::int64_t{r} * (t % done + q * done) * (groups() / done) % extent);
  }
};

/// The stages of a transform of `extent` numbers, in their order.
std::vector<FourierStage> fourier_stages(int extent);
/// root[k] = exp(2 pi i k / extent).
template <class T>
std::vector<FourierNumber<T>> fourier_roots(int extent);

}  // namespace plaq
