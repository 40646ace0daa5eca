#include "tests/support/operators/staggered.hpp"

namespace plaq::test {
namespace {

constexpr auto wide = Precision::double_precision, single = Precision::single_precision,
               half = Precision::half_precision;

OperatorProblem common(const StaggeredProblem& p) {
  OperatorProblem op;
  op.extents = p.links.near.lattice.extents;
  op.name = to_string(op.extents) + (p.improved ? "_improved" : "_one_link");
  op.shape = {1, 1, 3};
  op.bounds = staggered_bounds;
  op.fits = [p](const Geometry& g) { return fits(p, g); };
  return op;
}

Vector hop(const StaggeredProblem& p, const Vector& in) {
  return to_vector(reference::staggered_hop(p.theirs, p.links, from_vector<reference::ColorField>(in)));
}

}  // namespace

const StorageBounds staggered_bounds = {
    {wide, 18, 1.4e-15, 1.4e-16}, {wide, 12, 1.4e-15, 1.4e-16}, {wide, 8, 7e-15, 4.2e-16},
    {single, 18, 4.2e-7, 4.9e-8}, {single, 12, 4.2e-7, 4.9e-8}, {single, 8, 1.4e-6, 8.4e-8},
    {half, 18, 6e-5, 1.4e-5},     {half, 12, 6e-5, 1.4e-5},     {half, 8, 4.2e-4, 2.1e-5},
};

StaggeredProblem make_staggered(const Extents& extents, bool improved, std::array<int, 4> boundary) {
  reference::Generator generator(57);
  const reference::Lattice lattice{extents};
  auto near =
      improved ? reference::random_matrices(lattice, generator) : reference::random_gauge(lattice, generator);
  StaggeredProblem p{improved, {std::move(near), reference::random_gauge(lattice, generator)}, {}, {}};
  p.ours.boundary = p.theirs.boundary = boundary;
  if (improved) p.ours.naik = p.theirs.naik = -0.3;
  set_mass(p, 0.37);
  return p;
}

void set_mass(StaggeredProblem& p, double mass) { p.ours.mass = p.theirs.mass = mass; }

StaggeredHoppingPtr make_hopping(const StaggeredProblem& p, const Setting& s) {
  const Field near = to_plaq(p.links.near, s.geometry, wide, Location::host);
  if (!p.improved)
    return std::make_shared<StaggeredHopping>(s.grid, near, p.ours, s.storage, s.queue, s.carrier(),
                                              p.rotated_parity);
  const Field far = to_plaq(p.links.far, s.geometry, wide, Location::host);
  return std::make_shared<StaggeredHopping>(s.grid, near, far, p.ours, s.storage, s.queue, s.carrier(),
                                            p.rotated_parity);
}

bool fits(const StaggeredProblem& p, const Geometry& g) {
  for (int mu = 0; mu < 4; ++mu)
    if (p.improved && g.partitioned(mu) && g.local()[static_cast<std::size_t>(mu)] < 4) return false;
  return true;
}

OperatorProblem staggered_operator(const StaggeredProblem& p) {
  OperatorProblem op = common(p);
  op.make = [p](const Setting& s) { return std::make_shared<StaggeredOperator>(make_hopping(p, s)); };
  op.image = [p](const Vector& in, bool dagger) {
    return to_vector(reference::staggered(p.theirs, p.links, from_vector<reference::ColorField>(in), dagger));
  };
  // The sign of a site's parity.
  op.gamma5 = [p](Vector v) {
    for (std::size_t i = 0; i < v.size(); ++i)
      if (p.links.near.lattice.parity(static_cast<int>(i / 3)) == 1) v[i] = -v[i];
    return v;
  };
  op.turned = [p](const reference::GaugeTransformation& g) {
    auto other = p;
    other.links = reference::transformed(p.links, g);
    return staggered_operator(other);
  };
  return op;
}

OperatorProblem staggered_complement(const StaggeredProblem& problem, int parity) {
  auto p = problem;
  p.rotated_parity = 1 - parity;
  OperatorProblem op = common(p);
  op.name += parity == 0 ? "_even" : "_odd";
  op.parity = parity;
  op.batch = 3;
  op.bounds = times(2, op.bounds);
  op.make = [=](const Setting& s) {
    return std::make_shared<StaggeredSchur>(make_hopping(p, s), parity, s.batch);
  };
  // m^2 - D_pq D_qp / 4 with both steps written out, and Hermitian.
  const OperatorProblem shape = op;
  op.image = [=](const Vector& in, bool) {
    const Vector here = only(in, shape, parity);
    Vector out(in.size());
    add(out, p.theirs.mass * p.theirs.mass, here);
    add(out, -0.25, only(hop(p, only(hop(p, here), shape, 1 - parity)), shape, parity));
    return out;
  };
  op.full = [=](const Vector& in) {
    return to_vector(reference::staggered(p.theirs, p.links, from_vector<reference::ColorField>(in)));
  };
  op.gamma5 = [](const Vector& v) { return v; };
  // A difference of numbers that are larger by about 1 / m, and of eight times as many terms.
  op.solution_factor = 10;
  op.turn = parity;
  return op;
}

}  // namespace plaq::test
