// One Krylov method. It works in the precision of its operator A, on a correction x and its residual r, which
// the loop around it owns (solvers/krylov/krylov_loop.hpp). Alone or in mixed precision is all the same to
// it. A method keeps all state for each right-hand side by itself, and allocates in its constructor only.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "solvers/krylov/batch.hpp"
#include "solvers/method_settings.hpp"

namespace plaq {

class KrylovMethod {
 public:
  KrylovMethod(LinearOperator& a, int batch) : a_(a), size_(static_cast<std::size_t>(batch)) {}
  virtual ~KrylovMethod() = default;
  KrylovMethod(const KrylovMethod&) = delete;

  virtual std::string_view name() const = 0;
  virtual int cycle() const { return 1; }  // iterations after which one costs what it did
  LinearOperator& a() { return a_; }

  // Starts again from the residual r for the right-hand sides `which`.
  virtual void begin(Batch& batch, const ActiveSet& which, const Field& r) = 0;
  // Performs one iteration of the active right-hand sides. norms[i] = ||r_i||, the iterated residual.
  // breakdown[i] != 0 if the method cannot continue from here. Updates of x and r may be deferred.
  virtual void step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
                    std::vector<char>& breakdown) = 0;
  // Applies deferred updates to x. After it, x (not r) may be read and set to 0, and r may be replaced.
  virtual void flush_updates(Batch& batch, const ActiveSet& which, Field& x, const Field& r) = 0;
  // Adapts to a recomputed residual r, and keeps the search space. Called after flush_updates() and before
  // the next step().
  virtual void after_reliable_update(Batch& batch, const ActiveSet& which, const Field& r) = 0;

 protected:
  // A workspace vector.
  Field vector() const { return Field(a_.geometry(), a_.spec(static_cast<int>(size_))); }
  // Relative rounding error of the operator's precision.
  double rounding() const {
    const int bytes = bytes_of(a_.spec(1).precision);
    return bytes == 8 ? 0x1p-53 : bytes == 4 ? 0x1p-24 : 0x1p-15;
  }

  LinearOperator& a_;
  std::size_t size_;  // right-hand sides
};

// The right-hand sides of a set whose flag is not 0.
inline ActiveSet those_of(const ActiveSet& which, const std::vector<char>& flags) {
  std::vector<char> both(flags.size(), 0);
  for (int k = 0; k < which.count(); ++k) {
    const auto i = static_cast<std::size_t>(which[k]);
    both[i] = flags[i];
  }
  return ActiveSet(both);
}

// Calls f(i) for each right-hand side of a set, as an index.
template <class F>
void for_each_of(const ActiveSet& which, F&& f) {
  for (int k = 0; k < which.count(); ++k) f(static_cast<std::size_t>(which[k]));
}

// Krylov methods by name: "cg" (normal equations), "hermitian-cg", "cgne", "bicgstab", "gcr", "mr". Throws
// Error(usage) for other names.
std::unique_ptr<KrylovMethod> make_method(std::string_view name, LinearOperator& a, int batch,
                                          const MethodSettings& settings = {});

}  // namespace plaq
