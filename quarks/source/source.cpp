#include "quarks/source/source.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"

namespace plaq {

std::optional<ParameterFault> Source::fault(const Extents& lattice) const {
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (position_[mu] < 0 || position_[mu] >= lattice[mu])
      return ParameterFault{"position", fmt::format("{} = {} is outside the lattice, must be 0 to {}",
                                                    "xyzt"[mu], position_[mu], lattice[mu] - 1)};
  return std::nullopt;
}

void Source::expect_on(const Extents& lattice) const {
  if (const auto wrong = fault(lattice))
    throw Error(ErrorKind::usage, fmt::format("a {} source on the lattice {}: {}: {}", type(),
                                              to_string(lattice), wrong->parameter, wrong->what));
}

Extents source_site(const Extents& first, const Extents& shift, int k, const Extents& extents) {
  Extents at{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const std::int64_t moved = first[mu] + static_cast<std::int64_t>(k) * shift[mu], extent = extents[mu];
    at[mu] = static_cast<int>((moved % extent + extent) % extent);
  }
  return at;
}

namespace {

class PointSource final : public Source {
 public:
  using Source::Source;
  std::string type() const override { return "point"; }
  void fill(Field& b, int first_column) const override { point_source(b, position(), first_column); }
  std::string summed() const override { return "at the source's point"; }
};

}  // namespace

SourcePtr point_source(const Extents& position) { return std::make_shared<PointSource>(position); }

}  // namespace plaq
