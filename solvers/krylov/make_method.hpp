// Krylov methods by name.
#pragma once

#include <memory>
#include <string_view>

#include "solvers/krylov/krylov_method.hpp"
#include "solvers/method_settings.hpp"

namespace plaq {

// "cg" (normal equations), "hermitian-cg", "cgne", "bicgstab", "gcr", "mr". Throws Error(usage) for other
// names.
std::unique_ptr<KrylovMethod> make_method(std::string_view name, LinearOperator& a, int batch,
                                          const MethodSettings& settings = {});

}  // namespace plaq
