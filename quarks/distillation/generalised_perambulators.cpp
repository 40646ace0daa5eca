#include "quarks/distillation/generalised_perambulators.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "kernels/quark/momentum_projection.hpp"
#include "kernels/quark/slice_products.hpp"
#include "kernels/site/gamma_matrix.hpp"
#include "quarks/source/quark_derivative.hpp"

namespace plaq {
namespace {

constexpr const char* no_derivative = "1";

// D^dagger exp(i p x) of a current, on solutions from the sink: (D_a D_b)^dagger = D_b D_a, and D_a^dagger =
// -D_a.
class AdjointCurrent {
 public:
  AdjointCurrent(const SharedLattice& lattice, const std::string& word, const CurrentLinks& of)
      : lattice_(&lattice) {
    if (word == no_derivative) return;
    if (word.size() % 2 == 1) sign_ = -1;
    derivative_.emplace(lattice, *of.links, LinkSmearing{}, of.boundary,
                        std::string(word.rbegin(), word.rend()));
  }

  // Without the sign.
  Field operator()(const Field& x, const Momentum& n) const {
    Field y(x.geometry_ptr(), x.spec());
    copy(y, x);
    if (n != Momentum{}) multiply_by_plane_wave(y, n, {0, 0, 0, 0}, lattice_->queue);
    if (derivative_) derivative_->apply(y);
    return y;
  }
  int sign() const { return sign_; }

 private:
  const SharedLattice* lattice_;
  int sign_ = 1;
  std::optional<QuarkDerivative> derivative_;
};

// Diagonal of gamma5.
int chirality(int spin) { return gamma5().phase[static_cast<std::size_t>(spin)] == 0 ? 1 : -1; }

// Puts the products of left vectors, columns first_left and on, with right ones into their place.
void put_products(GeneralisedPerambulator& found, const SliceMatrices& products,
                  const SliceMatrixShape& shape, const SourceAndSink& at, int slices, int first_left,
                  int first_right, int sign) {
  for (int t = 0; t < found.slices; ++t)
    for (int row = 0; row < shape.rows; ++row)
      for (int column = 0; column < shape.columns; ++column) {
        const int left = first_left + row / 4, right = first_right + column / 4, a = row % 4, sink = left % 4;
        found.numbers[found.at(t, {a, column % 4, sink, right % 4}, left / 4, right / 4)] =
            static_cast<double>(sign * chirality(a) * chirality(sink)) *
            products[shape((at.source + t) % slices, row, column)];
      }
}

}  // namespace

std::string fault_of_operators(const std::vector<std::string>& operators) {
  if (operators.empty()) return "there is none; give \"1\" for currents without derivatives";
  std::set<std::string> found;
  for (const std::string& word : operators) {
    if (!found.insert(word).second) return fmt::format("\"{}\" is there twice", word);
    if (word == no_derivative) continue;
    if (const std::string fault = derivative_fault(word); !fault.empty())
      return fmt::format("one is not \"1\", and as a derivative {}", fault);
  }
  return "";
}

GeneralisedPerambulators generalised_perambulators(const SharedLattice& lattice, const SliceModes& modes,
                                                   PropagatorSolver& solver,
                                                   const std::vector<Field>& solutions,
                                                   const SourceAndSink& at, const LineCurrents& currents,
                                                   const CurrentLinks& links, const std::string& file,
                                                   bool kept) {
  const MemoryName name("generalised perambulators");
  const int slices = lattice.geometry->global()[3];
  require(at.sink_time >= 1 && at.sink_time < slices, "a sink that is on its source, or not on the lattice");
  GeneralisedPerambulators all;
  all.currents.resize(currents.size());
  for (GeneralisedPerambulator& one : all.currents) {
    one.slices = at.sink_time + 1;
    one.modes = modes.count;
    if (kept && !runs_dry()) one.numbers.resize(GeneralisedPerambulator::size(one.slices, one.modes));
  }
  std::vector<AdjointCurrent> adjoints;
  for (const std::string& word : currents.operators) adjoints.emplace_back(lattice, word, links);
  const auto take = [&](const Field& x, int first) {
    const Phase phase("contracting");
    auto found = all.currents.begin();
    for (const AdjointCurrent& adjoint : adjoints)
      for (const Momentum& n : currents.momenta) {
        const Field left = adjoint(x, n);
        GeneralisedPerambulator& one = *found++;
        int first_right = 0;
        for (const Field& right : solutions) {
          const ColorVectors rows = all_vectors(left), columns = all_vectors(right);
          const SliceMatrices products = slice_dots(*lattice.grid, rows, columns, lattice.queue);
          if (!one.numbers.empty())
            put_products(one, products, {rows.size(), columns.size()}, at, slices, first, first_right,
                         adjoint.sign());
          first_right += right.subfields();
        }
      }
  };
  all.solves = solve_from_modes(lattice, modes, solver, (at.source + at.sink_time) % slices, take, file);
  return all;
}

}  // namespace plaq
