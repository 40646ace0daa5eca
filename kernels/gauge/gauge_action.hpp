// Gauge actions of plaquettes P, rectangles R and chairs C,
//   S = -(beta/3) sum [ c0 Re tr P + c1 Re tr R + c2 Re tr C ],
// each plaquette (6 a site), rectangle (12) and chair (16) once. A `LoopWeights` holds beta c0, beta c1 and
// beta c2; with a bare anisotropy xi, loops in space have beta / xi, and loops with time beta xi.
#pragma once

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "kernels/site/loop_weights.hpp"

namespace plaq {

// The functions below throw Error(job_file) unless beta is finite, xi positive, and u in (0, 1.5].

// Plaquettes alone; beta = 6/g^2.
LoopWeights wilson_gauge_action(double beta, double xi = 1);

// Plaquettes and rectangles with c0 = 1 - 8 c1; beta = 6/g^2. c1 of the actions by Luescher and Weisz at tree
// level (Commun. Math. Phys. 97 (1985) 59), Iwasaki (Nucl. Phys. B 258 (1985) 141) and QCD-TARO (DBW2; Nucl.
// Phys. B 577 (2000) 263).
LoopWeights rectangle_gauge_action(double beta, double c1, double xi = 1);
inline constexpr double symanzik_c1 = -1.0 / 12, iwasaki_c1 = -0.331, dbw2_c1 = -1.4088;

// One loop with tadpoles, c0 = 1, beta = 10/g^2, for `flavours` of HISQ quarks (Alford et al., Phys. Lett. B
// 361 (1995) 87; Hart, von Hippel, Horgan, Phys. Rev. D 79 (2009) 074008):
//   c1 = -(1 - (0.6264 - 1.1746 n_f) ln u0) / (20 u0^2),   c2 = (0.0433 - 0.0156 n_f) ln u0 / u0^2,
// where 0.04335 replaces 0.0433 without quarks. u0: fourth root of the average plaquette.
LoopWeights luscher_weisz_gauge_action(double beta, double u0, int flavours);

// Improved in space for anisotropic lattices, without rectangles of two links in time (Morningstar, Peardon,
// Phys. Rev. D 56 (1997) 4043): 5/(3 u_s^4) and 4/(3 u_s^2 u_t^2) a plaquette in space and with time,
// -1/(12 u_s^6) and -1/(12 u_s^4 u_t^2) a rectangle.
LoopWeights anisotropic_gauge_action(double beta, double xi, double u_space, double u_time);

// Sums over the lattice of Re tr(loop), in the kinds of LoopWeights. Rectangles and chairs are zero where
// they are not asked for.
struct LoopSums {
  double plaquette_space = 0, plaquette_time = 0, rectangle_space = 0, rectangle_one_time = 0,
         rectangle_two_times = 0, chair = 0;
};

// Collective; waits for the queue. `gauge`: links on an extended geometry with a filled halo of depth 1, or 2
// with rectangles. The same bits on any process grid.
LoopSums loop_sums(const ProcessGrid& grid, const Field& gauge, bool rectangles, bool chairs,
                   const Queue& queue);
// S of these links.
double gauge_action(const ProcessGrid& grid, const Field& gauge, const LoopWeights& weights,
                    const Queue& queue);

// F of these links, an element of the Lie algebra for each link, in double precision on the geometry of the
// links: dS/de = 2 sum of -tr(F T) under U -> exp(e T) U, which is F = TA(U V)/6 with V the weighted staples
// (kernels/site/loop_staple.hpp). Queued. `force`: algebra_spec().
void gauge_force(Field& force, const Field& gauge, const LoopWeights& weights, const Queue& queue);

// Floating-point operations for the weighted staples of a link: products of 3x3 matrices have 198.
double loop_staple_flops(const LoopWeights& weights);

// Depth of the halo that value and force read.
inline int halo_depth(const LoopWeights& weights) { return weights.has_rectangles() ? 2 : 1; }

}  // namespace plaq
