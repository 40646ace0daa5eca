#include "kernels/quark/noise_dilution.hpp"

#include "core/launch/dispatch.hpp"
#include "core/system/memory.hpp"
#include "kernels/quark/noise_launch.hpp"

namespace plaq {

int NoiseDilution::classes(int spins) const {
  return time * space[0] * space[1] * space[2] * (even_odd ? 2 : 1) * (spin ? spins : 1) * (color ? 3 : 1);
}

std::string NoiseDilution::fault(const Extents& extents) const {
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (const int apart = mu < 3 ? space[mu] : time; apart < 1 || extents[mu] % apart != 0)
      return std::string(mu < 3 ? "space" : "time") + ": " + std::to_string(apart) +
             " does not divide the extent " + std::to_string(extents[mu]) + " in " + "xyzt"[mu];
  if (std::int64_t{time} * space[0] * space[1] * space[2] > 1 << 24)
    return "more parts than 2^24 in space and time";
  return even_odd && tells_parity() ? std::string("even_odd: ") + useless_even_odd : "";
}

bool NoiseDilution::tells_parity() const {
  return time % 2 == 0 && space[0] % 2 == 0 && space[1] % 2 == 0 && space[2] % 2 == 0;
}

void diluted_noise_source(Field& b, Noise noise, std::uint64_t seed, const NoiseDilution& dilution,
                          std::int64_t first) {
  const FieldSpec& spec = b.spec();
  require(spec.subset == Subset::full && b.geometry().halo_depth() == 0 && spec.colors == 3 &&
              spec.precision != Precision::half_precision,
          "diluted noise is of quark fields on both parities without halo");
  NoiseParts parts;
  parts.time = dilution.time;
  for (std::size_t i = 0; i < 3; ++i) parts.space[i] = dilution.space[i];
  parts.parities = dilution.even_odd ? 2 : 1;
  parts.spins = dilution.spin ? spec.spins : 1;
  parts.colors = dilution.color ? 3 : 1;
  parts.count = dilution.classes(spec.spins);
  if (b.location() == Location::device) wait_for_device();
  const Queue queue(b.location());
  dispatch(b.location(), b.precision(), [&]<class Kind>(Kind) {
    launch_noise<typename Kind::target, typename Kind::scalar>(b, noise, seed, first, parts, queue);
  });
  queue.synchronize();
  b.touch();
}

}  // namespace plaq
