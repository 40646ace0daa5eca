#include "plaq/correlators.hpp"

#include <algorithm>
#include <utility>

#include "comms/grid/shared_lattice.hpp"
#include "kernels/quark/mesons.hpp"
#include "kernels/quark/momentum_projection.hpp"
#include "observables/quark/quarks_together.hpp"
#include "observables/quark/two_point.hpp"
#include "plaq/expect_site.hpp"

namespace plaq {
namespace {

void refuse(const std::optional<std::string>& why) {
  if (why) throw Error(ErrorKind::usage, *why);
}

// Quark and antiquark, or u, d and s, with what is known of them.
struct Quarks {
  std::vector<const Propagator*> fields;
  NotedQuarks noted;

  Quarks(std::initializer_list<std::pair<const char*, const Propagator*>> given) {
    const Propagator& first = *given.begin()->second;
    for (const auto& [name, field] : given) {
      if (!(field->lattice() == first.lattice()))
        throw Error(ErrorKind::usage, "quarks of two lattices in one correlator");
      if (field->spins() != first.spins())
        throw Error(ErrorKind::usage, "one quark has spins and another one has none");
      fields.push_back(field);
      noted.push_back({name, &field->note()});
    }
    refuse(mismatch_of_gauge_fields(nullptr, noted));
    refuse(mismatch_of_sources(noted));
    refuse(mismatch_of_boundaries(noted));
  }

  const Propagator& first() const { return *fields.front(); }
  bool are_one() const {
    return std::all_of(fields.begin(), fields.end(),
                       [&](const Propagator* q) { return q == fields.front(); });
  }
  // The value that one of the notes has.
  template <class T>
  std::optional<T> known(std::optional<T> PropagatorNote::*member) const {
    for (const NotedQuark& quark : noted)
      if (const auto& found = quark.note->*member) return found;
    return std::nullopt;
  }
  Extents source(const CorrelatorSettings& settings) const {
    const auto site = known(&PropagatorNote::position);
    if (settings.source) expect_site(first().lattice(), *settings.source);
    if (site && settings.source && *site != *settings.source)
      throw Error(ErrorKind::usage, "the quarks have their source at " + text_of_site(*site) + ", not at " +
                                        text_of_site(*settings.source) + ", which the call says");
    if (!site && !settings.source)
      throw Error(ErrorKind::usage,
                  "the position of the source is not known: set CorrelatorSettings::source");
    return site ? *site : *settings.source;
  }
};

Channel channel_named(std::string_view name, const Quarks& quarks, bool meson) {
  std::string known;
  for (const Channel& channel : quarks.are_one() ? channels_of_one_quark() : channels_of_flavours()) {
    if (channel.is_meson() != meson || channel.spins() != quarks.first().spins()) continue;
    if (channel.name == name) return channel;
    known += (known.empty() ? "" : ", ") + channel.name;
  }
  throw Error(ErrorKind::usage, "channel \"" + std::string(name) + "\" is none of " + known);
}

Correlator contracted(const Quarks& quarks, bool meson, std::string_view name,
                      const CorrelatorSettings& settings) {
  const Channel channel = channel_named(name, quarks, meson);
  const SharedLattice& lattice = quarks.first().lattice().shared();
  refuse(fault_of_momentum(settings.momentum, lattice.geometry->global()));
  for (const NotedQuark& quark : quarks.noted)
    refuse(refuse_noise(quark, channel, settings.momentum != Momentum{}));
  refuse(refuse_in_space(quarks.known(&PropagatorNote::space_boundary).value_or(periodic_in_space), channel));
  const auto boundary = quarks.known(&PropagatorNote::boundary);
  if (!meson && !boundary)
    throw Error(ErrorKind::usage,
                "baryons depend on the sign of the quarks around the lattice in time: set note().boundary");
  const Extents at = quarks.source(settings);
  CorrelatorSet set(lattice, {{channel}, {settings.momentum}, false, boundary.value_or(-1)});
  if (quarks.are_one()) {
    set.add("point", quarks.first().field(), at);
  } else {
    QuarkContent content;
    for (const Propagator* q : quarks.fields) {
      content.names.push_back(std::to_string(content.names.size()));
      content.fields.push_back(&q->field());
    }
    set.add("point", content, at);
  }
  return std::move(set.take().front().values);
}

}  // namespace

std::vector<std::string> channel_names(int spins, bool one_quark) {
  std::vector<std::string> names;
  for (const Channel& channel : one_quark ? channels_of_one_quark() : channels_of_flavours())
    if (channel.spins() == spins) names.push_back(channel.name);
  return names;
}

Correlator meson(const Propagator& quark, std::string_view channel, const CorrelatorSettings& settings) {
  return meson(quark, quark, channel, settings);
}

Correlator meson(const Propagator& quark, const Propagator& antiquark, std::string_view channel,
                 const CorrelatorSettings& settings) {
  return contracted({{"quark", &quark}, {"antiquark", &antiquark}}, true, channel, settings);
}

Correlator meson(const Propagator& quark, const Propagator& antiquark, const SpinStructure& spins,
                 const CorrelatorSettings& settings) {
  const Quarks quarks{{"quark", &quark}, {"antiquark", &antiquark}};
  if (quark.spins() != 4)
    throw Error(ErrorKind::usage, "staggered quarks have no gamma matrices; name a channel");
  const SharedLattice& lattice = quark.lattice().shared();
  refuse(fault_of_momentum(settings.momentum, lattice.geometry->global()));
  MesonContraction contract(*lattice.grid, lattice.geometry, {{"", {{spins.sink, spins.source, 1}}}},
                            {settings.momentum}, lattice.queue);
  return contract(quark.field(), antiquark.field(), quarks.source(settings)).front().front();
}

Correlator baryon(const Propagator& quark, std::string_view channel, const CorrelatorSettings& settings) {
  return baryon({quark, quark, quark}, channel, settings);
}

Correlator baryon(const QuarkFlavors& q, std::string_view channel, const CorrelatorSettings& settings) {
  return contracted({{"up", &q.up}, {"down", &q.down}, {"strange", &q.strange}}, false, channel, settings);
}

Correlator momentum_sum(const HostField<std::complex<double>>& density, const Momentum& momentum,
                        const Extents& source) {
  if (density.count() != 1) throw Error(ErrorKind::usage, "momentum_sum(): one density is wanted");
  return detail::sum_numbers(density.lattice(), density.data(), 1, momentum, source);
}

Correlator detail::sum_numbers(const Lattice& lattice, const std::complex<double>* density, int numbers,
                               const Momentum& momentum, const Extents& source) {
  const SharedLattice& shared = lattice.shared();
  expect_site(lattice, source);
  refuse(fault_of_momentum(momentum, shared.geometry->global()));
  const auto sites = static_cast<std::size_t>(lattice.local_volume()), n = static_cast<std::size_t>(numbers);
  const MomentumProjection project(*shared.grid, shared.geometry, {momentum}, shared.queue);
  std::vector<std::complex<double>> one(sites);
  Correlator sums(n * static_cast<std::size_t>(lattice.extents()[3]));
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t site = 0; site < sites; ++site) one[site] = density[site * n + k];
    Field field = project.make_density(1);
    write_sites(field, one.data());
    const Correlator found = project(field, source).front().front();
    for (std::size_t t = 0; t < found.size(); ++t) sums[t * n + k] = found[t];
  }
  return sums;
}

}  // namespace plaq
