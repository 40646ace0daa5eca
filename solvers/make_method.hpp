// Krylov methods by name.
#pragma once

#include <memory>
#include <string_view>

#include "solvers/krylov_method.hpp"

namespace plaq {

struct MethodParameters {
  int restart_length = 16;                   // of GCR: directions that are kept, two vectors each
  double omega = 1;                          // relaxation of MR
  LinearOperator* preconditioner = nullptr;  // of GCR; outlives the method
};

// "cg" (normal equations), "hermitian-cg", "cgne", "bicgstab", "gcr", "mr". Throws Error(usage) for other
// names.
std::unique_ptr<KrylovMethod> make_method(std::string_view name, LinearOperator& a, int batch,
                                          const MethodParameters& parameters = {});

}  // namespace plaq
