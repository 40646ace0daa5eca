#include "kernels/quark/noise_dilution.hpp"

#include "core/launch/dispatch.hpp"
#include "core/system/memory.hpp"
#include "kernels/quark/noise_launch.hpp"

namespace plaq {

int NoiseDilution::classes(int spins) const {
  return probing * time * space[0] * space[1] * space[2] * (even_odd ? 2 : 1) * (spin ? spins : 1) *
         (color ? 3 : 1);
}

std::string NoiseDilution::fault(const Extents& extents) const {
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (const int apart = mu < 3 ? space[mu] : time; apart < 1 || extents[mu] % apart != 0)
      return std::string(mu < 3 ? "space" : "time") + ": " + std::to_string(apart) +
             " does not divide the extent " + std::to_string(extents[mu]) + " in " + "xyzt"[mu];
  if (const std::string wrong = fault(); !wrong.empty()) return wrong;
  // The highest level that has a bit of the colors.
  for (int level = 0; probing >> 4 * level > 1; ++level)
    for (std::size_t mu = 0; mu < 4; ++mu)
      if (extents[mu] % (2 << level) != 0)
        return "probing: " + std::to_string(probing) + " Hadamard vectors need extents that " +
               std::to_string(2 << level) + " divides, and that in " + "xyzt"[mu] + " is " +
               std::to_string(extents[mu]);
  return "";
}

std::string NoiseDilution::fault() const {
  const std::int64_t sites = std::int64_t{time} * space[0] * space[1] * space[2];
  if (sites > 1 << 24 || sites * probing > 1 << 24) return "more parts than 2^24 in space and time";
  if (even_odd && tells_parity()) return std::string("even_odd: ") + useless_even_odd;
  if (probing == 1) return "";
  if (probing < 1 || (probing & (probing - 1)) != 0)
    return "probing: " + std::to_string(probing) + " is not a power of 2";
  if (even_odd || space != std::array{1, 1, 1})
    return "probing: its vectors already part sites in space, and even and odd ones; leave out space and "
           "even_odd";
  return "";
}

bool NoiseDilution::tells_parity() const {
  return time % 2 == 0 && space[0] % 2 == 0 && space[1] % 2 == 0 && space[2] % 2 == 0;
}

std::uint32_t probing_color(const Extents& site) {
  return color_of_probing(site[0], site[1], site[2], site[3]);
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
  parts.probing = dilution.probing;
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
