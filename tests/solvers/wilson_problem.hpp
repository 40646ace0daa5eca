// A Wilson operator on a small random lattice in both precisions, with sources.
#pragma once

#include "kernels/dirac/wilson/wilson.hpp"
#include "solvers/solver.hpp"
#include "tests/reference/gauge.hpp"
#include "tests/support/convert.hpp"

namespace plaq::test {

inline std::vector<reference::SpinorField> random_sources(const Extents& extents, int batch,
                                                          unsigned seed = 3) {
  reference::Generator generator(seed);
  std::vector<reference::SpinorField> b;
  for (int i = 0; i < batch; ++i) b.push_back(reference::random_spinor({extents}, generator));
  return b;
}

class WilsonProblem {
 public:
  WilsonProblem(const ProcessGrid& grid, const Extents& extents, const std::vector<reference::SpinorField>& b,
                double mass = 0.05, double disorder = 0.3, Location location = Location::host,
                std::uint32_t forced = 0, std::shared_ptr<Transport> transport = nullptr,
                std::shared_ptr<Profiler> profiler = nullptr)
      : grid(grid), geometry(grid.geometry(extents, forced)), queue(location, nullptr, profiler) {
    reference::Generator generator(7);
    const auto links = reference::weak_gauge({extents}, generator, disorder);
    const Field gauge = to_plaq(links, geometry, Precision::double_precision, Location::host);
    WilsonParameters parameters;
    parameters.mass = mass;
    if (transport == nullptr) transport = make_host_transport(grid, location);
    const auto hopping = [&](Precision precision) {
      return std::make_shared<WilsonHopping>(grid, gauge, parameters, precision, queue, transport);
    };
    in_double = std::make_unique<WilsonOperator>(hopping(Precision::double_precision));
    in_single = std::make_unique<WilsonOperator>(hopping(Precision::single_precision));
    source = to_plaq(b, geometry, Subset::full, Precision::double_precision, location);
  }
  Field zero() const { return Field(geometry, source.spec()); }
  int batch() const { return source.subfields(); }
  WilsonOperator& inner(Precision precision) {
    return precision == Precision::double_precision ? *in_double : *in_single;
  }

  const ProcessGrid& grid;
  GeometryPtr geometry;
  Queue queue;
  std::unique_ptr<WilsonOperator> in_double, in_single;
  Field source;
};

}  // namespace plaq::test
