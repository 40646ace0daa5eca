#include "quarks/source/source.hpp"

namespace plaq {
namespace {

class NoiseSource final : public Source {
 public:
  // `t`: the time slice; none: the whole lattice.
  NoiseSource(const Extents& position, std::optional<int> t, Noise noise, const NoiseSample& sample)
      : Source(position), t_(t), noise_(noise), sample_(sample) {}
  std::string type() const override {
    switch (noise_) {
      case Noise::z2:
        return "z2";
      case Noise::z4:
        return "z4";
      case Noise::u1:
        break;
    }
    return "u1";
  }
  std::optional<NoiseSample> noise() const override { return sample_; }
  void fill(Field& b, int first_column) const override {
    noise_source(b, noise_, static_cast<std::uint64_t>(sample_.seed), sample_.number, t_, first_column);
  }
  std::string summed() const override {
    return t_ ? "over the points of the source's time slice, by noise"
              : "over the points of the lattice, by noise";
  }

 private:
  std::optional<int> t_;
  Noise noise_;
  NoiseSample sample_;
};

}  // namespace

SourcePtr noise_source(const Extents& position, Noise noise, const NoiseSample& sample) {
  return std::make_shared<NoiseSource>(position, position[3], noise, sample);
}

SourcePtr noise_source(Noise noise, const NoiseSample& sample) {
  return std::make_shared<NoiseSource>(Extents{}, std::nullopt, noise, sample);
}

}  // namespace plaq
