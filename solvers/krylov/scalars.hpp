// The scalars of a method by their names, one for each right-hand side of a batch. They are where the vectors
// are: a GPU computes alpha(rhs) and beta(rhs) itself, from sums that never leave it. The host learns of an
// iteration's end only.
#pragma once

#include <cstddef>
#include <type_traits>

#include "core/algebra/complex_scalar.hpp"
#include "core/system/error.hpp"
#include "kernels/blas/coefficients.hpp"

namespace plaq {

// Status of a right-hand side after an iteration, for the host.
struct IterationStatus {
  double norm = 0;  // of the iterated residual
  bool breakdown = false;
};

// Memory that is handed out in arrays of one T for each right-hand side.
class ScalarMemory {
 public:
  ScalarMemory(void* first, std::size_t bytes, IterationStatus* statuses, int batch)
      : next_(static_cast<unsigned char*>(first)), left_(bytes), statuses_(statuses), batch_(batch) {}
  // Bytes of an array.
  template <class T>
  static constexpr std::size_t bytes(int count, int batch) {
    static_assert(alignof(T) <= 16 && std::is_trivially_copyable_v<T>);
    return (static_cast<std::size_t>(count) * static_cast<std::size_t>(batch) * sizeof(T) + 15) / 16 * 16;
  }
  template <class T>
  T* take(int count = 1) {
    const std::size_t mine = bytes<T>(count, batch_);
    require(mine <= left_, "a method has more scalars than there is memory for");
    left_ -= mine;
    next_ += mine;
    return reinterpret_cast<T*>(next_ - mine);
  }
  IterationStatus* statuses() const { return statuses_; }  // in host memory
  int batch() const { return batch_; }

 private:
  unsigned char* next_;
  std::size_t left_;
  IterationStatus* statuses_;
  int batch_;
};

template <class T>
struct Scalar {
  explicit Scalar(ScalarMemory& memory) : first(memory.take<T>()) {}
  PLAQ_HD T& operator()(int rhs) const { return first[rhs]; }
  T* first;
};

// Several of them, numbered.
template <class T>
struct ScalarArray {
  ScalarArray(ScalarMemory& memory, int count) : first(memory.take<T>(count)), batch(memory.batch()) {}
  PLAQ_HD T& operator()(int j, int rhs) const { return first[j * batch + rhs]; }
  T* first;
  int batch;
};

// Coefficients of a vector update: the complex numbers c0, c1, c2 (kernels/blas/operations.hpp).
struct UpdateCoefficients {
  explicit UpdateCoefficients(ScalarMemory& memory) : first(memory.take<blas::CoefficientList::Set>()) {}
  PLAQ_HD explicit UpdateCoefficients(blas::CoefficientList::Set* of_first_rhs) : first(of_first_rhs) {}
  PLAQ_HD void set(int rhs, const ComplexDouble& c0, const ComplexDouble& c1 = {0, 0},
                   const ComplexDouble& c2 = {0, 0}) const {
    double* value = first[rhs].value;
    value[0] = c0.re;
    value[1] = c0.im;
    value[2] = c1.re;
    value[3] = c1.im;
    value[4] = c2.re;
    value[5] = c2.im;
  }
  blas::CoefficientList::Set* first;
};

struct Statuses {
  explicit Statuses(const ScalarMemory& memory) : first(memory.statuses()) {}
  PLAQ_HD void set(int rhs, double norm, bool breakdown) const {
    first[rhs].norm = norm;
    first[rhs].breakdown = breakdown;
  }
  IterationStatus* first;
};

}  // namespace plaq
