// Are links SU(3)? Looks at every link on its way from or to a file, and remembers the worst, and the first
// that is not acceptable.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "comms/grid/process_grid.hpp"
#include "core/system/error.hpp"

namespace plaq {

// Largest component of |U U^dagger - 1| and |det U - 1|: what stops, and what double precision should keep.
constexpr double largest_deviation = 1e-5;
constexpr double usual_double_deviation = 1e-10;

class LinkSurvey {
 public:
  // `link`: row-major, re and im. place = 4 * (lexicographic number of the site) + mu.
  void add(const double (&link)[18], std::int64_t place, bool last_time_slice);
  void merge(const LinkSurvey& other);

  double worst() const { return worst_; }  // deviation of the acceptable links

  // Collective. Then every rank has the survey of the whole lattice.
  void combine(const ProcessGrid& grid);
  // Throws an error of this kind, naming the first link that is not acceptable, if any; of a gauge
  // transformation, whose matrices have mu = 0, `links` is false.
  void check(ErrorKind kind, const std::string& path, const Extents& global, bool links = true) const;

 private:
  // negative and open are links in t on the last slice: those of determinant -1, and those that are 0.
  enum class Fault : std::int64_t { none, not_finite, not_su3, negative, open };

  static constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();

  double worst_ = 0;
  std::int64_t place_ = nowhere;
  Fault fault_ = Fault::none;
  double unitarity_ = 0, det_re_ = 1, det_im_ = 0;  // of the faulty link
};

}  // namespace plaq
