// A gauge functional and an update of your own: an anisotropic Landau gauge,
// F = sum_x,mu w_mu Re tr U_mu(x) / (3 V sum_mu w_mu), by steepest descent (Davies et al., Phys. Rev. D 37
// (1988) 1581).
#include <cmath>
#include <iostream>
#include <plaq/plaq.hpp>

namespace {

using plaq::ColorMatrix;
constexpr double weights[4] = {1, 1, 1, 2};

ColorMatrix antihermitian_traceless(const ColorMatrix& m) {
  ColorMatrix a = std::complex<double>(0.5) * (m - adjoint(m));
  const auto mean = trace(a) / 3.0;
  for (int i = 0; i < 3; ++i) a(i, i) -= mean;
  return a;
}

ColorMatrix exponential(const ColorMatrix& a) {
  ColorMatrix sum = plaq::unit<3>(), term = sum;
  for (int n = 1; n <= 20; ++n) sum += term = std::complex<double>(1.0 / n) * (term * a);
  return sum;
}

// F, and theta = sum_x |Delta(x)|^2 / (3 V), both over all ranks.
struct Quality {
  double functional, theta;
};

}  // namespace

int main(int argc, char** argv) {
  plaq::Session session(argc, argv);
  plaq::Lattice lattice(session, {4, 4, 4, 8});
  plaq::HeatbathChain chain(plaq::unit_gauge(lattice), {.beta = 6.0, .seed = 1});
  chain.update(10);
  auto U = chain.gauge();

  Quality q{};
  int iterations = 0;
  const double norm = 3 * static_cast<double>(lattice.volume());
  for (; iterations < 2000; ++iterations) {
    std::vector<plaq::HostField<ColorMatrix>> behind;  // behind[mu](nu, x) = U_nu(x - mu)
    for (int mu = 0; mu < 4; ++mu) behind.push_back(plaq::shift(U, plaq::backward(mu)).on_host());
    const auto links = U.on_host();
    plaq::HostField<std::complex<double>> functional(lattice), theta(lattice);
    plaq::HostField<ColorMatrix> update(lattice);
    for (const auto& site : lattice.local_sites()) {
      ColorMatrix delta;  // sum_mu w_mu [U_mu(x - mu) - U_mu(x)], antihermitian and traceless
      for (int mu = 0; mu < 4; ++mu) {
        delta += std::complex<double>(weights[mu]) * (behind[mu](mu, site.index) - links(mu, site.index));
        functional[site.index] += weights[mu] * trace(links(mu, site.index)).real() / (5 * norm);
      }
      delta = antihermitian_traceless(delta);
      theta[site.index] = trace(delta * adjoint(delta)) / norm;
      update[site.index] = exponential(std::complex<double>(0.08) * delta);
    }
    q = {};
    for (const auto& c : plaq::momentum_sum(functional)) q.functional += c.real();
    for (const auto& c : plaq::momentum_sum(theta)) q.theta += c.real();
    if (q.theta < 1e-8) break;
    plaq::ColorMatrixField g(lattice);
    g.set(update);
    U = plaq::transformed(U, g);
  }
  if (session.rank() == 0)
    std::cout << "F = " << q.functional << ", theta = " << q.theta << " after " << iterations
              << " iterations\n";
  return q.theta < 1e-8 ? 0 : 1;
}
