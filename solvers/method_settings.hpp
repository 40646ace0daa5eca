// Settings of methods and of the mixed-precision schemes around them, fixed when these are made. Each throws
// Error(internal) if a value of its own is out of range.
#pragma once

namespace plaq {

class Deflation;
class LinearOperator;

struct MethodSettings {
  int restart_length = 16;                   // of GCR: directions that are kept, two vectors each
  double omega = 1;                          // relaxation of MR
  LinearOperator* preconditioner = nullptr;  // of GCR; outlives the method
  // ulp < delta < 1 with the ulp of the inner precision: a reliable update when the iterated residual has
  // fallen below delta times its maximum since the last one. Nearer to 1: more work in high precision, fewer
  // iterations.
  double delta = 0.1;
  // Defect correction: by how much an inner solve brings its residual down. Above the inner ulp times the
  // condition number; 0.1 suits 16-bit storage, 1e-4 single precision.
  double inner_tolerance = 1e-3;
  // The mean factor by which an iteration must bring the residual down, over the last eight; a right-hand
  // side that is slower ends as too slow. 1: it may take as long as it likes.
  double slowest_reduction = 1;
  // Deflation of the outer operator, or the only one; outlives the solver. Null: none.
  Deflation* deflation = nullptr;
};

}  // namespace plaq
