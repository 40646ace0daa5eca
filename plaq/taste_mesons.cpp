#include "plaq/taste_mesons.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "comms/start/shared_lattice.hpp"
#include "observables/quark/taste_mesons.hpp"
#include "quarks/action/action.hpp"

namespace plaq {
namespace {

[[noreturn]] void refuse_tastes(const std::string& why) {
  throw Error(ErrorKind::usage, "taste_mesons(): " + why);
}

std::vector<TasteChannel> tastes_named(const std::vector<std::string>& names) {
  if (names.empty()) refuse_tastes("names is empty; give at least one");
  std::vector<TasteChannel> channels;
  for (const std::string& name : names) {
    const auto channel = taste_channel(name);
    if (!channel)
      refuse_tastes(fmt::format("\"{}\" is neither one of {} nor a pair SPIN-TASTE such as \"G5-G5X\"", name,
                                fmt::join(taste_multiplets(), ", ")));
    channels.push_back(*channel);
  }
  return channels;
}

void expect_source(const SpinorField& source, const DiracSolver& solver) {
  if (!(source.lattice() == solver.lattice()))
    refuse_tastes("the fields lie on different lattices; make all of them on one Lattice");
  if (source.spins() != 1 || source.columns() != 3)
    refuse_tastes("the source must have three columns of color vectors");
  if (source.precision() != Precision::double_precision)
    refuse_tastes("the source must be in double precision; take with_precision()");
  if (source.note().is_of_noise())
    refuse_tastes("spins and tastes average to 0 over the points of noise; take a point or a corner wall");
  if (!source.note().position) refuse_tastes("the position of the source is not known: set note().position");
}

}  // namespace

std::map<std::string, std::vector<Correlator>> taste_mesons(DiracSolver& solver, const GaugeField& links,
                                                            const SpinorField& source,
                                                            const std::vector<std::string>& names,
                                                            const std::vector<Momentum>& momenta,
                                                            const Propagator* antiquark) {
  const Action& action = *solver.action();
  if (action.spins() != 1)
    refuse_tastes("quarks with spin have no tastes; take an action of staggered quarks");
  expect_source(source, solver);
  if (!(links.lattice() == solver.lattice()))
    refuse_tastes("the fields lie on different lattices; make all of them on one Lattice");
  if (antiquark != nullptr) {
    if (!(antiquark->lattice() == solver.lattice()))
      refuse_tastes("the fields lie on different lattices; make all of them on one Lattice");
    if (antiquark->settings() != source.settings() || antiquark->note().position != source.note().position)
      refuse_tastes("the antiquark is not a propagator of the source");
  }
  if (momenta.empty()) refuse_tastes("momenta is empty; give at least one");
  for (const Momentum& n : momenta)
    if (const auto why = validate_momentum(n, solver.lattice().extents())) refuse_tastes("momenta: " + *why);
  TasteMesons mesons(solver.lattice().shared(), tastes_named(names), momenta);
  mesons.set_links(links.field(), action.boundary());
  const bool shifts_alone = antiquark != nullptr && mesons.shifts().front() != 0;
  const Propagator quark = shifts_alone ? *antiquark : solver.propagator(source),
                   s = antiquark != nullptr ? *antiquark : quark;
  Correlators sums = mesons.none();
  SpinorField shifted(source.lattice(), source.settings());
  for (const unsigned shift : mesons.shifts()) {
    if (shift == 0) {
      mesons.add(sums, shift, quark.field(), s.field(), *source.note().position);
      continue;
    }
    copy(shifted.field(), mesons.shifted(source.field(), shift));
    shifted.field().touch();
    mesons.add(sums, shift, solver.solve(shifted).field(), s.field(), *source.note().position);
  }
  std::map<std::string, std::vector<Correlator>> found;
  for (std::size_t i = 0; i < sums.size(); ++i) found[mesons.channels()[i].name] = sums[i];
  return found;
}

}  // namespace plaq
