// An operator of your own in the solver: twisted-mass quarks, M = D_W + i mu gamma5.
// D_W is made of shifts.
#include <cmath>
#include <iostream>
#include <plaq/plaq.hpp>

class TwistedMass : public plaq::SpinorOperator {
 public:
  TwistedMass(const plaq::GaugeField& U, double mass, double mu)
      : SpinorOperator(U.lattice()), U_(U), mass_(mass), mu_(mu) {}

  void apply(plaq::SpinorField& out, const plaq::SpinorField& in) override { run(out, in, 1); }
  void apply_dagger(plaq::SpinorField& out, const plaq::SpinorField& in) override { run(out, in, -1); }

 private:
  // D_W = m + 4 - (1/2) sum_mu [(1 - gamma_mu) U_mu(x) psi(x+mu) + (1 + gamma_mu) U_mu(x-mu)^dagger
  // psi(x-mu)]. D_W^dagger has the other signs of gamma_mu.
  void run(plaq::SpinorField& out, const plaq::SpinorField& in, double sign) {
    out = (mass_ + 4) * in;
    for (int mu = 0; mu < 4; ++mu) {
      const auto ahead = plaq::covariant_shift(U_, in, plaq::forward(mu));
      const auto behind = plaq::covariant_shift(U_, in, plaq::backward(mu));
      out -= 0.5 * (ahead + behind);
      out += (0.5 * sign) * (plaq::gamma(mu) * (ahead - behind));
    }
    out += std::complex<double>(0, sign * mu_) * (plaq::gamma5() * in);
  }

  plaq::GaugeField U_;
  double mass_, mu_;
};

int main(int argc, char** argv) {
  plaq::Session session(argc, argv);
  plaq::Lattice lattice(session, {4, 4, 4, 8});
  const auto U = plaq::random_gauge(lattice, 1);
  const double mass = 1;
  plaq::SpinorField b(lattice);
  plaq::HostField<plaq::SiteSpinor> ones(lattice);
  for (const auto& site : lattice.local_sites()) ones[site.index](0) = site.x[3] == 0 ? 1 : 0;
  b.set(ones);

  // Without a twist it is the Wilson operator of plaq with periodic boundaries.
  TwistedMass untwisted(U, mass, 0);
  plaq::DiracOperator wilson(plaq::wilson({.mass = mass, .boundary = {1, 1, 1, 1}}), U);
  plaq::SpinorField mine(lattice), reference(lattice);
  untwisted.apply(mine, b);
  wilson.apply(reference, b);
  const double difference = std::sqrt(norm2(mine - reference)[0] / norm2(reference)[0]);

  TwistedMass twisted(U, mass, 0.3);
  plaq::ColumnsSolved solved;
  const auto x = plaq::solve(twisted, b, {.method = "cg", .tolerance = 1e-10}, &solved);
  twisted.apply(mine, x);
  const double residual = std::sqrt(norm2(b - mine)[0] / norm2(b)[0]);
  if (session.rank() == 0)
    std::cout << "difference " << difference << ", iterations " << solved.iterations[0] << ", residual "
              << residual << '\n';
  return difference < 1e-14 && residual < 1e-9 ? 0 : 1;
}
