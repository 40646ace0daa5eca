#include "kernels/quark/sequential.hpp"

#include "core/algebra/complex.hpp"
#include "core/launch/dispatch.hpp"
#include "kernels/quark/baryon_terms.hpp"
#include "kernels/quark/contraction_launch.hpp"

namespace plaq {
namespace {

SpinProjector dense(const GammaMatrix& g) {
  SpinProjector m{};
  for (std::size_t row = 0; row < 4; ++row) {
    const Complex<double> z = power_of_i(g.phase[row]);
    m[row][row ^ static_cast<std::size_t>(g.flip)] = {z.re, z.im};
  }
  return m;
}

// (1 + gamma_t)/2 g
SpinProjector positive_parity(const GammaMatrix& g) {
  SpinProjector sum = dense(g);
  const SpinProjector other = dense(gamma(3) * g);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) sum[i][j] = 0.5 * (sum[i][j] + other[i][j]);
  return sum;
}

GammaMatrix times_i(GammaMatrix g) {
  for (int& phase : g.phase) phase = (phase + 1) % 4;
  return g;
}

void expect_sequential(const Field& out, const Field& quark, int sink_slice) {
  const Geometry& geometry = quark.geometry();
  require(&out.geometry() == &geometry && out.spec() == quark.spec() &&
              out.precision() == Precision::double_precision && geometry.halo_depth() == 0 &&
              out.subfields() == 12 && out.spec().subset == Subset::full && out.spec().spins == 4,
          "a sequential source and its propagator are no fields of twelve columns in double precision");
  require(sink_slice >= 0 && sink_slice < geometry.global()[3], "a sink that is on no time slice");
}

}  // namespace

SpinProjector unpolarized_projector() { return positive_parity(unit_gamma()); }
SpinProjector polarized_projector() { return positive_parity(times_i(gamma5() * gamma(2))); }

void pion_sequential_source(Field& out, const Field& quark, int sink_slice, const Queue& queue) {
  expect_sequential(out, quark, sink_slice);
  dispatch(out.location(), out.precision(), [&](auto kind) {
    launch_pion_sequential<typename decltype(kind)::target>(quark, out, sink_slice, queue);
  });
  out.touch();
}

void nucleon_sequential_source(Field& out, const Field& up, const Field& down, NucleonQuark quark,
                               const SpinProjector& projector, int sink_slice, const Queue& queue) {
  expect_sequential(out, up, sink_slice);
  expect_sequential(out, down, sink_slice);
  const GammaMatrix g = octet_baryon().products[0].sink.diquark;
  const GammaMatrix sink = transposed(g), source = source_diquark(g);
  NucleonSequentialCall call;
  call.up = &up;
  call.down = &down;
  call.out = &out;
  call.sink_slice = sink_slice;
  call.of_down = quark == NucleonQuark::down;
  call.sink_flip = sink.flip;
  call.source_flip = source.flip;
  for (std::size_t i = 0; i < 4; ++i) {
    call.sink[i] = power_of_i(sink.phase[i]);
    call.source[i] = power_of_i(source.phase[i]);
    for (std::size_t j = 0; j < 4; ++j)
      call.projector[i][j] = {projector[i][j].real(), projector[i][j].imag()};
  }
  dispatch(out.location(), out.precision(),
           [&](auto kind) { launch_nucleon_sequential<typename decltype(kind)::target>(call, queue); });
  out.touch();
}

std::vector<MesonChannel> local_currents() {
  const std::string directions = "xyzt";
  std::vector<MesonChannel> all;
  const auto add = [&](const std::string& name, const GammaMatrix& g) {
    all.push_back({name, {{g, gamma5(), 1}}});
  };
  add("scalar", unit_gamma());
  for (int mu = 0; mu < 4; ++mu)
    add(std::string("vector_") + directions[static_cast<std::size_t>(mu)], gamma(mu));
  for (int mu = 0; mu < 4; ++mu)
    add(std::string("axial_") + directions[static_cast<std::size_t>(mu)], gamma(mu) * gamma5());
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = mu + 1; nu < 4; ++nu)
      add(std::string("tensor_") + directions[static_cast<std::size_t>(mu)] +
              directions[static_cast<std::size_t>(nu)],
          times_i(gamma(mu) * gamma(nu)));
  return all;
}

}  // namespace plaq
