#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "core/system/error.hpp"
#include "plaq/hmc.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/copies.hpp"
#include "python/bindings/fields.hpp"
#include "python/bindings/hmc_report.hpp"
#include "python/bindings/keywords.hpp"
#include "python/bindings/own_term.hpp"
#include "settings/action/action_table.hpp"
#include "settings/gauge/gauge_action_table.hpp"
#include "settings/hmc/hmc_tables.hpp"
#include "settings/solver/solver_table.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {

const settings::Schema& hmc_schema() {
  using namespace settings;
  static const Schema schema{"hmc",
                             "Hybrid Monte Carlo.",
                             {{"gauge", "Gauge action.", gauge_action_keys("5.6")},
                              action_table(MassKeys::any, sea_quarks()),
                              action_smearing_table(),
                              {"hmc", "Trajectories.", joined<Key>({trajectory_keys(), {own_terms_key()}})},
                              rational_table(),
                              md_solver_table(),
                              multigrid_table()},
                             joined<Rule>({hmc_rules(), {gauge_action_rule()}})};
  return schema;
}

namespace {

// Keys of [hmc] that are keys of quarks here.
bool is_of_quarks(std::string_view key) {
  return key == "flavours" || key == "pseudofermions" || key == "epsilons";
}

// The argument that is a dict of these keys; empty: keys of the table are arguments.
std::string_view hmc_dict_of(std::string_view table, std::string_view key = {}) {
  if (table == "action" || (table == "hmc" && is_of_quarks(key))) return "quarks";
  if (table == "rational" || table == "solver") return table;
  return dict_of(table);
}

// Tables of hmc jobs are dicts here, but for [gauge] and [hmc].
class HmcWording final : public Wording {
 public:
  std::string key(std::string_view table, std::string_view key) const override {
    const auto dict = hmc_dict_of(table, key);
    return dict.empty() ? call_wording().key(table, key) : fmt::format("key '{}' of {}", key, dict);
  }
  std::string place(std::string_view table) const override {
    const auto dict = hmc_dict_of(table);
    return dict.empty() ? std::string() : fmt::format(" of {}", dict);
  }
  std::string setting(std::string_view table, std::string_view key, std::string_view value) const override {
    return fmt::format("{} = {}{}", key, this->value(value), place(table));
  }
  std::string value(std::string_view text) const override { return call_wording().value(text); }
  bool has_lines() const override { return false; }
};

Keywords keywords_of(const nb::dict& keys) {
  nb::dict arguments;  // of [gauge] and [hmc], and dicts whose names every call has
  Keywords all;
  for (const auto& [name, value] : keys) {
    const auto key = nb::cast<std::string>(name);
    if (key != "quarks" && key != "rational" && key != "solver") {
      arguments[name] = value;
      continue;
    }
    if (value.is_none()) continue;
    if (!nb::isinstance<nb::dict>(value)) refuse_argument(key, "a dict of keys", value);
    if (key != "quarks") {
      all.add(key, nb::cast<nb::dict>(value));
      continue;
    }
    nb::dict action, numbers;
    for (const auto& [inner, number] : nb::cast<nb::dict>(value))
      (is_of_quarks(nb::cast<std::string>(inner)) ? numbers : action)[inner] = number;
    all.add("action", action).add("hmc", numbers);
  }
  return all.add(hmc_schema(), {"gauge", "hmc", "action_smearing", "multigrid"}, arguments);
}

HmcChain made_chain(const GaugeField& gauge, std::uint64_t seed, nb::handle objects,
                    std::int64_t trajectories, const nb::kwargs& keys) {
  const std::vector<ActionTermPtr> terms = terms_of(objects);  // outlives the call
  static const HmcWording words;
  const WordingScope scope(words);
  nb::list names;
  for (const ActionTermPtr& term : terms) names.append(term->name());
  nb::dict own;
  own["terms"] = names;
  const auto settings = keywords_of(keys).add("hmc", own).read(hmc_schema(), "HMC()");
  const HmcSetup setup = settings::hmc_setup(settings);
  const Call call = call_on(gauge);
  return HmcChain(gauge, setup, seed, terms, trajectories);
}

// Ctrl-C ends a trajectory between two updates of links or momenta.
NamedReport run_trajectory(HmcChain& chain, bool always_accept, bool check_reversibility) {
  const Call call = call_on(chain.lattice());
  const StopRequest stop;
  const InterruptibleWork work([&](const Communicator& ranks) {
    if (const int signal = stop.anywhere(ranks); signal != 0)
      throw_stopped(signal,
                    fmt::format("the chain is as it was after {} trajectories", chain.trajectories()));
  });
  return {chain.trajectory({always_accept, check_reversibility}), chain.terms()};
}

}  // namespace

