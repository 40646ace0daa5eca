#include "kernels/dirac/twist/twisted_schur.hpp"

#include <bit>

#include "kernels/dirac/twist/twist.hpp"

namespace plaq {

void TwistedSchur::expect_form() const {
  require(s_.residual_is_full(), "a twist of an even-odd form whose residual is not that of M");
}

Work TwistedSchur::work(int batch) const {
  if (mu_ == 0) return s_.work(batch);
  const double reals = 0.5 * static_cast<double>(s_.geometry()->local_volume()) * 24 * batch;
  return s_.work(batch) + Work{2 * reals, 3 * reals * bytes_of(s_.spec(1).precision)};
}

int TwistedSchur::capturable(int batch) {
  const int state = s_.capturable(batch);
  if (mu_ == 0) return state;
  const auto bits = std::bit_cast<std::uint64_t>(mu_);
  return both_states(state, both_states(static_cast<int>(bits >> 33), static_cast<int>(bits & 0x7fffffff)));
}

void TwistedSchur::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  dagger ? s_.apply_dagger(out, in, active) : s_.apply(out, in, active);
  if (mu_ != 0) add_twist(out, in, dagger ? -mu_ : mu_, parity(), active, queue());
}

}  // namespace plaq
