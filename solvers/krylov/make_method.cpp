#include "solvers/krylov/krylov_method.hpp"

#include <string>

#include "core/system/error.hpp"
#include "solvers/krylov/bicgstab.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/cgne.hpp"
#include "solvers/krylov/gcr.hpp"
#include "solvers/krylov/hermitian_cg.hpp"
#include "solvers/krylov/mr.hpp"

namespace plaq {

std::unique_ptr<KrylovMethod> make_method(std::string_view name, LinearOperator& a, int batch,
                                          const MethodSettings& settings) {
  if (name == "cg") return std::make_unique<Cgnr>(a, batch);
  if (name == "hermitian-cg") return std::make_unique<HermitianCg>(a, batch);
  if (name == "cgne") return std::make_unique<Cgne>(a, batch);
  if (name == "bicgstab") return std::make_unique<BicgstabMethod>(a, batch);
  if (name == "gcr") return std::make_unique<Gcr>(a, batch, settings.restart_length, settings.preconditioner);
  if (name == "mr") return std::make_unique<MinimalResidual>(a, batch, settings.omega);
  throw Error(ErrorKind::usage, "there is no Krylov method \"" + std::string(name) +
                                    "\"; there are cg, hermitian-cg, cgne, bicgstab, gcr, mr");
}

}  // namespace plaq
