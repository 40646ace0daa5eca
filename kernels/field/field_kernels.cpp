#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/field/shift.hpp"
#include "kernels/site/shift.hpp"

namespace plaq {
namespace {

template <class Target, class T, int Spins>
VectorsOfField<Target, T, Spins> vectors_of(const Field& field) {
  VectorsOfField<Target, T, Spins> vectors;
  for (int parity = 0; parity < 2; ++parity) {
    if constexpr (Spins == 4)
      vectors.views[parity] = spinor_view<Target, T>(field, parity);
    else
      vectors.views[parity] = staggered_view<Target, T>(field, parity);
  }
  return vectors;
}

template <class Target, class T, class Values>
void run_shift(const Values& out, const Values& in, const Field& field, const ShiftCall& call,
               const Queue& queue) {
  ShiftStep<Target, T, Values> step{
      LatticeView<Target, T>(field.geometry()), {}, in, out, call.mu, call.forward, call.links != nullptr, 0};
  if (call.links != nullptr) step.links = gauge_view<Target, T>(*call.links);
  for (step.parity = 0; step.parity < 2; ++step.parity)
    for_each(make_domain(field.geometry(), Region::all, step.parity, location_of<Target>, field.subfields()),
             queue, step);
}

}  // namespace

template <class Target, class T>
void FieldLaunch<Target, T>::shift(Field& out, const Field& in, const ShiftCall& call, const Queue& queue) {
  switch (in.spec().spins) {
    case 4:
      return run_shift<Target, T>(vectors_of<Target, T, 4>(out), vectors_of<Target, T, 4>(in), in, call,
                                  queue);
    case 3:
      return run_shift<Target, T>(gauge_view<Target, T>(out), gauge_view<Target, T>(in), in, call, queue);
    default:
      return run_shift<Target, T>(vectors_of<Target, T, 1>(out), vectors_of<Target, T, 1>(in), in, call,
                                  queue);
  }
}

template <class Target, class T>
void FieldLaunch<Target, T>::multiply_spins(Field& out, const GammaMatrix& gamma, const Field& in,
                                            const Queue& queue) {
  constexpr T re[4] = {1, 0, -1, 0}, im[4] = {0, 1, 0, -1};
  for (int parity = 0; parity < 2; ++parity) {
    SpinMultiply<Target, T> step{
        spinor_view<Target, T>(in, parity), spinor_view<Target, T>(out, parity), gamma.flip, {}, {}};
    for (int r = 0; r < 4; ++r) {
      step.re[r] = re[gamma.phase[static_cast<std::size_t>(r)]];
      step.im[r] = im[gamma.phase[static_cast<std::size_t>(r)]];
    }
    for_each(make_domain(in.geometry(), Region::all, parity, location_of<Target>, in.subfields()), queue,
             step);
  }
}

template struct FieldLaunch<BuildTarget, float>;
template struct FieldLaunch<BuildTarget, double>;

}  // namespace plaq
