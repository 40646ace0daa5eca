// Step of a problem of accelerated gauge fixing in the plane of two directions, z = P r and d, the step
// before: the maximum of the quadratic model of F within a trust region,
//   F(a z + b d) = F + a <r, z> + b <r, d> + (a^2 q(z, z) + 2 a b q(z, d) + b^2 q(d, d)) / 2,
//   |a z + b d| <= radius,  |s|^2 = <s, P^-1 s>.
// q(z, z) is exact; the others are differences of gradients, r - before = q d to the order of the step. On a
// quadratic functional this is the method of conjugate gradients; elsewhere the next step corrects one that
// is too long or wrong, and no line is searched (2-dimensional subspace minimisation: Byrd, Schnabel, Shultz,
// Math. Program. 40 (1988) 247; Yuan, Stoer, Z. angew. Math. Mech. 75 (1995) 69).
#pragma once

namespace plaq {

// Sums over the sites of a problem.
struct AscentSums {
  double functional = 0;          // F
  double rr = 0, rd = 0, rz = 0;  // <r, r>, <r, d>, <r, z>
  double before_z = 0;            // <before, z>
  double zz = 0;                  // q(z, z)
};

struct AscentStep {
  double of_z = 0, of_d = 0;
};

class AscentState {
 public:
  // sites: of the problem. rounding: relative, of F. conjugate: whether d is used.
  AscentState(double sites, double rounding, bool conjugate);

  // The next step. What the last one has done is measured first: where F has fallen, it is taken back.
  AscentStep next(const AscentSums& now);
  int taken_back() const { return taken_back_; }

 private:
  void set_radius(const AscentSums& now);
  AscentStep maximum(const AscentSums& now) const;

  double rounding_;
  bool conjugate_;
  double radius_, links_;
  // About the step before: its direction is of use, and it is measured by F, slope and what the model
  // promised.
  bool has_direction_ = false, stepped_ = false;
  double functional_ = 0, slope_ = 0, promised_ = 0, length_squared_ = 0;
  int taken_back_ = 0;
};

}  // namespace plaq
