#include "solvers/krylov/gcr.hpp"

#include <algorithm>
#include <map>

#include "core/system/error.hpp"
#include "solvers/krylov/gcr_iteration.hpp"
#include "solvers/krylov/iteration.hpp"

namespace plaq {
namespace {

// Iterations that are captured: of each j, by turns of the exchange.
constexpr int most_captured = 64;

gcr::Scalars scalars_in(const Buffer& memory, Batch& batch, int length) {
  ScalarMemory scalars = batch.method_scalars().over(memory.data(), memory.bytes());
  return {scalars, length};
}

}  // namespace

Gcr::Gcr(LinearOperator& a, int batch, int restart_length, LinearOperator* preconditioner)
    : KrylovMethod(a, batch),
      length_(restart_length),
      preconditioner_(preconditioner),
      knows_residual_(dynamic_cast<const ResidualInverse*>(preconditioner)),
      position_(size_),
      step_(std::min(2 * restart_length + 2, most_captured)) {
  require(restart_length >= 1, "GCR restarts after one direction or more");
  for (int j = 0; j < restart_length; ++j) {
    p_.push_back(vector());
    z_.push_back(vector());
  }
  memory_ = Buffer(a.queue().location(), scalar_bytes(batch, restart_length));
}

std::size_t Gcr::scalar_bytes(int batch, int restart_length) {
  return gcr::Scalars::bytes(restart_length, batch);
}

std::vector<Gcr::Group> Gcr::groups_of(const ActiveSet& which) const {
  std::map<int, std::vector<char>> flags;  // by position
  for_each_of(which, [&](std::size_t i) { flags.try_emplace(position_[i], size_, 0).first->second[i] = 1; });
  std::vector<Group> groups;
  for (const auto& [j, members] : flags) groups.push_back({j, ActiveSet(members)});
  return groups;
}

void Gcr::begin(Batch&, const ActiveSet& which, const Field&) {
  for_each_of(which, [&](std::size_t i) { position_[i] = 0; });
}

template <class It>
void Gcr::make_direction(It& it, Field& p, Field& z, const Field& r) {
  if (preconditioner_ == nullptr)
    it.update(blas::Copy(), {&r, &p});
  else
    it.precondition(*preconditioner_, p, r);
  if (const Field* left = knows_residual_ != nullptr ? knows_residual_->residual() : nullptr)
    it.update(blas::Difference(), {&r, left, &z});
  else
    it.apply(z, p);
}

void Gcr::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms, std::vector<char>& breakdown) {
  const ActiveSet active = batch.active_set();
  std::vector<char> ended(size_, 0);
  for_each_of(active, [&](std::size_t i) { ended[i] = position_[i] == length_; });
  const ActiveSet full(ended);
  begin(batch, full, r);
  const std::vector<Group> groups = groups_of(active);
  step_.run(batch, {a_, x, r, active, full, position_, preconditioner_}, [&] {
    if (full.count() > 0) add_solution(batch, {length_, full}, x);
    for (const Group& group : groups) {
      Iteration<gcr::Function> it(batch, a_, group.which);
      const auto direction = [&](Field& p, Field& z, const Field& of) { make_direction(it, p, z, of); };
      iterate(it, scalars_in(memory_, batch, length_), group.j, p_, z_, r, direction,
              &group == &groups.back());
    }
  });
  batch.await_statuses(active, norms, breakdown);
  for_each_of(active, [&](std::size_t i) { position_[i] += breakdown[i] ? 0 : 1; });
}

void Gcr::queue_steps(Batch& batch, const ActiveSet& which, Field& x, Field& r, int steps) {
  require(steps >= 1 && steps <= length_, "GCR takes a step or more, and no more than it keeps directions");
  const gcr::Scalars scalars = scalars_in(memory_, batch, length_);
  Iteration<gcr::Function> it(batch, a_, which);
  it.update(blas::Zero(), {&x});
  for (int j = 0; j < steps; ++j) {
    gcr::add_direction(it, scalars, j, p_, z_, r,
                       [&](Field& p, Field& z, const Field& of) { make_direction(it, p, z, of); });
    if (j + 1 < steps) it.update(blas::Axpy(), scalars.minus_alpha, {&z_[static_cast<std::size_t>(j)], &r});
  }
  add_solution(batch, {steps, which}, x);
}

void Gcr::flush_updates(Batch& batch, const ActiveSet& which, Field& x, const Field&) {
  for (const Group& group : groups_of(which)) add_solution(batch, group, x);
}

void Gcr::add_solution(Batch& batch, const Group& group, Field& x) {
  if (group.j == 0) return;
  const gcr::Scalars scalars = scalars_in(memory_, batch, length_);
  Iteration<gcr::Function> it(batch, a_, group.which);
  it.run(gcr::Solution{scalars, group.j});
  combine(it, scalars, group.j, p_, x);
}

}  // namespace plaq
