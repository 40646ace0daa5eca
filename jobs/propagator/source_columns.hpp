// Columns of a source as a propagator job solves for them: smeared, with derivatives, and without those that
// are 0 (Source::column_stride()).
#pragma once

#include <vector>

#include "quarks/source/quark_derivative.hpp"
#include "quarks/source/source.hpp"

namespace plaq {
class QuarkSmearing;
}

namespace plaq::jobs {

class SourceColumns {
 public:
  // smearing, derivative: null where the source has none. All must outlive this object.
  SourceColumns(const Source& source, QuarkSmearing* smearing, const QuarkDerivative* derivative)
      : source_(source), smearing_(smearing), derivative_(derivative) {}

  // Fills columns as PropagatorSolver::FillSource does. `seen`: if not null, a field that gets each column as
  // it is made.
  void fill(Field& b, int first_column, Field* seen) const;

  // solve(fields) for fields of these columns; the other columns of `quarks` stay 0.
  template <class Solve>
  auto in_columns(std::vector<Field>& quarks, const Solve& solve) const {
    const int stride = source_.column_stride();
    if (stride == 1) return solve(quarks);
    std::vector<Field> some;
    for (const Field& quark : quarks) {
      FieldSpec spec = quark.spec();
      spec.subfields /= stride;
      some.emplace_back(quark.geometry_ptr(), spec);
    }
    auto report = solve(some);
    for (std::size_t mass = 0; mass < some.size(); ++mass)
      for (int i = 0; i < some[mass].subfields(); ++i) copy_subfield(quarks[mass], stride * i, some[mass], i);
    return report;
  }

 private:
  void fill_made(Field& b, int first) const;

  const Source& source_;
  QuarkSmearing* smearing_;
  const QuarkDerivative* derivative_;
};

}  // namespace plaq::jobs
