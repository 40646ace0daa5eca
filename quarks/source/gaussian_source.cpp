#include <fmt/format.h>

#include <cmath>

#include "quarks/source/source.hpp"

namespace plaq {
namespace {

class GaussianSource final : public Source {
 public:
  GaussianSource(const Extents& center, double width, int stride)
      : Source(center), width_(width), stride_(stride) {}
  std::string type() const override { return "gaussian"; }
  std::optional<ParameterFault> fault(const Extents& lattice) const override {
    if (auto wrong = Source::fault(lattice)) return wrong;
    if (!(width_ > 0 && std::isfinite(width_)))
      return ParameterFault{"width", fmt::format("found {}, must be above 0", width_)};
    if (stride_ < 1) return ParameterFault{"stride", fmt::format("found {}, must be at least 1", stride_)};
    return std::nullopt;
  }
  void fill(Field& b, int first_column) const override {
    gaussian_source(b, position(), width_, stride_, first_column);
  }
  std::string summed() const override {
    return "over pairs of points of the source's time slice with their weights exp(-r^2/width^2)";
  }

 private:
  double width_;
  int stride_;
};

}  // namespace

SourcePtr gaussian_source(const Extents& center, double width, int stride) {
  return std::make_shared<GaussianSource>(center, width, stride);
}

}  // namespace plaq
