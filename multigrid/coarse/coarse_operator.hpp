// The Galerkin operator on a coarse lattice, Clark et al. 2016, eq. (3): nearest neighbours and the site
// itself, full matrices in place of links. Any local extents from 1 up, with a checkerboard or without.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "comms/halo/schedule.hpp"
#include "core/operator/linear_operator.hpp"
#include "multigrid/coarse/coarse_links.hpp"

namespace plaq {

class CoarseOperator final : public NearestNeighborOperator {
 public:
  // `links`: coarse_links_spec, in any storage, quarter precision for vectors in single; where some matrices
  // are not there, the others are the operator. Vectors have `precision`, single or double. `chiral`: Gamma5
  // M Gamma5 = M^dagger, Gamma5 being -1 on the second half of a site's components; else there is no adjoint.
  CoarseOperator(const ProcessGrid& grid, Field links, Precision precision, bool chiral, const Queue& queue,
                 std::shared_ptr<Transport> transport);

  const GeometryPtr& geometry() const override { return links_.geometry_ptr(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return schedule_.queue(); }
  Work work(int batch) const override;
  int capturable(int batch) override;
  const Field& links() const { return links_; }
  int components() const { return links_.subfields(); }

  int chiralities() const override { return chiral_ ? 2 : 1; }
  CoarseParts parts() const { return stored_parts(links_.spec()); }

  // Some of the matrices, which are there, on one parity of the result; out = from - that, or from + that if
  // `adds`, where `from` is given, which may be `out`. Where the lattice has no checkerboard, parity 0 is all
  // of it. Fields hold the parities that are meant. Queued, collective.
  void apply_parity(Field& out, const Field& in, int parity, const CoarseParts& parts, bool dagger,
                    const ActiveSet& active, const Field* from = nullptr, bool adds = false);
  void apply_part(Field& out, const Field& in, int part, const ActiveSet& active) override;
  // shifted[d](X) = in(X + d) for the hops d of which there are fields. Queued, collective.
  void shift(std::vector<Field>& shifted, const Field& in, const ActiveSet& active);

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  Halo& halo(int batch);

  const ProcessGrid& grid_;
  Field links_;
  Precision precision_;
  bool chiral_;
  Schedule schedule_;
  std::shared_ptr<Transport> transport_;
  std::map<int, std::unique_ptr<Halo>> halos_;  // of each batch that there was
  std::string hop_name_, site_name_;            // of tuned launches
};

}  // namespace plaq
