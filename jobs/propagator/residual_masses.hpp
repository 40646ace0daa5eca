// What a propagator job says of the chiral symmetry of domain-wall quarks, [correlators] residual_mass and
// plateau; formulas in kernels/quark/residual_mass.hpp. Of one source, all from point sinks at momentum 0:
//
//   /residual_mass/summed         by the Ward identity summed over the lattice
//   /residual_mass/pcac           [t] bare PCAC mass of the local axial current
//   /residual_mass/pcac_plateau   its average over the plateau
// and with residual_mass = "midpoint"
//   /residual_mass/midpoint           [t] C_mid(t) / C_pion(t)
//   /residual_mass/midpoint_plateau   its average over the plateau
//   /correlators/midpoint_pion/p_0_0_0/point   [t][real, imaginary] C_mid
#pragma once

#include "jobs/propagator/quark_source.hpp"
#include "jobs/results/results.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/schema/job_file.hpp"
#include "kernels/quark/mesons.hpp"
#include "kernels/quark/residual_mass.hpp"

namespace plaq::jobs {

struct ResidualMassPlan {
  // Throws Error(job_file) where the plateau is not on the lattice.
  ResidualMassPlan(const JobFile& job, const Extents& extents);
  explicit operator bool() const { return kind != ResidualMass::none; }
  bool has_midpoint() const { return kind == ResidualMass::midpoint; }

  ResidualMass kind;
  Plateau plateau;
  std::vector<MesonChannel> channels;  // the pion, and of the axial current
};

class ResidualMasses {
 public:
  ResidualMasses(const JobContext& context, ResidualMassPlan plan);

  // Collective. Of all columns of a source, as they were solved: source b, quark q and, where has_midpoint(),
  // q_mid. Keeps what comes out.
  void add(const Field& source, const Field& quark, const Field& midpoint, const Extents& position);
  // What was added since the last call, and forgets it.
  void move_to(Results& results, const QuarkSources& sources);

 private:
  const JobContext& context_;
  ResidualMassPlan plan_;
  double mass_;
  MesonContraction mesons_;
  double summed_ = 0;
  CorrelatorInTime midpoint_;
  std::vector<double> of_t_, pcac_;
};

}  // namespace plaq::jobs
