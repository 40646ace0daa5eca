#include "settings/quark/source_kind.hpp"

namespace plaq::settings {
namespace {

class PointSourceKind final : public SourceKind {
 public:
  std::string name() const override { return "point"; }
  std::string meaning() const override { return "1 at position"; }
  SourcePtr source(const Settings&, const Extents& position, int) const override {
    return point_source(position);
  }
};

}  // namespace

const SourceKinds& point_source_kinds() {
  static const PointSourceKind point;
  static const SourceKinds all = {&point};
  return all;
}

}  // namespace plaq::settings
