#include "kernels/dirac/force/pseudofermion.hpp"

#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/error.hpp"
#include "kernels/dirac/force/pseudofermion_launch.hpp"

namespace plaq {
namespace {

// Records a launch that reads and writes so many reals a site of one parity.
void record_sites(const Field& field, const char* name, int reals, const Queue& queue) {
  require(field.batch() == 1, "a pseudofermion is one right-hand side");
  const double sites = 0.5 * static_cast<double>(field.geometry().local_volume());
  const double bytes = sites * field.Ls() * reals * sizeof(double);
  record(queue, {name, "vector_update", Precision::double_precision, 0, 1, false, {0, bytes}});
}

}  // namespace

void draw_pseudofermion(Field& eta, std::uint64_t seed, std::uint32_t trajectory, int number,
                        const Queue& queue) {
  require(number >= 0 && number < 256, "a chain has at most 256 pseudofermions");
  for (int parity = 0; parity < 2; ++parity) {
    if (!eta.holds(parity)) continue;
    record_sites(eta, "draw_pseudofermion", eta.reals_per_site(), queue);
    dispatch(eta.location(), Precision::double_precision, [&](auto kind) {
      PseudofermionLaunch<typename decltype(kind)::target>::draw(eta, parity, seed, trajectory, number,
                                                                 queue);
    });
  }
}

}  // namespace plaq
