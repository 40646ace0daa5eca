#include "jobs/rates/solver_rates.hpp"

#include <algorithm>

#include "core/system/dry_run.hpp"
#include "jobs/rates/samples.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq::jobs {
namespace {

// BiCGstab leaves its update of x, r and p to the next iteration: by the second one every kernel has run
// once, and the third is captured where iterations are (solvers/krylov/captured_step.hpp).
constexpr int untimed = 4;
constexpr double fallen = 1e-12;  // far above the smallest single-precision numbers

class Steps {
 public:
  Steps(const ProcessGrid& grid, KrylovMethod& method, const Field& b)
      : method_(method),
        batch_(grid, method.a().queue(), b.batch()),
        x_(b.geometry_ptr(), b.spec()),
        r_(b.geometry_ptr(), b.spec()),
        b_(b),
        norms_(static_cast<std::size_t>(b.batch())),
        broke_(norms_.size()) {
    batch_.reset();
    for (int i = 0; i < b.batch(); ++i) batch_.activate(i);
  }

  // x goes on growing, which costs as much as from 0.
  void begin() {
    copy(r_, b_);
    method_.begin(batch_, batch_.all(), r_);
    first_ = batch_.sum<blas::Norm>(batch_.coefficients(batch_.all()), {&r_});
  }
  void step() {
    std::fill(broke_.begin(), broke_.end(), char{0});
    method_.step(batch_, x_, r_, norms_, broke_);
  }
  bool goes_on() const {
    if (runs_dry()) return true;
    for (std::size_t i = 0; i < norms_.size(); ++i)
      if (broke_[i] != 0 || !(norms_[i] * norms_[i] > fallen * fallen * first_[i])) return false;
    return true;
  }
  SolveReport work() const {  // since the first beginning, of all ranks
    SolveReport report;
    batch_.write_work(report);
    return report;
  }
  const Field& x() const { return x_; }

 private:
  KrylovMethod& method_;
  Batch batch_;
  Field x_, r_;
  const Field& b_;
  std::vector<double> norms_, first_;  // ||r||, ||b||^2
  std::vector<char> broke_;
};

}  // namespace

SolverRate solver_rate(const ProcessGrid& grid, KrylovMethod& method, const Field& b, int iterations,
                       Field* solution) {
  Steps steps(grid, method, b);
  SolverRate rate;
  const int wanted = runs_dry() ? method.cycle() : iterations;
  while (rate.iterations < wanted) {
    steps.begin();
    for (int i = 0; i < untimed; ++i) steps.step();
    const SolveReport before = steps.work();
    rate.seconds += slowest_seconds(grid.comm(), method.a().queue(), [&] {
      do {  // at least once: so this ends
        const PerformanceRegion section("iteration");
        steps.step();
        ++rate.iterations;
      } while (rate.iterations < wanted && steps.goes_on());
    });
    const SolveReport after = steps.work();
    rate.flops += after.flops - before.flops;
    rate.applications += after.inner.calls - before.inner.calls;
  }
  if (solution != nullptr) copy(*solution, steps.x());
  return rate;
}

}  // namespace plaq::jobs
