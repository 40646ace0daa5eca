// A term of the action of your own in hybrid Monte Carlo: S = h sum_x |tr P(x)|^2 of Polyakov loops P, x in
// space, beside the Wilson gauge action where it is deconfined.
#include <cmath>
#include <complex>
#include <iostream>
#include <plaq/plaq.hpp>
#include <vector>

class DoubleTrace : public plaq::ActionTerm {
 public:
  explicit DoubleTrace(double h) : h_(h) {}

  std::string name() const override { return "double_trace"; }

  // Each loop is found on all time slices.
  double value(const plaq::GaugeField& links) override {
    const auto loops = loops_of(links).on_host();
    std::vector<double> numbers;
    for (const auto& site : links.lattice().local_sites())
      numbers.push_back(h_ * std::norm(trace(loops[site.index])) / links.lattice().extents()[3]);
    return exact_sum(links.lattice(), numbers);
  }

  // A variation T of a link in time changes S by 2 h Re (tr P)^* tr(T P) = -2 Re tr(T M).
  void force(plaq::GaugeField& force, const plaq::GaugeField& links) override {
    const auto loops = loops_of(links).on_host();
    plaq::HostField<plaq::ColorMatrix> matrices(links.lattice(), 4);
    for (const auto& site : links.lattice().local_sites())
      matrices(3, site.index) = -h_ * std::conj(trace(loops[site.index])) * loops[site.index];
    force.set(matrices);
  }

 private:
  static plaq::ColorMatrixField loops_of(const plaq::GaugeField& links) {
    const std::vector<plaq::Hop> path(static_cast<std::size_t>(links.lattice().extents()[3]),
                                      plaq::forward(3));
    return plaq::path_product(links, path);
  }

  double h_;
};

int main(int argc, char** argv) {
  plaq::Session session(argc, argv);
  plaq::Lattice lattice(session, {8, 6, 6, 2});
  bool right = true;
  for (const double h : {0.0, 0.2}) {
    plaq::HmcChain chain(plaq::unit_gauge(lattice),
                         {.seed = 1,
                          .gauge = {.beta = 5.5},
                          .time_scales = std::vector<std::string>{"gauge double_trace"},
                          .steps = {8},
                          .integrators = {plaq::Integrator::omelyan4}},
                         {std::make_shared<DoubleTrace>(h)});
    double loop = 0;
    int accepted = 0;
    for (int number = 0; number < 10; ++number) {
      const auto report = chain.trajectory({.always_accept = number < 5});
      accepted += report.accepted ? 1 : 0;
      if (number >= 5) loop += std::abs(polyakov_loop(chain.gauge())) / 5;
    }
    right = right && (h == 0 || std::abs(chain.check_force("double_trace")) < 1e-8);
    if (session.rank() == 0)
      std::cout << "h = " << h << ": " << accepted << " of 10 accepted, <|P|> = " << loop << '\n';
  }
  return right ? 0 : 1;
}
