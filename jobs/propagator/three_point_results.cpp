#include "jobs/propagator/three_point_results.hpp"

#include <fmt/format.h>

#include <complex>
#include <numeric>
#include <utility>
#include <vector>

#include "jobs/correlators/correlators.hpp"
#include "observables/quark/quark_loop_settings.hpp"

namespace plaq::jobs {
namespace {

// Kinds of operators on a quark line.
enum class Operator { current, conserved, walls_vector, walls_axial, derivative, line };

bool is_conserved(Operator one) {
  return one == Operator::conserved || one == Operator::walls_vector || one == Operator::walls_axial;
}

// The operator, of an antiquark and a quark by name.
std::string operator_text(Operator one, const std::string& qbar, const std::string& q) {
  switch (one) {
    case Operator::current:
      return fmt::format("{} Gamma {}", qbar, q);
    case Operator::conserved:
      return fmt::format(
          "(w/2) [{0}(y + mu) (1 + gamma_mu) U_mu(y)^dagger {1}(y) - {0}(y) (1 - gamma_mu) U_mu(y) {1}(y + "
          "mu)], w = 1 or nu/xi in space",
          qbar, q);
    case Operator::walls_vector:
      return fmt::format("sum_s of {} of the slices s of the fifth dimension",
                         operator_text(Operator::conserved, qbar, q));
    case Operator::walls_axial:
      return fmt::format("sum_s sign(s - (Ls + 1)/2) of {} of the slices s of the fifth dimension",
                         operator_text(Operator::conserved, qbar, q));
    case Operator::derivative:
      return fmt::format("{} Gamma D ... D {}, D = (D to the right - D to the left) / 2", qbar, q);
    case Operator::line:
      return fmt::format("{}(y) Gamma W(y, y + z) {}(y + z)", qbar, q);
  }
  return {};
}

std::string formula_of(Insertion insertion, const Momentum& sink, Operator one) {
  const bool rests = sink == Momentum{};
  const std::string c3 = rests ? "C3(t) = sum_y exp(-i q (y - x_source)) "
                               : "C3(t) = sum_x,y exp(-i p' (x - x_source) - i q (y - x_source)) ",
                    at = rests ? " at the sink time, p = 0, connected" : " at the sink time, connected";
  if (insertion == Insertion::pion)
    return fmt::format("{}<P(sink) J(y, t) P^dagger(source)>, J = {} of the quark that runs forward,{}", c3,
                       operator_text(one, "qbar", "q"), at);
  const bool polarized = insertion == Insertion::up_polarized || insertion == Insertion::down_polarized;
  const bool up = insertion == Insertion::up || insertion == Insertion::up_polarized;
  return fmt::format(
      "{}tr[P <chi(sink) J(y, t) chibar(source)>], J = {}, chi = eps (u^T C gamma5 d) u, P = {},{}; "
      "the boundary's sign in time is taken out as of C(t)",
      c3, up ? operator_text(one, "ubar", "u") : operator_text(one, "dbar", "d"),
      polarized ? "(1 + gamma_t)/2 i gamma5 gamma_z" : "(1 + gamma_t)/2", at);
}

// The functions of one insertion at all sink times, of the part of a result that is made with them.
struct AtSinkTimes {
  std::span<const ThreePointFunctions> functions;
  const ThreePointSettings& settings;

  // An axis in front of the others where the job gives several sink times.
  bool has_axis() const { return !settings.sink_times.empty(); }
  template <class T>
  std::vector<T> with_axis(std::vector<T> inner, const T& axis) const {
    if (has_axis()) inner.insert(inner.begin(), axis);
    return inner;
  }
  std::vector<std::size_t> shape(const std::vector<std::size_t>& inner) const {
    return with_axis(inner, functions.size());
  }
  std::vector<std::string> axes(const std::vector<std::string>& inner) const {
    return with_axis(inner, std::string("sink_time"));
  }
  Attribute sink_time() const {
    if (!has_axis()) return std::int64_t{settings.sink_time};
    return std::vector<std::int64_t>(settings.sink_times.begin(), settings.sink_times.end());
  }
  // `of(functions)` of all sink times after each other.
  template <class Of>
  std::vector<double> joined(const Of& of) const {
    std::vector<double> all;
    for (const ThreePointFunctions& at : functions) {
      const std::vector<double> one = of(at);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }
};

std::vector<double> parts_of(const std::vector<std::complex<double>>& values) {
  std::vector<double> parts;
  for (const auto& c : values) parts.insert(parts.end(), {c.real(), c.imag()});
  return parts;
}

// Datasets of the functions of one insertion.
class InsertionResults {
 public:
  // `sink`: "smeared" or "point". `summed`: over what, at the source.
  InsertionResults(Results& results, const AtSinkTimes& found, std::string sink, std::string summed)
      : results_(results), found_(found), sink_(std::move(sink)), summed_(std::move(summed)) {}

