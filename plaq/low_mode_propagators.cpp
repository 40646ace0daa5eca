#include "plaq/low_mode_propagators.hpp"

#include <algorithm>

#include "comms/start/shared_lattice.hpp"
#include "io/gauge/link_sum.hpp"
#include "observables/quark/all_to_all_mesons.hpp"
#include "plaq/action_on_links.hpp"
#include "plaq/low_mode_parts.hpp"
#include "quarks/action/action.hpp"
#include "quarks/action/wilson_action.hpp"
#include "quarks/solve/low_mode_pairs.hpp"
#include "quarks/solve/low_modes.hpp"

namespace plaq {
namespace {

[[noreturn]] void refuse_pairs(const std::string& why) {
  throw Error(ErrorKind::usage, "LowModePropagators: " + why);
}

void expect_wilson(const Action& action) {
  const auto* wilson = parameters_of<WilsonParameters>(action);
  if (wilson == nullptr) refuse_pairs("only Wilson and clover quarks have them");
  if (wilson->twisted_mass != 0)
    refuse_pairs("the quarks have a twist, whose M is not gamma5-hermitian; take twisted_mass = 0");
  if (action.boundary()[3] == 0)
    refuse_pairs("an average over all sources has no meaning with Dirichlet boundaries in time");
}

// The even-odd form of the modes. Throws Error(usage) unless they are of this operator.
Preconditioning form_of(const ActionOnLinks& on, const LowModes& modes) {
  if (!(modes.lattice() == on.lattice))
    refuse_pairs("the modes lie on another lattice than the operator; make both on one Lattice");
  EigenvectorFileInfo file;
  file.extents = on.lattice.extents();
  file.info = modes.parts().info;
  const LinkChecksum links = checksum_of_any_links(*on.links.grid, on.links.gauge);
  std::string differences;
  for (const Preconditioning form : {Preconditioning::even_odd, Preconditioning::even_odd_asymmetric}) {
    differences = differences_of(file, file.extents, operator_entries(*on.action, form, on.links), links);
    if (differences.empty()) return form;
  }
  refuse_pairs("the modes are of another operator: " + differences);
}

void expect_momenta_of_mesons(const std::vector<Momentum>& momenta, const Extents& extents) {
  if (momenta.empty()) refuse_pairs("momenta is empty; give at least one");
  for (const Momentum& n : momenta)
    if (const auto why = validate_momentum(n, extents)) refuse_pairs("momenta: " + *why);
}

}  // namespace

struct LowModePropagators::Parts {
  ActionOnLinks on;
  LowModePairs pairs;

  Parts(const ActionOnLinks& of, const LowModes& modes)
      : on(of), pairs(of.links, of.action, form_of(of, modes), modes.parts().modes, modes.values()) {}

  std::vector<Correlator> mesons(const MesonChannel& channel, const std::vector<Momentum>& momenta) const {
    expect_momenta_of_mesons(momenta, on.lattice.extents());
    const PropagatorFactors factors{pairs.count(), [this](int i) -> const Field& { return pairs.phi(i); },
                                    [this](int i) -> const Field& { return pairs.chi(i); }};
    return all_to_all_mesons(on.lattice.shared(), factors, {channel}, momenta).front();
  }
  SpinorField applied(const SpinorField& b) {
    SpinorField x(on.lattice, {.columns = b.columns()});
    x.note() = note_of_solution(on, b.note());
    pairs.apply(x.field(), b.field());
    return x;
  }
};

LowModePropagators::LowModePropagators(const DiracOperator& m, const LowModes& modes) {
  const ActionOnLinks& on = m.on_links();
  expect_wilson(*on.action);
  parts_ = std::make_shared<Parts>(on, modes);
}

int LowModePropagators::count() const { return parts_->pairs.count(); }

SpinorField LowModePropagators::operator()(const SpinorField& b) const {
  const ActionOnLinks& on = parts_->on;
  if (!(b.lattice() == on.lattice))
    refuse_pairs("the source lies on another lattice than the operator; make both on one Lattice");
  if (b.field().spec() != on.action->quark_spec(b.columns(), on.lattice.location()))
    refuse_pairs("a source of spinors is wanted, in double precision and four dimensions");
  return parts_->applied(b);
}

Propagator LowModePropagators::propagator(const SourcePtr& source) const {
  if (!source) refuse_pairs("the source is null; make one, for example by point_source()");
  source->expect_on(parts_->on.lattice.extents());
  SpinorField b(parts_->on.lattice, {.columns = parts_->on.action->columns()});
  source->fill(b.field(), 0);
  b.field().touch();
  b.note() = source_note(*source);
  return Propagator(parts_->applied(b));
}

std::vector<Correlator> LowModePropagators::meson(std::string_view channel,
                                                  const std::vector<Momentum>& momenta) const {
  const std::vector<MesonChannel> known = meson_channels();
  const auto at =
      std::find_if(known.begin(), known.end(), [&](const MesonChannel& one) { return one.name == channel; });
  if (at == known.end()) {
    std::string names;
    for (const MesonChannel& one : known) names += (names.empty() ? "" : ", ") + one.name;
    refuse_pairs("channel \"" + std::string(channel) + "\" is none of " + names);
  }
  return parts_->mesons(*at, momenta);
}

std::vector<Correlator> LowModePropagators::meson(const std::vector<SpinStructure>& spins,
                                                  const std::vector<Momentum>& momenta) const {
  MesonChannel channel;
  for (const SpinStructure& one : spins) channel.pairs.push_back({one.sink, one.source, one.weight});
  return parts_->mesons(channel, momenta);
}

}  // namespace plaq
