// Sound multigrid setups for the targets that read them.
#pragma once

#include "io/gauge/link_sum.hpp"
#include "io/multigrid/multigrid_scidac.hpp"

namespace plaq::fuzz {

inline MultigridFileInfo multigrid_info(Precision stored) {
  MultigridFileInfo info;
  info.extents = {2, 2, 2, 2};
  info.vectors = 3;
  info.precision = stored;
  info.setup.plaq_version = "1.2.3";
  info.setup.operator_entries = {{"type", "wilson"}, {"mass", "-0.5"}};
  info.setup.links = {ChecksumKind::scidac, 1, 2};
  info.setup.levels = {{{2, 2, 2, 1}, 3, 4, 0.25, 16}};
  info.setup.reductions = {0.5, 0.25};
  info.setup.entries = {{"NOTE", "a < b"}};
  return info;
}

// With sums that fit the numbers, which are cut off or filled up with zeros.
inline std::string multigrid_file(Precision stored, std::string numbers) {
  const MultigridFileInfo info = multigrid_info(stored);
  numbers.resize(near_null_vectors_bytes(info));
  LinkSum sum(ChecksumKind::scidac, ByteOrder::big, info.vectors * near_null_bytes(stored));
  sum.add(0, std::as_bytes(std::span(numbers)));
  const auto frame = frame_scidac_multigrid(info, sum.of_this_rank());
  return frame.head + numbers + frame.tail;
}

}  // namespace plaq::fuzz
