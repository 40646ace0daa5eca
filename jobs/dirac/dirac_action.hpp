// One Dirac matrix M on one gauge field, of any discretisation: what makes its operators in several storages.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "comms/transport/transport.hpp"
#include "core/operator/schur_operator.hpp"
#include "jobs/dirac/action_parameters.hpp"
#include "jobs/dirac/solver_spec.hpp"
#include "kernels/dirac/clover/clover_field.hpp"
#include "solvers/mixed/vector_conversion.hpp"

namespace plaq::jobs {

constexpr int schur_parity = 0;

// What all of its operators have in common. Cheap to copy; the grid must outlive it.
struct DiracMatrix {
  const ProcessGrid* grid;
  ActionParameters parameters;
  Preconditioning preconditioning;
  Queue queue;
  std::shared_ptr<Transport> transport;
  int batch;
  bool short_faces = false;  // faces of 16-bit numbers
};

// The operator that is iterated, in one storage: M itself, or its Schur complement on the even sites.
class DiracOperator {
 public:
  template <class Operator>  // a SchurOperator, or of the whole lattice
  DiracOperator(const LinkStorage& storage, std::unique_ptr<Operator> iterated,
                VectorConversion conversion = {})
      : storage_(storage), conversion_(std::move(conversion)) {
    if constexpr (std::is_base_of_v<SchurOperator, Operator>) schur_ = iterated.get();
    iterated_ = std::move(iterated);
  }

  LinkStorage storage() const { return storage_; }
  LinearOperator& iterated() { return *iterated_; }
  SchurOperator* schur() { return schur_; }  // null without preconditioning
  // From the vectors of an operator in the gauge of the field to those of this one.
  const VectorConversion& conversion() const { return conversion_; }

 private:
  LinkStorage storage_;
  VectorConversion conversion_;
  std::unique_ptr<LinearOperator> iterated_;
  SchurOperator* schur_ = nullptr;
};

class DiracAction {
 public:
  virtual ~DiracAction() = default;
  // M in double with links of 18 reals: what a solution is measured by.
  virtual LinearOperator& residual_operator() = 0;
  // Collective. Throw where links cannot be stored so, on every rank.
  virtual std::shared_ptr<DiracOperator> outer(const LinkStorage& storage) = 0;
  // The one that the attempt iterates, within outer operators of another storage.
  virtual std::shared_ptr<DiracOperator> inner(const SolverSpec& attempt) = 0;
  // Whether the iterated operator is Hermitian and positive, so that cg needs no normal equations.
  virtual bool positive() const { return false; }
  // Lets go of what can be made again, when the first operators are there.
  virtual void settle() {}

  // Sources and quark fields in four dimensions of as many right-hand sides as the operators have, in double;
  // where M lives in five, b of M x = b is made from a source, and a quark field from x.
  virtual FieldSpec quark_spec() const { return residual_spec(); }
  virtual void make_source(Field& b, const Field& quark_source) { copy(b, quark_source); }
  virtual void quark(Field& q, const Field& x) { copy(q, x); }
  // In the middle of the fifth dimension (kernels/dirac/domain_wall/domain_wall_quark.hpp).
  virtual void mid_quark(Field&, const Field&) { require(false, "a midpoint of quarks in four dimensions"); }
  // Of |H_w|, where they were measured on this field.
  virtual std::optional<std::pair<double, double>> measured_bounds() const { return {}; }

 private:
  virtual FieldSpec residual_spec() const = 0;
};

// `gauge`: without halo, any location and precision, 18 reals; it is copied. `clover`: as WilsonAction; null
// for others. Collective.
std::unique_ptr<DiracAction> make_action(const DiracMatrix& matrix, const Field& gauge,
                                         std::shared_ptr<CloverField> clover);

}  // namespace plaq::jobs