  // A dataset of each momentum below a group: `of(functions, momentum)` at a sink time, [t] or [z][t].
  template <class Of>
  void add(const std::string& group, Operator one, const Of& of) const {
    const std::size_t slices = found_.functions.front().values.front().front().size();
    for (std::size_t momentum = 0; momentum < found_.settings.momenta.size(); ++momentum) {
      const Momentum& n = found_.settings.momenta[momentum];
      std::vector<std::size_t> shape = {slices, 2};
      std::vector<std::string> axes = {"t", "real, imaginary"};
      if (one == Operator::line) {
        shape.insert(shape.begin(), static_cast<std::size_t>(2 * line_length() + 1));
        axes.insert(axes.begin(), "z");
      }
      results_.dataset(
          fmt::format("{}/p_{}_{}_{}", group, n[0], n[1], n[2]), found_.shape(shape),
          found_.joined([&](const ThreePointFunctions& at) { return parts_of(of(at, momentum)); }),
          attributes(n, one, axes));
    }
  }
  std::string group(const char* kind) const {
    return fmt::format("/{}/{}", kind,
                       insertion_names[static_cast<std::size_t>(found_.functions.front().insertion)]);
  }

 private:
  int line_length() const { return found_.settings.bilinears.line_length; }
  Attributes attributes(const Momentum& n, Operator one, const std::vector<std::string>& axes) const {
    const Momentum& p = found_.settings.sink_momentum;
    Attributes all = {
        {"axes", found_.axes(axes)},
        {"units", std::string("lattice units")},
        {"momentum", std::vector<std::int64_t>(n.begin(), n.end())},
        {"momentum_units", std::string("2 pi / L of each direction: x, y, z")},
        {"normalization", fmt::format("{}, summed {}, no volume factor, {}",
                                      formula_of(found_.functions.front().insertion, p, one), summed_,
                                      is_conserved(one) ? "conserved current" : "bare current")},
        {"sink", sink_},
        {"sink_time", found_.sink_time()},
        {"t", std::string("of the current, counts from the source")}};
    if (p != Momentum{}) all.emplace_back("sink_momentum", std::vector<std::int64_t>(p.begin(), p.end()));
    if (one == Operator::line) {
      std::vector<std::int64_t> z(static_cast<std::size_t>(2 * line_length() + 1));
      std::iota(z.begin(), z.end(), -line_length());
      all.emplace_back("z", z);
    }
    return all;
  }

  Results& results_;
  const AtSinkTimes& found_;
  std::string sink_, summed_;
};

void add_currents(Results& results, const AtSinkTimes& found, const std::vector<MesonChannel>& currents,
                  const InsertionResults& to) {
  const std::string group = to.group("three_point");
  results.dataset(group + "/true_residual", found.shape({found.functions.front().true_residuals.size()}),
                  found.joined([](const ThreePointFunctions& at) { return at.true_residuals; }),
                  described(found.axes({"column"}), "1",
                            "||b - M x|| / ||b|| of the sequential propagator, as of /solves"));
  for (std::size_t current = 0; current < currents.size(); ++current)
    to.add(group + "/" + currents[current].name, Operator::current,
           [&](const ThreePointFunctions& at, std::size_t momentum) { return at.values[current][momentum]; });
}

void add_bilinears(const AtSinkTimes& found, const InsertionResults& to) {
  const BilinearSettings& settings = found.settings.bilinears;
  const char* const directions[] = {"x", "y", "z", "t"};
  const std::size_t conserved = found.functions.front().bilinears.conserved.size();
  for (std::size_t i = 0; i < conserved; ++i) {
    const bool axial = i >= 4, walls = conserved > 4;
    const Operator one = axial ? Operator::walls_axial : walls ? Operator::walls_vector : Operator::conserved;
    to.add(fmt::format("{}/{}_{}", to.group("conserved"), axial ? "axial" : "vector", directions[i % 4]), one,
           [&](const ThreePointFunctions& at, std::size_t momentum) {
             return at.bilinears.conserved[i][momentum];
           });
  }
  const auto& gammas = all_loop_currents();
  for (std::size_t i = 0; i < settings.derivatives.size(); ++i)
    for (std::size_t gamma = 0; gamma < gammas.size(); ++gamma)
      to.add(fmt::format("{}/{}/{}", to.group("derivative"), settings.derivatives[i], gammas[gamma].name),
             Operator::derivative, [&](const ThreePointFunctions& at, std::size_t momentum) {
               return at.bilinears.derivatives[i][gamma][momentum];
             });
  for (std::size_t i = 0; i < settings.line_directions.size(); ++i)
    for (std::size_t gamma = 0; gamma < gammas.size(); ++gamma)
      to.add(fmt::format("{}/{}/{}", to.group("wilson_line"), directions[settings.line_directions[i]],
                         gammas[gamma].name),
             Operator::line, [&](const ThreePointFunctions& at, std::size_t momentum) {
               std::vector<std::complex<double>> of_z;
               for (const Correlators& one : at.bilinears.lines[i])
                 of_z.insert(of_z.end(), one[gamma][momentum].begin(), one[gamma][momentum].end());
               return of_z;
             });
}

}  // namespace

void add_three_point(Results& results, std::span<const ThreePointFunctions> at_sink_times,
                     const ThreePoints& of, const std::string& sink, const std::string& summed) {
  const AtSinkTimes found{at_sink_times, of.settings()};
  const InsertionResults to(results, found, sink, summed);
  add_currents(results, found, of.currents(), to);
  add_bilinears(found, to);
}

}  // namespace plaq::jobs
