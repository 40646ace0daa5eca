#include <fmt/format.h>

#include "quarks/source/source.hpp"

namespace plaq {
namespace {

class BoxSource final : public Source {
 public:
  BoxSource(const Extents& corner, const std::array<int, 3>& size, int stride)
      : Source(corner), size_(size), stride_(stride) {}
  std::string type() const override { return "box"; }
  std::optional<ParameterFault> fault(const Extents& lattice) const override {
    if (auto wrong = Source::fault(lattice)) return wrong;
    if (stride_ < 1) return ParameterFault{"stride", fmt::format("found {}, must be at least 1", stride_)};
    for (std::size_t i = 0; i < 3; ++i)
      if (size_[i] < 1)
        return ParameterFault{"size",
                              fmt::format("{} of the box in {}, must be at least 1", size_[i], "xyz"[i])};
    for (std::size_t i = 0; i < 3; ++i)
      if (size_[i] > lattice[i])
        return ParameterFault{"size", fmt::format("{} of the box in {} is more than the lattice {}", size_[i],
                                                  "xyz"[i], to_string(lattice))};
    return std::nullopt;
  }
  void fill(Field& b, int first_column) const override {
    box_source(b, position(), size_, stride_, first_column);
  }
  std::string summed() const override { return "over pairs of points of the source's box"; }

 private:
  std::array<int, 3> size_;
  int stride_;
};

}  // namespace

SourcePtr box_source(const Extents& corner, const std::array<int, 3>& size, int stride) {
  return std::make_shared<BoxSource>(corner, size, stride);
}

}  // namespace plaq
