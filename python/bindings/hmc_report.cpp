#include "python/bindings/hmc_report.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <tuple>

#include "python/bindings/copies.hpp"

namespace nb = nanobind;

namespace plaq::python {
namespace {

using EnergyState = std::tuple<std::string, double, double>;
using ForceState = std::tuple<std::string, int, std::int64_t, double, double>;
using SecondsState =
    std::tuple<double, double, double, double, double, double, std::vector<double>, std::vector<double>>;
using State =
    std::tuple<std::uint32_t, double, double, bool, std::vector<EnergyState>, std::vector<ForceState>,
               std::vector<std::int64_t>, std::optional<std::tuple<double, double>>, std::string,
               std::vector<std::string>, SecondsState>;

State state_of(const NamedReport& named) {
  const TrajectoryReport& r = named.report;
  std::vector<EnergyState> energies;
  for (const EnergyChange& one : r.energies) energies.emplace_back(one.name, one.start, one.end);
  std::vector<ForceState> forces;
  for (const ForceRecord& one : r.forces)
    forces.emplace_back(one.monomial, one.level, one.count, one.mean_square, one.largest);
  std::optional<std::tuple<double, double>> back;
  if (r.reversibility) back.emplace(r.reversibility->links, r.reversibility->energy);
  const TrajectorySeconds& s = r.seconds;
  const SecondsState seconds{s.links,      s.setups, s.metropolis, s.reversibility,
                             s.checkpoint, s.other,  s.forces,     s.solves};
  return {r.number,     r.delta_h, r.acceptance, r.accepted,  energies, forces,
          r.iterations, back,      r.failure,    named.terms, seconds};
}

NamedReport report_of(const State& state) {
  NamedReport named;
  TrajectoryReport& r = named.report;
  std::vector<EnergyState> energies;
  std::vector<ForceState> forces;
  std::optional<std::tuple<double, double>> back;
  SecondsState seconds;
  std::tie(r.number, r.delta_h, r.acceptance, r.accepted, energies, forces, r.iterations, back, r.failure,
           named.terms, seconds) = state;
  TrajectorySeconds& s = r.seconds;
  std::tie(s.links, s.setups, s.metropolis, s.reversibility, s.checkpoint, s.other, s.forces, s.solves) =
      seconds;
  for (const auto& [name, start, end] : energies) r.energies.push_back({name, start, end});
  for (const auto& [name, level, count, mean_square, largest] : forces)
    r.forces.push_back({name, level, count, mean_square, largest});
  if (back) r.reversibility = Reversibility{std::get<0>(*back), std::get<1>(*back)};
  return named;
}

nb::dict energies_of(const NamedReport& named) {
  nb::dict all;
  for (const EnergyChange& one : named.report.energies)
    all[nb::str(one.name.c_str())] = nb::make_tuple(one.start, one.end);
  return all;
}

nb::dict forces_of(const NamedReport& named) {
  nb::dict all;
  for (const ForceRecord& one : named.report.forces) {
    nb::dict sizes;
    sizes["rms"] = std::sqrt(one.mean_square);
    sizes["largest"] = one.largest;
    sizes["count"] = one.count;
    all[nb::str(one.monomial.c_str())] = sizes;
  }
  return all;
}

nb::dict iterations_of(const NamedReport& named) {
  nb::dict all;
  for (std::size_t k = 0; k < named.report.iterations.size(); ++k)
    all[nb::str(named.terms.at(k).c_str())] = named.report.iterations[k];
  return all;
}

nb::dict seconds_of(const NamedReport& named) {
  nb::dict all;
  for (const auto& [part, seconds] : named_seconds(named.report.seconds, named.terms))
    all[nb::str(part.c_str())] = seconds;
  return all;
}

nb::object reversibility_of(const NamedReport& named) {
  if (!named.report.reversibility) return nb::none();
  nb::dict both;
  both["links"] = named.report.reversibility->links;
  both["energy"] = named.report.reversibility->energy;
  return both;
}

}  // namespace

void bind_hmc_report(nb::module_& module) {
  nb::class_<NamedReport> report(module, "TrajectoryReport", "Numbers of one trajectory of HMC.");
  def_own_copies(report);
  report.def("__getstate__", &state_of);
  report.def("__setstate__",
             [](NamedReport& self, const State& state) { new (&self) NamedReport(report_of(state)); });
  report
      .def_prop_ro(
          "trajectory", [](const NamedReport& r) { return std::int64_t{r.report.number} + 1; },
          "Number of the trajectory in its chain, from 1 on.")
      .def_prop_ro(
          "delta_h", [](const NamedReport& r) { return r.report.delta_h; },
          "dH = H(end) - H(start); not a number if molecular dynamics failed.")
      .def_prop_ro(
          "acceptance", [](const NamedReport& r) { return r.report.acceptance; }, "min(1, exp(-dH)).")
      .def_prop_ro(
          "accepted", [](const NamedReport& r) { return r.report.accepted; }, "True if the links are new.")
      .def_prop_ro("energies", &energies_of, nb::sig("def energies(self) -> dict[str, tuple[float, float]]"),
                   "Parts of H at start and end, by name: \"kinetic\" and the terms.")
      .def_prop_ro("forces", &forces_of, nb::sig("def forces(self) -> dict[str, dict[str, Any]]"),
                   "By term: \"rms\" and \"largest\" |F| = sqrt(F^a F^a) of a link, F = (i/2) F^a\n"
                   "lambda^a, and \"count\", how many forces were computed.")
      .def_prop_ro("iterations", &iterations_of, nb::sig("def iterations(self) -> dict[str, int]"),
                   "Iterations of the solves of each term.")
      .def_prop_ro(
          "seconds", &seconds_of, nb::sig("def seconds(self) -> dict[str, float]"),
          "Seconds of its parts on this rank: \"links\", \"setups\" of multigrid, \"metropolis\",\n"
          "\"reversibility\", \"checkpoint\", \"other\", and \"force_TERM\" and \"solves_TERM\" of each\n"
          "term. They differ from run to run.")
      .def_prop_ro("reversibility", &reversibility_of,
                   nb::sig("def reversibility(self) -> dict[str, float] | None"),
                   "Deviations behind the way back if it was asked for: \"links\", the largest |dU| of\n"
                   "a link, and \"energy\", |dH|.")
      .def_prop_ro(
          "failure",
          [](const NamedReport& r) -> std::optional<std::string> {
            if (r.report.failure.empty()) return std::nullopt;
            return r.report.failure;
          },
          "Reason for which a solve failed; the trajectory is rejected then.")
      .def("__repr__", [](const NamedReport& r) {
        return fmt::format("plaq.TrajectoryReport({}, dH {:.6g}, {})", r.report.number + 1, r.report.delta_h,
                           r.report.accepted ? "accepted" : "rejected");
      });
}

}  // namespace plaq::python
