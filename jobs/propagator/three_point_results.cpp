#include "jobs/propagator/three_point_results.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "jobs/propagator/propagator_keys.hpp"

namespace plaq::jobs {
namespace {

std::string formula_of(Insertion insertion) {
  const std::string c3 = "C3(t) = sum_y exp(-i q (y - x_source)) ",
                    at = " at the sink time, p = 0, connected";
  if (insertion == Insertion::pion)
    return c3 + "<P(sink) J(y, t) P^dagger(source)>, J = qbar Gamma q of the quark that runs forward," + at;
  const bool polarized = insertion == Insertion::up_polarized || insertion == Insertion::down_polarized;
  const bool up = insertion == Insertion::up || insertion == Insertion::up_polarized;
  return fmt::format(
      "{}tr[P <chi(sink) J(y, t) chibar(source)>], J = {} Gamma {}, chi = eps (u^T C gamma5 d) u, P = {},{}; "
      "the boundary's sign in time is taken out as of C(t)",
      c3, up ? "ubar" : "dbar", up ? "u" : "d",
      polarized ? "(1 + gamma_t)/2 i gamma5 gamma_z" : "(1 + gamma_t)/2", at);
}

}  // namespace

ThreePointSettings three_point_settings(const JobFile& job, const Extents& extents) {
  const auto keys = job.get<ThreePointKeys>();
  ThreePointSettings settings{{}, keys.sink_time, keys.smeared_sink};
  for (const std::string& word : keys.insertions) settings.insertions.push_back(insertion_of(word));
  if (keys && keys.sink_time >= extents[3])
    throw Error(
        ErrorKind::job_file,
        fmt::format("{}: [three_point] sink_time {} is not on the lattice {}: time slices from the source "
                    "are 1 to {}",
                    job.file(), keys.sink_time, to_string(extents), extents[3] - 1));
  return settings;
}

void add_three_point(Results& results, const ThreePointFunctions& found, const ThreePoints& of,
                     const std::string& summed) {
  const std::string group =
      fmt::format("/three_point/{}", insertion_names[static_cast<std::size_t>(found.insertion)]);
  results.dataset(
      group + "/true_residual", {found.true_residuals.size()}, found.true_residuals,
      described({"column"}, "1", "||b - M x|| / ||b|| of the sequential propagator, as of /solves"));
  for (std::size_t current = 0; current < found.values.size(); ++current)
    for (std::size_t momentum = 0; momentum < of.momenta().size(); ++momentum) {
      const Momentum& n = of.momenta()[momentum];
      const auto& values = found.values[current][momentum];
      std::vector<double> parts;
      for (const auto& c : values) parts.insert(parts.end(), {c.real(), c.imag()});
      results.dataset(fmt::format("{}/{}/p_{}_{}_{}", group, of.currents()[current].name, n[0], n[1], n[2]),
                      {values.size(), 2}, std::move(parts),
                      {{"axes", std::vector<std::string>{"t", "real, imaginary"}},
                       {"units", std::string("lattice units")},
                       {"momentum", std::vector<std::int64_t>(n.begin(), n.end())},
                       {"momentum_units", std::string("2 pi / L of each direction: x, y, z")},
                       {"normalization", fmt::format("{}, summed {}, no volume factor, bare current",
                                                     formula_of(found.insertion), summed)},
                       {"sink", std::string(of.settings().smeared_sink ? "smeared" : "point")},
                       {"sink_time", std::int64_t{of.settings().sink_time}},
                       {"t", std::string("of the current, counts from the source")}});
    }
}

}  // namespace plaq::jobs
