// The launches behind kernels/gauge/momenta.hpp for one machine, in double precision.
#pragma once

#include <cstdint>

#include "core/field/field.hpp"
#include "core/sums/sum_buffer.hpp"

namespace plaq {

template <class Target>
struct MomentaLaunch {
  static void draw(Field& momenta, std::uint64_t seed, std::uint32_t trajectory, const Queue& queue);
  // Sum of -tr X^2 over the owned links.
  static void squares(const Field& algebra, const Queue& queue, SumBuffer& sums);
  // Sum of -tr X Y.
  static void products(const Field& a, const Field& b, const Queue& queue, SumBuffer& sums);
  // The largest -tr X^2 of an owned link; waits.
  static double largest_square(const Field& algebra, const Queue& queue);
  // The largest |U - V|^2 of owned links; waits.
  static double largest_distance(const Field& links, const Field& others, const Queue& queue);
  // to += factor from
  static void add(Field& to, const Field& from, double factor, const Queue& queue);
  static void project(Field& algebra, const Field& matrices, const Queue& queue);
  static void expand(Field& matrices, const Field& algebra, const Queue& queue);
  static void drift(Field& links, const Field& momenta, double step, const Queue& queue);
};

}  // namespace plaq
