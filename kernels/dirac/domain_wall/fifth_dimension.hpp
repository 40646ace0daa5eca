// Matrices in the fifth dimension of domain-wall operators: they act on the slices of each site, spin and
// color alike, one matrix for each chirality (gamma5 is diagonal: spins 0, 1 are P_+, spins 2, 3 are P_-).
// All are diagonal plus a cyclic shift, inverses of such, or products of the two, and cost a few operations a
// slice whatever Ls is.
#pragma once

#include <array>
#include <vector>

#include "core/field/field.hpp"
#include "core/operator/active_set.hpp"
#include "core/system/memory.hpp"
#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"

namespace plaq {

inline constexpr int chiral_plus = 0, chiral_minus = 1;  // as spin / 2

// (A x)_s = d_s x_s + e_s x_(s + neighbor), slices counted modulo Ls.
struct ShiftMatrix {
  std::vector<double> d, e;
  int neighbor = -1;  // or 1

  int size() const { return static_cast<int>(d.size()); }
  static ShiftMatrix unit(int n, int neighbor);
  ShiftMatrix transposed() const;
  // diag(f) A
  ShiftMatrix rows_times(const std::vector<double>& f) const;
  // det A = prod d (1 - loop), loop = prod (-e/d). Singular to rounding.
  double loop() const;
  bool singular() const;
};

// Matrices of one chirality, eqs. (2.5) to (2.9); Y = omega + sigma L, X = d Y + 1 - L, d the diagonal of
// D_w.
struct FifthMatrices {
  FifthMatrices(const DomainWallParameters& parameters, int chirality);
  std::vector<double> root, inverse_root;  // of omega
  ShiftMatrix x, y;
};

// Program for one chirality of a site, step by step
// (kernels/dirac/domain_wall/fifth_dimension_kernel.hpp): R A^-1 Q. `r` and `q` null: 1. All have the
// neighbor of `a`; not both where the recursion has to run backwards (|loop of A| > 1). Throws
// Error(internal) where A is singular.
struct FifthProgram {
  struct Step {
    double start, in, in_before, before, out, out_before;
  };
  std::vector<Step> steps;
  int first = 0, direction = 1;  // slice of step i: first + direction i, modulo Ls
  std::vector<double> times(const std::vector<double>& in) const;  // one component, in double

  static FifthProgram product(const ShiftMatrix* r, const ShiftMatrix& a, const ShiftMatrix* q);
  static FifthProgram product(const ShiftMatrix& r) {
    return product(&r, ShiftMatrix::unit(r.size(), r.neighbor), nullptr);
  }
};

// M5 = omega^-1/2 Y X^-1 omega^1/2, eq. (2.8), or its adjoint.
FifthProgram m5_program(const DomainWallParameters& parameters, int chirality, bool dagger);

// A matrix where kernels can read it, in computing precision.
class FifthTable {
 public:
  FifthTable() = default;
  FifthTable(const std::array<FifthProgram, 2>& by_chirality, Precision precision, Location location);

  int Ls() const { return Ls_; }
  const void* steps() const { return buffer_.data(); }  // [chirality][step]
  int first(int chirality) const { return first_[chirality]; }
  int direction(int chirality) const { return direction_[chirality]; }
  explicit operator bool() const { return Ls_ > 0; }

 private:
  Buffer buffer_;
  int Ls_ = 0, first_[2] = {}, direction_[2] = {1, 1};
};

// out = a add + b M in on the sites of `parity` for the right-hand sides of `active`, of which each has Ls
// slices: subfield = right-hand side * Ls + slice. The others of `out` are left alone. `add` null: b M in.
// Any of the fields may be the same one. Queued; nothing is exchanged.
void apply_fifth(Field& out, const Field& in, const FifthTable& table, int parity, const ActiveSet& active,
                 const Queue& queue, double a = 0, const Field* add = nullptr, double b = 1);

// Flops a slice of a site: 24 real components of R A^-1 Q x.
double fifth_flops(bool with_add);

}  // namespace plaq
