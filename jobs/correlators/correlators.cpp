#include "jobs/correlators/correlators.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace plaq::jobs {

void add_correlator(Results& results, const TwoPointFunction& correlator, const std::string& summed) {
  const auto& [channel, quarks, sink, n, is_matrix, values] = correlator;
  std::vector<double> parts;
  std::vector<std::size_t> extents{values.size(), 2};
  std::vector<std::string> axes{"t", "real, imaginary"};
  if (is_matrix) {
    extents = {values.size() / 16, 4, 4, 2};
    axes = {"t", "sink spin", "source spin", "real, imaginary"};
  }
  for (const auto& c : values) parts.insert(parts.end(), {c.real(), c.imag()});
  Attributes attributes = {
      {"axes", axes},
      {"units", std::string("lattice units")},
      {"momentum", std::vector<std::int64_t>(n.begin(), n.end())},
      {"momentum_units", std::string("2 pi / L of each direction: x, y, z")},
      {"normalization", fmt::format("{}, summed {}, no volume factor", channel.formula, summed)},
      {"symmetry", channel.symmetry},
      {"sink", sink},
      {"t", std::string("counts from the source")}};
  std::string name = channel.name;
  if (!quarks.empty()) {
    name += fmt::format(".{}", fmt::join(quarks, "_"));
    attributes.emplace_back("quarks", quarks);
  }
  results.dataset(fmt::format("/correlators/{}/p_{}_{}_{}/{}", name, n[0], n[1], n[2], sink), extents,
                  std::move(parts), std::move(attributes));
}

}  // namespace plaq::jobs
