// Loss of accuracy by the storage of links and spinors: Clark et al. 2010, section 4.7, eq. (3) and
// Fig. 6. Delta(epsilon) is the proportion of the components of M_ee eta that deviate by at least epsilon
// from the result in double precision with 18 reals a link. M_ee is the symmetric even-odd complement of the
// Wilson operator at mass 0, links are Haar-random SU(3), components of eta (24 reals a site) uniform in [0,
// 1).
#pragma once

#include <string>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "kernels/dirac/wilson/wilson_schur.hpp"

namespace plaq::jobs {

struct AccuracyCurve {
  std::vector<double> proportions;  // Delta of each epsilon that was asked for
  double largest = 0;               // deviation; NaN if any is
};

// 1 and 3 in each decade from 1e-18 to 0.3.
std::vector<double> usual_epsilons();

// Keyed by global site: the same on any process grid, and the same curves.
class AccuracyProblem {
 public:
  // The grid must outlive this object.
  AccuracyProblem(const ProcessGrid& grid, const GeometryPtr& geometry, Location location,
                  std::shared_ptr<Transport> transport);

  WilsonSchur make_operator(const LinkStorage& storage) const;  // of one right-hand side
  Field eta(Precision precision) const;                         // even sites
  // Collective.
  AccuracyCurve curve(const LinkStorage& storage, const std::vector<double>& epsilons) const;

 private:
  Field applied(const LinkStorage& storage) const;  // on the host, double

  const ProcessGrid* grid_;
  GeometryPtr geometry_;
  Location location_;
  std::shared_ptr<Transport> transport_;
  Field gauge_, eta_, exact_;
};

}  // namespace plaq::jobs
