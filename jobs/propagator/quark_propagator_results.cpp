#include "jobs/propagator/quark_propagator_results.hpp"

namespace plaq::jobs {

Results describe(const QuarkMomenta& momenta) {
  Results results;
  const std::size_t count = momenta.rows().size();
  std::vector<std::int64_t> n, members, cylinder, cone;
  std::vector<double> p, k, squared, k_squared, vector, scalar;
  for (const QuarkMomenta::Row& row : momenta.rows()) {
    n.insert(n.end(), row.n.begin(), row.n.end());
    p.insert(p.end(), row.p.begin(), row.p.end());
    k.insert(k.end(), row.free.k.begin(), row.free.k.end());
    squared.push_back(row.squared);
    k_squared.push_back(row.free.k_squared());
    members.push_back(row.count);
    cylinder.push_back(row.in_cylinder ? 1 : 0);
    cone.push_back(row.in_cone ? 1 : 0);
    vector.push_back(row.free.vector);
    scalar.push_back(row.free.scalar);
  }
  const std::vector<std::string> axis{"momentum"}, axes{"momentum", "direction"};
  const auto add = [&](const char* name, Dataset::Values values, const char* units, const char* meaning) {
    results.dataset(std::string("/quark_propagator/") + name, {count}, std::move(values),
                    described(axis, units, meaning));
  };
  const auto add_directions = [&](const char* name, Dataset::Values values, const char* units,
                                  const char* meaning) {
    results.dataset(std::string("/quark_propagator/") + name, {count, 4}, std::move(values),
                    described(axes, units, meaning));
  };
  add_directions("n", n, "2 pi / L of each direction",
                 "one of the momenta that are averaged; p has n + 1/2 where the quark is antiperiodic");
  add_directions("p", p, "a^-1", "that momentum");
  add_directions("k", k, "a^-1", "sin p, in space times nu/xi of the action");
  add("p_squared", squared, "a^-2", "sum over directions of p^2");
  add("k_squared", k_squared, "a^-2", "sum over directions of k^2");
  add("count", members, "1", "momenta that are averaged");
  add("in_cylinder", cylinder, "1", "1 where the cylinder cut lets it through");
  add("in_cone", cone, "1", "1 where the cone cut lets it through");
  add("tree_vector", vector, "a^2", "v of S(p) = -i k-slash v + s on unit links");
  add("tree_scalar", scalar, "a", "s of the same");
  results.dataset("/quark_propagator/tree_mass", {}, std::vector<double>{momenta.tree_mass()},
                  described({}, "a^-1", "s/v on unit links at p = 0"));
  return results;
}

void add_quark_propagator(Results& results, const std::vector<QuarkPropagatorPoint>& points) {
  std::vector<double> scalar, vector;
  for (const QuarkPropagatorPoint& point : points) {
    scalar.insert(scalar.end(), {point.scalar.real(), point.scalar.imag()});
    for (const auto& z : point.vector) vector.insert(vector.end(), {z.real(), z.imag()});
  }
  const std::size_t count = points.size();
  results.dataset("/quark_propagator/scalar", {count, 2}, scalar,
                  described({"momentum", "real, imaginary"}, "a", "(1/12) tr S(p)"));
  results.dataset("/quark_propagator/vector", {count, 4, 2}, vector,
                  described({"momentum", "direction", "real, imaginary"}, "a",
                            "(1/12) tr gamma_mu S(p), turned to the momentum n of the row"));
}

}  // namespace plaq::jobs
