// Sums of vector updates by their names, where the vectors are.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

#include "core/algebra/complex_scalar.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq {

// A sum over all sites of all ranks, double or complex. It is there from Batch::total_sums() to the next one.
template <class T>
struct Sum {
  const double* first = nullptr;
  int stride = 0;
  PLAQ_HD T operator()(int rhs) const {
    const double* mine = first + rhs * stride;
    if constexpr (std::is_same_v<T, double>) {
      return mine[0];
    } else {
      return {mine[0], mine[1]};
    }
  }
};
inline Sum<double> real_part(const Sum<ComplexDouble>& sum) { return {sum.first, sum.stride}; }

namespace detail {
template <class... T>
auto sums_at(const double* next, blas::SumTypes<T...> types) {
  const auto take = [&](std::size_t bytes) {
    const double* mine = next;
    next += bytes / sizeof(double);
    return mine;
  };
  if constexpr (sizeof...(T) == 1) {
    return (Sum<T>{take(sizeof(T)), types.doubles}, ...);
  } else {
    return std::tuple<Sum<T>...>{Sum<T>{take(sizeof(T)), types.doubles}...};  // in their order
  }
}
}  // namespace detail

// Sums of a vector update, of which `first` is the first double: one Sum, or a tuple of them in the order of
// Op::Types.
template <class Op>
auto sums_of(const double* first) {
  return detail::sums_at(first, typename Op::Types());
}

}  // namespace plaq
