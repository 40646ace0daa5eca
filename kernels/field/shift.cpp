#include "kernels/field/shift.hpp"

#include <algorithm>

#include "comms/halo/extended_halo.hpp"
#include "core/field/stored_sites.hpp"
#include "core/launch/dispatch.hpp"

namespace plaq {
namespace {

constexpr int at_once = HaloPlanes::most_subfields;  // subfields of one exchange

void launch(Field& out, const Field& in, const ShiftCall& call, const Queue& queue) {
  dispatch(in.location(), in.precision(), [&](auto kind) {
    using K = decltype(kind);
    FieldLaunch<typename K::target, typename K::scalar>::shift(out, in, call, queue);
  });
}

// Shifts at most `at_once` subfields.
void shift_part(const ProcessGrid& grid, Field& out, const Field& in, ShiftCall call, const Queue& queue,
                const std::shared_ptr<Transport>& transport) {
  const GeometryPtr extended = in.geometry().extended(1);
  Field wide(extended, in.spec()), shifted(extended, in.spec());
  copy(wide, in);
  ExtendedHaloContent content;
  content.subfields = (1u << in.subfields()) - 1;
  content.directions = 1u << call.mu;
  ExtendedHalo(grid, extended, in.spec(), transport).exchange(wide, queue, content);
  launch(shifted, wide, call, queue);
  queue.synchronize();
  copy(out, shifted);
}

void shift_all(const ProcessGrid& grid, Field& out, const Field& in, const ShiftCall& call,
               const Queue& queue, const std::shared_ptr<Transport>& transport) {
  require(
      out.spec() == in.spec() && out.geometry_ptr() == in.geometry_ptr() && in.geometry().halo_depth() == 0,
      "a shift between fields that differ");
  require(call.mu >= 0 && call.mu < 4, "a shift in a direction that there is not");
  queue.synchronize();
  if (in.subfields() <= at_once) {
    shift_part(grid, out, in, call, queue, transport);
  } else {
    for (int first = 0; first < in.subfields(); first += at_once) {
      FieldSpec spec = in.spec();
      spec.Ls = 1;
      spec.subfields = std::min(at_once, in.subfields() - first);
      Field from(in.geometry_ptr(), spec), to(in.geometry_ptr(), spec);
      for (int i = 0; i < spec.subfields; ++i) copy_subfield(from, i, in, first + i);
      shift_part(grid, to, from, call, queue, transport);
      for (int i = 0; i < spec.subfields; ++i) copy_subfield(out, first + i, to, i);
    }
  }
  out.touch();
}

}  // namespace

void shift(const ProcessGrid& grid, Field& out, const Field& in, int mu, bool forward, const Queue& queue,
           const std::shared_ptr<Transport>& transport) {
  shift_all(grid, out, in, {nullptr, mu, forward}, queue, transport);
}

void covariant_shift(const ProcessGrid& grid, Field& out, const Field& in, const Field& gauge, int mu,
                     bool forward, const Queue& queue, const std::shared_ptr<Transport>& transport) {
  require(gauge.geometry().halo_depth() == 0, "a covariant shift takes links without halo");
  const GeometryPtr extended = in.geometry().extended(1);
  Field links(extended, gauge_spec(in.precision(), in.location()));
  copy(links, gauge);
  ExtendedHaloContent content;
  content.subfields = 1u << mu;
  content.directions = 1u << mu;
  ExtendedHalo(grid, extended, links.spec(), transport).exchange(links, queue, content);
  shift_all(grid, out, in, {&links, mu, forward}, queue, transport);
}

void multiply_spins(Field& out, const GammaMatrix& gamma, const Field& in, const Queue& queue) {
  require(out.spec() == in.spec() && in.spec().spins == 4,
          "a product of gamma matrices with fields of another kind");
  dispatch(in.location(), in.precision(), [&](auto kind) {
    using K = decltype(kind);
    FieldLaunch<typename K::target, typename K::scalar>::multiply_spins(out, gamma, in, queue);
  });
  out.touch();
}

}  // namespace plaq
