// The launches behind the chain rule of kernels/gauge/stout_smearer.hpp for one machine, in double precision.
#pragma once

#include "core/field/field.hpp"
#include "kernels/gauge/smearing_launch.hpp"

namespace plaq {

// kernels/site/stout_force.hpp
template <class Target>
struct StoutForceLaunch {
  static void links(Field& force, Field& insertion, const Field& gauge, const StoutCall& call,
                    const Queue& queue);
  static void staples(Field& force, const Field& insertion, const Field& gauge, const StoutCall& call,
                      const Queue& queue);
};

}  // namespace plaq
