#include "plaq/correlators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "comms/start/shared_lattice.hpp"
#include "kernels/quark/mesons.hpp"
#include "kernels/quark/momentum_projection.hpp"
#include "observables/quark/quarks_together.hpp"
#include "observables/quark/two_point.hpp"
#include "plaq/argument_checks.hpp"

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
        throw Error(ErrorKind::usage,
                    "the quarks lie on different lattices; make all of them on one Lattice");
      if (field->precision() != Precision::double_precision)
        throw Error(ErrorKind::usage,
                    "correlators need quarks in double precision; convert the others by with_precision()");
      if (field->spins() != first.spins())
        throw Error(ErrorKind::usage,
                    "some quarks have spins and others, staggered ones, have none; take quarks of one kind");
      fields.push_back(field);
      noted.push_back({name, &field->note()});
    }
    refuse(mismatch_of_gauge_fields(nullptr, noted));
    refuse(mismatch_of_sources(noted));
    refuse(mismatch_of_boundaries(noted));
  }

  const Propagator& first() const { return *fields.front(); }
  bool are_one() const {
    return std::all_of(fields.begin(), fields.end(), [&](const Propagator* q) {
      return q->field().data(0, 0) == first().field().data(0, 0);
    });
  }
  // The value that one of the notes has.
  template <class T>
  std::optional<T> known(std::optional<T> PropagatorNote::*member) const {
    for (const NotedQuark& quark : noted)
      if (const auto& found = quark.note->*member) return found;
    return std::nullopt;
  }
  Extents source(const std::optional<Extents>& given) const {
    const auto site = known(&PropagatorNote::position);
    if (given) expect_site(first().lattice(), *given);
    if (site && given && *site != *given)
      throw Error(
          ErrorKind::usage,
          fmt::format(
              "the quarks have their source at {}, and source = {} says another site: leave it out, or "
              "set that of the quarks (`source` in Python, note().position in C++)",
              text_of_site(*site), text_of_site(*given)));
    if (!site && !given)
      throw Error(ErrorKind::usage, "the position of the source is not known; give source = (x, y, z, t)");
    return site ? *site : *given;
  }
};

Channel channel_named(std::string_view name, const Quarks& quarks, bool meson) {
  std::string known;
  for (const Channel& channel : quarks.are_one() ? channels_of_one_quark() : channels_of_flavours()) {
    if (channel.is_meson() != meson || channel.spins() != quarks.first().spins()) continue;
    if (channel.name == name) return channel;
    known += (known.empty() ? "" : ", ") + channel.name;
  }
  throw Error(ErrorKind::usage, fmt::format("\"{}\" is none of {}", name, known));
}

void expect_momenta(const std::vector<Momentum>& momenta, const Lattice& lattice) {
  if (momenta.empty()) throw Error(ErrorKind::usage, "momenta is empty; give at least one momentum");
  for (const Momentum& n : momenta) refuse(validate_momentum(n, lattice.extents()));
}

std::vector<Correlator> contracted(const Quarks& quarks, bool meson, std::string_view name,
                                   const std::vector<Momentum>& momenta,
                                   const std::optional<Extents>& source) {
  const Channel channel = channel_named(name, quarks, meson);
  expect_momenta(momenta, quarks.first().lattice());
  const bool moves =
      std::any_of(momenta.begin(), momenta.end(), [](const Momentum& n) { return n != Momentum{}; });
  for (const NotedQuark& quark : quarks.noted) refuse(refuse_noise(quark, channel, moves));
  refuse(refuse_in_space(quarks.known(&PropagatorNote::space_boundary).value_or(periodic_in_space), channel));
  const auto boundary = quarks.known(&PropagatorNote::boundary);
  if (!meson && !boundary)
    throw Error(
        ErrorKind::usage,
        "the sign of the quarks around the lattice in time is not known, and baryons depend on it: set "
        "that of the quarks (`time_boundary` in Python, note().boundary in C++) to 1 or -1");
  const Extents at = quarks.source(source);
  CorrelatorSet set(quarks.first().lattice().shared(), {{channel}, momenta, false, boundary.value_or(-1)});
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
  std::vector<Correlator> found;
  for (TwoPointFunction& correlator : set.take()) found.push_back(std::move(correlator.values));
  return found;
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
  return meson(quark, antiquark, channel, std::vector{settings.momentum}, settings.source).front();
}

Correlator meson(const Propagator& quark, const Propagator& antiquark, const SpinStructure& spins,
                 const CorrelatorSettings& settings) {
  return meson(quark, antiquark, std::vector{spins}, std::vector{settings.momentum}, settings.source).front();
}

Correlator baryon(const Propagator& quark, std::string_view channel, const CorrelatorSettings& settings) {
  return baryon({quark, quark, quark}, channel, settings);
}

Correlator baryon(const QuarkFlavors& q, std::string_view channel, const CorrelatorSettings& settings) {
  return baryon(q, channel, std::vector{settings.momentum}, settings.source).front();
}

std::vector<Correlator> meson(const Propagator& quark, const Propagator& antiquark, std::string_view channel,
                              const std::vector<Momentum>& momenta, const std::optional<Extents>& source) {
  return contracted({{"quark", &quark}, {"antiquark", &antiquark}}, true, channel, momenta, source);
}

std::vector<Correlator> meson(const Propagator& quark, const Propagator& antiquark,
                              const std::vector<SpinStructure>& spins, const std::vector<Momentum>& momenta,
                              const std::optional<Extents>& source) {
  const Quarks quarks{{"quark", &quark}, {"antiquark", &antiquark}};
  if (quark.spins() != 4)
    throw Error(ErrorKind::usage, "staggered quarks have no gamma matrices; give the name of a channel");
  expect_momenta(momenta, quark.lattice());
  const SharedLattice& lattice = quark.lattice().shared();
  std::vector<GammaPair> pairs;
  for (const SpinStructure& one : spins) pairs.push_back({one.sink, one.source, one.weight});
  MesonContraction contract(*lattice.grid, lattice.geometry, {{"", pairs}}, momenta, lattice.queue);
  return std::move(contract(quark.field(), antiquark.field(), quarks.source(source)).front());
}

std::vector<Correlator> baryon(const QuarkFlavors& q, std::string_view channel,
                               const std::vector<Momentum>& momenta, const std::optional<Extents>& source) {
  return contracted({{"up", &q.up}, {"down", &q.down}, {"strange", &q.strange}}, false, channel, momenta,
                    source);
}

Correlator momentum_sum(const HostField<std::complex<double>>& density, const Momentum& momentum,
                        const Extents& source) {
  if (density.count() != 1)
    throw Error(ErrorKind::usage, "momentum_sum(): the field must have one density, not several");
  return detail::sum_numbers(density.lattice(), density.data(), 1, momentum, source);
}

Correlator detail::sum_numbers(const Lattice& lattice, const std::complex<double>* density, int numbers,
                               const Momentum& momentum, const Extents& source) {
  const SharedLattice& shared = lattice.shared();
  expect_site(lattice, source);
  refuse(validate_momentum(momentum, shared.geometry->global()));
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
