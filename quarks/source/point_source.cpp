#include "quarks/source/source.hpp"

namespace plaq {
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
