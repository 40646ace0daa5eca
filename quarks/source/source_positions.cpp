#include "quarks/source/source_positions.hpp"

#include <fmt/format.h>

#include "core/algebra/random.hpp"
#include "quarks/source/source.hpp"

namespace plaq {
namespace {

constexpr std::uint32_t number_of_origin = ~std::uint32_t{0};  // no source has it

Extents random_site(const SourcePositions& sites, const FieldNumbers& field, std::uint32_t number,
                    const Extents& lattice) {
  const RandomStream stream{static_cast<std::uint64_t>(sites.seed.value_or(0)),
                            static_cast<std::uint64_t>(field.trajectory), number, Purpose::source_position};
  const Random4 random = stream.draw(static_cast<std::uint32_t>(field.replica));
  Extents site{};
  for (std::size_t mu = 0; mu < 4; ++mu)
    site[mu] =
        static_cast<int>(std::uint64_t{random.word[mu]} * static_cast<std::uint64_t>(lattice[mu]) >> 32);
  return site;
}

}  // namespace

std::int64_t noise_seed(std::int64_t seed, const FieldNumbers& field) {
  const RandomStream stream{static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(field.trajectory), 0,
                            Purpose::noise_seed};
  return static_cast<std::int64_t>(stream.draw(static_cast<std::uint32_t>(field.replica)).word64(0) >> 1);
}

int SourcePositions::number() const {
  return order == PositionOrder::grid ? grid[0] * grid[1] * grid[2] * grid[3] : count;
}

std::optional<ParameterFault> SourcePositions::fault(const Extents& lattice) const {
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (order == PositionOrder::grid && lattice[mu] % grid[mu] != 0)
      return ParameterFault{"grid", fmt::format("{} sites of {} in direction {} are not at equal distances",
                                                grid[mu], lattice[mu], "xyzt"[mu])};
  return std::nullopt;
}

Extents source_position(const SourcePositions& sites, const FieldNumbers& field, int k,
                        const Extents& lattice) {
  if (sites.order == PositionOrder::random)
    return random_site(sites, field, static_cast<std::uint32_t>(k), lattice);
  const Extents first =
      sites.random_origin ? random_site(sites, field, number_of_origin, lattice) : sites.first;
  if (sites.order == PositionOrder::shift) return source_site(first, sites.shift, k, lattice);
  Extents site{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const int step = lattice[mu] / sites.grid[mu];
    site[mu] = (first[mu] + k % sites.grid[mu] * step) % lattice[mu];
    k /= sites.grid[mu];
  }
  return site;
}

}  // namespace plaq
