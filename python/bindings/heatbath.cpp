#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>

#include "core/system/error.hpp"
#include "plaq/heatbath.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/copies.hpp"
#include "python/bindings/fields.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

// One sweep after the other, so that Ctrl-C ends the update between two of
// them. The chain goes on from there.
void update(HeatbathChain& chain, int sweeps) {
  if (sweeps < 0) throw Error(ErrorKind::usage, "argument 'sweeps': expected at least 0");
  const Call call = call_on(chain.lattice());
  const StopRequest stop;
  for (int i = 0; i < sweeps; ++i) {
    chain.update();
    if (const int signal = stop.anywhere(python_lattice(chain.lattice()).ranks()); signal != 0)
      throw_stopped(signal, "the chain has had " + std::to_string(chain.sweeps()) + " sweeps");
  }
}

}  // namespace

void bind_heatbath(nb::module_& module) {
  nb::class_<HeatbathChain> chain(
      module, "HeatbathChain",
      "A Markov chain of quenched gauge fields of the Wilson action or an improved one, by\n"
      "pseudo-heatbath in SU(2) subgroups and overrelaxation. The bits are those of\n"
      "generate jobs, on any process grid.");
  chain
      .def(
          "__init__",
          [](HeatbathChain* self, const GaugeField& gauge, double beta, std::uint64_t seed, int heatbath,
             int overrelaxation, int reunitarize_every, std::int64_t sweeps, const std::string& action,
             std::optional<double> c1, std::optional<double> u0, std::optional<int> flavours,
             std::optional<double> anisotropy) {
            const Call call = call_on(gauge);
            new (self) HeatbathChain(gauge,
                                     {beta, seed, heatbath, overrelaxation, reunitarize_every, action, c1, u0,
                                      flavours, anisotropy},
                                     sweeps);
          },
          "gauge"_a, "beta"_a, "seed"_a, "heatbath"_a = 1, "overrelaxation"_a = 4, "reunitarize_every"_a = 10,
          "sweeps"_a = 0, "action"_a = "wilson", "c1"_a = nb::none(), "u0"_a = nb::none(),
          "flavours"_a = nb::none(), "anisotropy"_a = nb::none(),
          "Starts from a copy of `gauge`, which has had `sweeps` compound sweeps of this\n"
          "chain. A compound sweep has `heatbath` and `overrelaxation` sweeps of each kind;\n"
          "links are projected onto SU(3) every `reunitarize_every` of them. `action`, c1, u0,\n"
          "flavours and anisotropy are those of [gauge] in generate jobs. Collective.")
      .def("update", &update, "sweeps"_a = 1, "Does this number of compound sweeps. Collective.")
      .def_prop_ro(
          "gauge", [](const HeatbathChain& c) { return in_call(c.lattice(), [&] { return c.gauge(); }); },
          "A copy of the current field.")
      .def_prop_ro("sweeps", &HeatbathChain::sweeps, "Number of compound sweeps so far.")
      .def("__repr__", [](const HeatbathChain& c) {
        return "plaq.HeatbathChain(" + to_string(c.lattice().extents()) + " after " +
               std::to_string(c.sweeps()) + " sweeps)";
      });
  refuse_pickle(chain,
                "a HeatbathChain is on the ranks and in the memory of its process: write its gauge, and make "
                "a chain of it with sweeps = its sweeps");
}

}  // namespace plaq::python