void bind_hmc(nb::module_& module) {
  bind_hmc_report(module);
  nb::class_<HmcChain> chain(
      module, "HMC",
      "A Markov chain of gauge fields by hybrid Monte Carlo, with sea quarks and with terms\n"
      "of the action that are written in Python. The bits are those of hmc jobs, on any\n"
      "process grid.");
  chain
      .def(
          "__init__",
          [](HmcChain* self, const GaugeField& gauge, std::uint64_t seed, nb::handle terms,
             std::int64_t trajectories, const nb::kwargs& keys) {
            new (self) HmcChain(made_chain(gauge, seed, terms, trajectories, keys));
          },
          "gauge"_a, "seed"_a, "terms"_a = nb::tuple(), "trajectories"_a = 0, "keys"_a,
          nb::sig("def __init__(self, gauge: GaugeField, seed: int, terms: Sequence[Any] = (), trajectories: "
                  "int = "
                  "0, **keys: Any) -> None"),
          "Starts from a copy of `gauge`, which has had `trajectories` trajectories of this\n"
          "chain. Keys are those of [gauge] (action, beta, ...) and [hmc] (steps, integrators,\n"
          "...) of hmc jobs; quarks, smearing, rational, solver and multigrid are dicts of\n"
          "keys as in [action] with `flavours`, `pseudofermions` and `epsilons`, [action_smearing], "
          "[rational],\n"
          "[solver] and [multigrid].\n\n"
          "terms: objects with `name`, action(links) and force(links), and if they have\n"
          "pseudofermions draw(links, seed, trajectory). `links` is a GaugeField. action()\n"
          "returns an array of real numbers of this rank, which plaq adds up over all ranks,\n"
          "or a number that is the same on all ranks. force() returns 3x3 matrices M in the\n"
          "shape of links.array() in either order, of which plaq takes F = (M - M^dagger)/2\n"
          "without its trace: dS/de = -2 sum of tr(T F) under U -> exp(e T) U, dP/dt = -F.\n"
          "Collective.")
      .def("trajectory", &run_trajectory, "always_accept"_a = false, "check_reversibility"_a = false,
           "One trajectory. always_accept: accepts it whatever dH is, so that a rough start can\n"
           "relax. check_reversibility: integrates back as well, which takes as long again. If\n"
           "a term raises an exception, or Ctrl-C stops the call, the chain keeps its links.\n"
           "Collective.")
      .def_prop_ro(
          "gauge", [](const HmcChain& c) { return in_call(c.lattice(), [&] { return c.gauge(); }); },
          "A copy of the current field.")
      .def_prop_ro("trajectories", &HmcChain::trajectories,
                   "Number of trajectories so far, rejected ones included.")
      .def_prop_ro("terms", &HmcChain::terms,
                   "Names of the terms of the action, those of the slowest time scale first.")
      .def(
          "action",
          [](HmcChain& c, const std::string& term) {
            return in_call(c.lattice(), [&] { return c.action(term); });
          },
          "term"_a,
          "S of a term at the current links. Pseudofermions are those of the next trajectory.\n"
          "Collective.")
      .def(
          "force",
          [](HmcChain& c, const std::string& term, const std::string& order) {
            const PackedOrder packed = packed_order(order);
            const GaugeField force = [&] { return in_call(c.lattice(), [&] { return c.force(term); }); }();
            return array_of(force.field(), packed, queue_of(force));
          },
          "term"_a, "order"_a = "even-odd",
          "F of a term at the current links, traceless antihermitian 3x3 matrices in the shape\n"
          "of gauge.array(order), with dP/dt = -F. Pseudofermions are those of the next\n"
          "trajectory. Collective.")
      .def(
          "check_force",
          [](HmcChain& c, const std::string& term, double step) {
            return in_call(c.lattice(), [&] { return c.check_force(term, step); });
          },
          "term"_a, "step"_a = 8e-3,
          "Relative deviation of the force of a term from the derivative of its action along a\n"
          "random direction of all links, by central differences of eighth order in `step`: 0\n"
          "but for rounding and the accuracy of solves. Collective.")
      .def("__repr__", [](const HmcChain& c) {
        return fmt::format("plaq.HMC({} after {} trajectories)", to_string(c.lattice().extents()),
                           c.trajectories());
      });
  refuse_pickle(chain,
                "an HMC is on the ranks and in the memory of its process: write its gauge, and make a chain "
                "of it with trajectories = its trajectories");
}

}  // namespace plaq::python
