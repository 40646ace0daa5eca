// An operator under test: how it is made, what it does by the slow reference, and how far off each storage
// may be. tests/support/operators/checks.hpp has what any of them must do.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "comms/transport/transport.hpp"
#include "core/operator/schur_operator.hpp"
#include "kernels/gauge/link_storage.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/vector_shape.hpp"

namespace plaq::test {

// Largest and root mean square deviation of an application from the reference, both over the largest
// component of what is expected.
struct StorageBound {
  Precision precision;
  int reals;
  double most, mean;
  LinkStorage storage() const { return {precision, reals}; }
  std::string name() const { return std::string(name_of(precision)) + " " + std::to_string(reals); }
};
using StorageBounds = std::vector<StorageBound>;
StorageBounds times(double factor, StorageBounds bounds);

// Place where an operator is made, and its parameters.
struct Setting {
  const ProcessGrid& grid;
  GeometryPtr geometry;
  LinkStorage storage;
  Queue queue;
  int batch = 1;                                   // right-hand sides of an application
  std::shared_ptr<Transport> transport = nullptr;  // null: through host memory

  std::shared_ptr<Transport> carrier() const {
    return transport != nullptr ? transport : make_host_transport(grid, queue.location());
  }
};

struct OperatorProblem {
  std::string name;
  Extents extents{};
  VectorShape shape;
  StorageBounds bounds;
  std::function<std::shared_ptr<LinearOperator>(const Setting&)> make;
  // A v or A^dagger v on the whole lattice. Of a complement the sites of its parity count.
  std::function<Vector(const Vector&, bool dagger)> image;
  bool has_adjoint = true;  // else A^dagger is refused
  int parity = -1;          // -1: on the full lattice
  int batch = 4;
  bool general = false;  // on geometries of any extents, without a checkerboard where one is odd
  std::optional<LatticeOrder> general_order;  // of these geometries, if it is another one
  // True if it can be made on such a geometry.
  std::function<bool(const Geometry&)> fits = [](const Geometry&) { return true; };

  // G with G A G = A^dagger, where there is one.
  std::function<Vector(const Vector&)> gamma5;
  // The problem in another gauge, where it has one.
  std::function<OperatorProblem(const reference::GaugeTransformation&)> turned;

  // If the operator is a Schur complement: the full operator, and the unknown of the complement on both
  // parities, which is that of the full system if null.
  std::function<Vector(const Vector&)> full;
  std::function<Vector(const Vector&)> unknown;
  double solution_factor = 1;  // how much further off the full solution may be

  // Its number among problems that differ in little. On several ranks each has a third of the storages, and
  // on one rank a `share` of them comes to all geometries.
  int turn = 0, share = 1;

  bool is_complement() const { return static_cast<bool>(full); }
  LatticeOrder order() const { return general_order.value_or(lattice_order_for(extents)); }
  Subset subset() const { return parity < 0 ? Subset::full : subset_of(parity); }
  Columns columns(const Vectors& v) const { return Columns(v, shape.Ls); }
  Field field(const Vectors& v, const GeometryPtr& geometry, Subset subset, Precision precision,
              Location location) const {
    return to_plaq(columns(v), geometry, shape.spec(subset, 0, precision, location));
  }
};

// A case of a table: made when its test runs.
struct OperatorCase {
  std::string name;
  std::function<OperatorProblem()> make;
};
inline std::ostream& operator<<(std::ostream& out, const OperatorCase& c) { return out << c.name; }
using OperatorCases = std::vector<OperatorCase>;
inline const auto name_of_case = [](const auto& info) { return info.param.name; };

// Normal numbers.
Vectors random_vectors(const OperatorProblem& problem, int count, unsigned seed = 41);
// The sites of one parity; others 0.
Vector only(Vector v, const OperatorProblem& problem, int parity);
// y <- y + a x
void add(Vector& y, Complex64 a, const Vector& x);
// At each site the color matrix times every spin and slice; the signs of gamma5 times spins.
Vector times(const reference::GaugeTransformation& g, const Vector& v, int Ls = 1);
Vector times_gamma5(Vector v);

// A with its own fields: A in, or A^dagger in.
Field applied(LinearOperator& a, const Field& in, bool dagger = false);

}  // namespace plaq::test
