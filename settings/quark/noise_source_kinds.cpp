// Noise on a time slice.
#include <fmt/format.h>

#include "settings/quark/grid_spacing_keys.hpp"
#include "settings/quark/source_kind.hpp"

namespace plaq::settings {
namespace {

enum class SourceDilution { spin_color, spin };
struct NoiseSourceKeys {
  std::optional<std::int64_t> seed;
  bool by_trajectory = false;
  SourceDilution dilution = SourceDilution::spin_color;
};

constexpr GridSpacing every_site{1, 1, 1};

class NoiseSourceKind final : public SourceKind {
 public:
  explicit NoiseSourceKind(const NoiseName& noise) : noise_(noise) {}
  std::string name() const override { return noise_.name; }
  std::string meaning() const override {
    return fmt::format("noise {} on a time slice, the same in all columns", noise_.numbers);
  }

  // Once for all noise.
  std::vector<Key> keys() const override {
    if (!is_first()) return {};
    return {
        field(&NoiseSourceKeys::seed, "seed", "Noise: seed of the random numbers.").at_least(0).such_as("1"),
        field(&NoiseSourceKeys::by_trajectory, "by_trajectory", by_trajectory_text),
        choice(
            &NoiseSourceKeys::dilution, "dilution",
            "Noise: parts that are solved separately. spin_color: twelve columns with one number at a site; "
            "spin: four, each with numbers of their own in the three colors, and other columns of the "
            "propagator are 0. The same mesons on average, with larger errors, for a third of the solves.",
            {{"spin_color", SourceDilution::spin_color}, {"spin", SourceDilution::spin}}),
        field(&GridSpacingKeys::spacing, "spacing",
              "Grid and noise: distances in x, y, z of the sites that are not 0, from position on. They must "
              "divide the extents. [1, 1, 1]: noise on all sites. A grid needs another spacing.")
            .within(1, 4096)};
  }
  std::vector<Rule> rules() const override {
    if (!is_first()) return {};
    return {{{"source.type", "source.seed", "source.by_trajectory", "source.dilution"},
             "Noise needs a seed. Only noise has by_trajectory and dilution.",
             check_noise},
            {{"source.type", "source.spacing"},
             "A grid needs a spacing. Only grids and noise have this key.",
             check_spacing}};
  }
  SourcePtr source(const Settings& settings, const Extents& position, int k,
                   const FieldNumbers& numbers) const override {
    const auto keys = settings.get<NoiseSourceKeys>();
    std::int64_t seed = keys.seed.value_or(0);
    if (keys.by_trajectory) seed = noise_seed(seed, numbers);
    const NoiseSample sample{seed, static_cast<std::uint32_t>(k)};
    const GridSpacing spacing = settings.get<GridSpacingKeys>().spacing;
    if (keys.dilution == SourceDilution::spin)
      return spin_noise_source(position, noise_.noise, sample, spacing);
    return noise_source(position, noise_.noise, sample, spacing);
  }
  bool is_of_field(const Settings& settings) const override {
    return settings.get<NoiseSourceKeys>().by_trajectory;
  }
  Attributes attributes(const Settings& settings) const override {
    const auto keys = settings.get<NoiseSourceKeys>();
    const GridSpacing spacing = settings.get<GridSpacingKeys>().spacing;
    Attributes found = {{"seed", keys.seed.value()}};
    if (keys.by_trajectory) found.emplace_back("by_trajectory", std::int64_t{1});
    if (keys.dilution == SourceDilution::spin) found.emplace_back("dilution", std::string("spin"));
    if (spacing != every_site)
      found.emplace_back("spacing", std::vector<std::int64_t>(spacing.begin(), spacing.end()));
    return found;
  }

 private:
  bool is_first() const { return noise_.noise == noise_names[0].noise; }

  static void check_noise(Problems& problems, const NoiseSourceKeys& keys, const Settings& settings) {
    const SourcePtr source = first_source(settings);
    if (source->is_noise() && !keys.seed)
      problems.missing("source.seed", fmt::format("the random numbers of a {} source; for example seed = 1",
                                                  source->type()));
    if (!source->is_noise() && keys.by_trajectory)
      problems.add("source.by_trajectory", "belongs to noise; leave the key out");
    if (!source->is_noise() && keys.dilution != SourceDilution::spin_color)
      problems.add("source.dilution", "belongs to noise; leave the key out");
  }

  static void check_spacing(Problems& problems, const GridSpacingKeys& keys, const Settings& settings) {
    const SourcePtr source = first_source(settings);
    const bool given = keys.spacing != every_site, grid = source->type() == "grid";
    if (given && !grid && !source->is_noise())
      problems.add("source.spacing", "belongs to grids and to noise; leave the key out");
    if (grid && !given)
      problems.missing("source.spacing",
                       "distances of the sites of the grid; for example spacing = [4, 4, 4]");
  }

  const NoiseName& noise_;
};

}  // namespace

const SourceKinds& noise_source_kinds() {
  static const std::vector<NoiseSourceKind> kinds(std::begin(noise_names), std::end(noise_names));
  static const SourceKinds all = [] {
    SourceKinds found;
    for (const NoiseSourceKind& kind : kinds) found.push_back(&kind);
    return found;
  }();
  return all;
}

}  // namespace plaq::settings
