// A Wilson operator on small weak random links in both precisions, with sources.
#pragma once

#include "kernels/dirac/wilson/wilson.hpp"
#include "solvers/solver.hpp"
#include "tests/reference/wilson.hpp"
#include "tests/support/convert.hpp"

namespace plaq::test {

using Batch = std::vector<reference::SpinorField>;

inline Batch random_sources(const Extents& extents, int batch, unsigned seed = 3) {
  reference::Generator generator(seed);
  return reference::random_spinors({extents}, batch, generator);
}

inline reference::GaugeField weak_links(const Extents& extents, double disorder = 0.3) {
  reference::Generator generator(7);
  return reference::weak_gauge({extents}, generator, disorder);
}

class WilsonSystem {
 public:
  WilsonSystem(const ProcessGrid& grid, const Extents& extents, const Batch& b, double mass = 0.05,
               double disorder = 0.3, Location location = Location::host, std::uint32_t forced = 0,
               std::shared_ptr<Transport> transport = nullptr, std::shared_ptr<Profiler> profiler = nullptr)
      : WilsonSystem(grid, extents, b, mass, disorder, Queue(location, nullptr, profiler), forced,
                     std::move(transport)) {}
  WilsonSystem(const ProcessGrid& grid, const Extents& extents, const Batch& b, double mass, double disorder,
               const Queue& queue, std::uint32_t forced, std::shared_ptr<Transport> transport = nullptr)
      : grid(grid),
        geometry(grid.geometry(extents, forced)),
        queue(queue),
        transport(transport != nullptr ? std::move(transport) : make_host_transport(grid, queue.location())) {
    const Location location = queue.location();
    const Field gauge =
        to_plaq(weak_links(extents, disorder), geometry, Precision::double_precision, Location::host);
    WilsonParameters parameters;
    parameters.mass = mass;
    const auto make = [&](Precision precision) {
      return std::make_shared<WilsonHopping>(grid, gauge, parameters, precision, queue, this->transport);
    };
    hopping[0] = make(Precision::double_precision), hopping[1] = make(Precision::single_precision);
    in_double = std::make_unique<WilsonOperator>(hopping[0]);
    in_single = std::make_unique<WilsonOperator>(hopping[1]);
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
  std::shared_ptr<Transport> transport;
  WilsonHoppingPtr hopping[2];  // in double and in single precision
  std::unique_ptr<WilsonOperator> in_double, in_single;
  Field source;
};

}  // namespace plaq::test
