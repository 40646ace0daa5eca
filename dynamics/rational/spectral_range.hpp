// The interval of x on which a rational function approximates another one.
#pragma once

namespace plaq {

/// Interval that holds the spectrum of an operator, or is to hold it.
struct SpectralRange {
  double low = 0, high = 0;
};

}  // namespace plaq
