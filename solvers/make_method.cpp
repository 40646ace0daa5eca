#include "solvers/make_method.hpp"

#include <string>

#include "core/error.hpp"
#include "solvers/bicgstab.hpp"
#include "solvers/cg.hpp"
#include "solvers/cgne.hpp"
#include "solvers/gcr.hpp"
#include "solvers/hermitian_cg.hpp"
#include "solvers/mr.hpp"

namespace plaq {

std::unique_ptr<KrylovMethod> make_method(std::string_view name, LinearOperator& a, int batch,
                                          const MethodParameters& parameters) {
  if (name == "cg") return std::make_unique<Cgnr>(a, batch);
  if (name == "hermitian-cg") return std::make_unique<HermitianCg>(a, batch);
  if (name == "cgne") return std::make_unique<Cgne>(a, batch);
  if (name == "bicgstab") return std::make_unique<BicgstabMethod>(a, batch);
  if (name == "gcr")
    return std::make_unique<Gcr>(a, batch, parameters.restart_length, parameters.preconditioner);
  if (name == "mr") return std::make_unique<MinimalResidual>(a, batch, parameters.omega);
  throw Error(ErrorKind::usage, "there is no Krylov method \"" + std::string(name) +
                                    "\"; there are cg, hermitian-cg, cgne, bicgstab, gcr, mr");
}

}  // namespace plaq
