#include "python/bindings/momenta.hpp"

#include "python/bindings/arguments.hpp"
#include "python/bindings/arrays.hpp"

namespace nb = nanobind;

namespace plaq::python {

Momenta::Momenta(nb::handle given) {
  if (PySequence_Check(given.ptr()) != 0)
    for (nb::handle one : nb::list(given)) list = list || nb::hasattr(one, "__len__");
  if (!list)
    all = {momentum_of(given)};
  else
    for (nb::handle one : nb::list(given)) all.push_back(momentum_of(one));
}

nb::object array_of_momenta(const std::vector<Correlator>& found, const Momenta& momenta) {
  std::vector<std::complex<double>> numbers;
  for (const auto& one : found) numbers.insert(numbers.end(), one.begin(), one.end());
  std::vector<std::size_t> shape = {found.size(), found.front().size()};
  if (!momenta.list) shape.erase(shape.begin());
  return numpy_of(numbers, shape);
}

}  // namespace plaq::python
