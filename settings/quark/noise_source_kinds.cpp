// Noise on a time slice.
#include <fmt/format.h>

#include "settings/quark/source_kind.hpp"

namespace plaq::settings {
namespace {

struct NoiseSourceKeys {
  std::optional<std::int64_t> seed;
};

class NoiseSourceKind final : public SourceKind {
 public:
  NoiseSourceKind(Noise noise, const char* name, const char* numbers)
      : noise_(noise), name_(name), numbers_(numbers) {}
  std::string name() const override { return name_; }
  std::string meaning() const override {
    return fmt::format("noise {} on a time slice, the same in all columns", numbers_);
  }

  // Once for all noise.
  std::vector<Key> keys() const override {
    if (noise_ != Noise::z2) return {};
    return {
        field(&NoiseSourceKeys::seed, "seed", "Noise: seed of the random numbers.").at_least(0).such_as("1")};
  }
  std::vector<Rule> rules() const override {
    if (noise_ != Noise::z2) return {};
    return {{{"source.type", "source.seed"}, "Noise needs a seed.", check_seed}};
  }
  SourcePtr source(const Settings& settings, const Extents& position, int k) const override {
    return noise_source(position, noise_,
                        {settings.get<NoiseSourceKeys>().seed.value_or(0), static_cast<std::uint32_t>(k)});
  }
  Attributes attributes(const Settings& settings) const override {
    return {{"seed", settings.get<NoiseSourceKeys>().seed.value()}};
  }

 private:
  static void check_seed(Problems& problems, const NoiseSourceKeys& keys, const Settings& settings) {
    const SourcePtr source = first_source(settings);
    if (source->is_noise() && !keys.seed)
      problems.missing("source.seed", fmt::format("the random numbers of a {} source; for example seed = 1",
                                                  source->type()));
  }

  Noise noise_;
  const char *name_, *numbers_;
};

}  // namespace

const SourceKinds& noise_source_kinds() {
  static const NoiseSourceKind z2(Noise::z2, "z2", "1 and -1"), z4(Noise::z4, "z4", "1, i, -1 and -i");
  static const SourceKinds all = {&z2, &z4};
  return all;
}

}  // namespace plaq::settings
