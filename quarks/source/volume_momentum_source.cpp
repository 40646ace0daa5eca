#include <fmt/format.h>

#include "quarks/source/source.hpp"

namespace plaq {
namespace {

class VolumeMomentumSource final : public Source {
 public:
  VolumeMomentumSource(const std::array<int, 4>& n, const std::array<int, 4>& half)
      : Source({0, 0, 0, 0}), n_(n), half_(half) {}
  std::string type() const override { return "volume_momentum"; }
  std::optional<ParameterFault> fault(const Extents& lattice) const override {
    for (const int half : half_)
      if (half != 0 && half != 1)
        return ParameterFault{"half", fmt::format("found {}, must be 0 or 1", half)};
    if (const auto wrong = validate_momentum(n_, half_, lattice)) return ParameterFault{"momentum", *wrong};
    return std::nullopt;
  }
  void fill(Field& b, int first_column) const override { momentum_source(b, n_, first_column, half_); }
  std::string summed() const override { return "over pairs of points of the lattice with their phases"; }

 private:
  std::array<int, 4> n_, half_;
};

}  // namespace

SourcePtr volume_momentum_source(const std::array<int, 4>& n, const std::array<int, 4>& half) {
  return std::make_shared<VolumeMomentumSource>(n, half);
}

}  // namespace plaq
