#include "kernels/field/symmetric_shift.hpp"

#include <bit>
#include <map>

#include "core/system/error.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"
#include "kernels/field/shift.hpp"

namespace plaq {
namespace {

// to += factor E_mu from
void add_shift(const SharedLattice& lattice, Field& to, const Field& from, const Field& links, int mu,
               double factor) {
  Field hopped(from.geometry_ptr(), from.spec());
  for (const bool forward : {true, false}) {
    covariant_shift(*lattice.grid, hopped, from, links, mu, forward, lattice.queue, lattice.transport);
    blas::Workspace work(lattice.queue, to.batch());
    const blas::Coefficients both{1, {factor / 2, 0, 1, 0}};
    blas::update<blas::Axpby>(work, std::vector(static_cast<std::size_t>(to.batch()), both), {&hopped, &to});
    lattice.queue.synchronize();
    to.touch();
  }
}

}  // namespace

// The last of n directions is each of them in one n-th of the orders, behind all orders of the others.
Field symmetric_shift(const SharedLattice& lattice, const Field& in, const Field& links,
                      unsigned directions) {
  require(directions < 16, "a symmetric shift in a direction that there is not");
  std::map<unsigned, Field> shifted{{0, in}};  // by directions, all of so many
  for (int n = 1; n <= std::popcount(directions); ++n) {
    std::map<unsigned, Field> next;
    for (unsigned some = 1; some <= directions; ++some) {
      if ((some & ~directions) != 0 || std::popcount(some) != n) continue;
      Field& mean = next.emplace(some, Field(in.geometry_ptr(), in.spec())).first->second;
      for (int mu = 0; mu < 4; ++mu)
        if ((some >> mu & 1u) != 0)
          add_shift(lattice, mean, shifted.at(some & ~(1u << mu)), links, mu, 1.0 / n);
    }
    shifted = std::move(next);
  }
  return shifted.at(directions);
}

}  // namespace plaq
