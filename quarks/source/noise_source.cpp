#include <fmt/format.h>

#include "quarks/source/grid_spacing.hpp"
#include "quarks/source/source.hpp"

namespace plaq {
namespace {

constexpr GridSpacing every_site{1, 1, 1};

class NoiseSource final : public Source {
 public:
  // `t`: the time slice; none: the whole lattice. `spacing`: of its sites on a slice.
  NoiseSource(const Extents& position, std::optional<int> t, Noise noise, const NoiseSample& sample,
              const GridSpacing& spacing)
      : Source(position), t_(t), noise_(noise), sample_(sample), spacing_(spacing) {}
  std::string type() const override { return name_of(noise_); }
  std::optional<NoiseSample> noise() const override { return sample_; }
  std::optional<ParameterFault> fault(const Extents& lattice) const override {
    if (auto wrong = Source::fault(lattice)) return wrong;
    return spacing_fault(spacing_, lattice);
  }
  void fill(Field& b, int first_column) const override {
    const auto seed = static_cast<std::uint64_t>(sample_.seed);
    if (spacing_ == every_site) return noise_source(b, noise_, seed, sample_.number, t_, first_column);
    grid_noise_source(b, noise_, seed, sample_.number, position(), spacing_, first_column);
  }
  std::string summed() const override {
    if (!t_) return "over the points of the lattice, by noise";
    return spacing_ == every_site ? "over the points of the source's time slice, by noise"
                                  : "over the points of the source's grid on its time slice, by noise";
  }

 private:
  std::optional<int> t_;
  Noise noise_;
  NoiseSample sample_;
  GridSpacing spacing_;
};

class SpinNoiseSource final : public Source {
 public:
  SpinNoiseSource(const Extents& position, Noise noise, const NoiseSample& sample, const GridSpacing& spacing)
      : Source(position), noise_(noise), sample_(sample), spacing_(spacing) {}
  std::string type() const override { return name_of(noise_); }
  std::optional<NoiseSample> noise() const override { return sample_; }
  int column_stride() const override { return 3; }
  std::optional<ParameterFault> fault(const Extents& lattice) const override {
    if (auto wrong = Source::fault(lattice)) return wrong;
    return spacing_fault(spacing_, lattice);
  }
  void fill(Field& b, int first_column) const override {
    spin_noise_source(b, noise_, static_cast<std::uint64_t>(sample_.seed), sample_.number, position(),
                      spacing_, first_column);
  }
  std::string summed() const override {
    return "over the points and colors of the source's time slice, by noise";
  }

 private:
  Noise noise_;
  NoiseSample sample_;
  GridSpacing spacing_;
};

}  // namespace

std::optional<ParameterFault> spacing_fault(const GridSpacing& spacing, const Extents& lattice) {
  for (std::size_t i = 0; i < 3; ++i)
    if (spacing[i] < 1 || lattice[i] % spacing[i] != 0)
      return ParameterFault{"spacing", fmt::format("{} in {} does not divide the extent of the lattice {}",
                                                   spacing[i], "xyz"[i], to_string(lattice))};
  return std::nullopt;
}

SourcePtr noise_source(const Extents& position, Noise noise, const NoiseSample& sample) {
  return noise_source(position, noise, sample, every_site);
}

SourcePtr noise_source(const Extents& position, Noise noise, const NoiseSample& sample,
                       const GridSpacing& spacing) {
  return std::make_shared<NoiseSource>(position, position[3], noise, sample, spacing);
}

SourcePtr spin_noise_source(const Extents& position, Noise noise, const NoiseSample& sample,
                            const GridSpacing& spacing) {
  return std::make_shared<SpinNoiseSource>(position, noise, sample, spacing);
}

SourcePtr noise_source(Noise noise, const NoiseSample& sample) {
  return std::make_shared<NoiseSource>(Extents{}, std::nullopt, noise, sample, every_site);
}

}  // namespace plaq
