// Averages over a Markov chain with their errors.
#pragma once

#include <cmath>
#include <vector>

namespace plaq::test {

// Mean of numbers with its error from blocks of 10.
struct BlockedMean {
  std::vector<double> values;
  void add(double value) { values.push_back(value); }
  double mean() const {
    double sum = 0;
    for (const double v : values) sum += v;
    return sum / static_cast<double>(values.size());
  }
  double error() const {
    constexpr std::size_t size = 10;
    const std::size_t blocks = values.size() / size;
    double squares = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      double block = 0;
      for (std::size_t k = 0; k < size; ++k) block += values[b * size + k];
      squares += std::pow(block / size - mean(), 2);
    }
    return std::sqrt(squares / static_cast<double>(blocks * (blocks - 1)));
  }
};

}  // namespace plaq::test
