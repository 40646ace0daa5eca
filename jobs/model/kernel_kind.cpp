#include "jobs/model/kernel_kind.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

constexpr std::string_view names[] = {
    "wilson_hop",    "wilson_operator", "clover_operator", "packing",      "vector_update",
    "staggered_hop", "improved_hop",    "fifth_dimension", "gauge_fixing", "link_update",
    "smearing",      "coarse_hop",      "transfer",        "dense_product"};

}  // namespace

KernelKind kernel_kind(std::string_view efficiency_class) {
  const auto at = std::find(std::begin(names), std::end(names), efficiency_class);
  if (at == std::end(names))
    throw Error(ErrorKind::internal, "internal error: a kernel of the unknown class of efficiency \"" +
                                         std::string(efficiency_class) + "\"");
  return static_cast<KernelKind>(at - std::begin(names));
}

}  // namespace plaq::jobs
