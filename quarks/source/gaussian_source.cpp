#include "quarks/source/source.hpp"

namespace plaq {
namespace {

class GaussianSource final : public Source {
 public:
  GaussianSource(const Extents& center, double width, int stride)
      : Source(center), width_(width), stride_(stride) {}
  std::string type() const override { return "gaussian"; }
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
