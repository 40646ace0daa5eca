#include "io/gauge/lime_gauge.hpp"

#include "io/lime/lime.hpp"

namespace plaq {

const GaugeFormat& ildg_format() {
  static const GaugeFormat format = {GaugeFileFormat::ildg, ChecksumKind::scidac, is_lime,
                                     inspect_lime_gauge,    refuse_lime_links,    frame_lime_gauge};
  return format;
}

const GaugeFormat& scidac_format() {
  static const GaugeFormat format = {GaugeFileFormat::scidac, ChecksumKind::scidac, is_lime,
                                     inspect_lime_gauge,      refuse_lime_links,    frame_lime_gauge};
  return format;
}

}  // namespace plaq
