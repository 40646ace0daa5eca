#include "plaq/smearing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "comms/start/shared_lattice.hpp"
#include "core/field/version_of.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "observables/quark/quarks_together.hpp"

namespace plaq {

GaugeField smeared(const GaugeField& gauge, const LinkSmearing& smearing) {
  Field links = with_halo(gauge);
  smear_links(gauge.lattice().shared(), links, smearing);
  return {gauge.lattice(), links};
}

struct QuarkSmearer::Parts {
  Lattice lattice;
  Field links;  // those of the gauge field itself
  QuarkSmearingSettings settings;
  VersionOf made_of = {};  // the links of both of the following
  std::unique_ptr<QuarkSmearing> spinors = {}, staggered = {};

  QuarkSmearing& of(int spins) {
    if (!made_of.is_of(links)) {
      spinors.reset();
      staggered.reset();
      made_of = VersionOf(links);
    }
    auto& made = spins == 1 ? staggered : spinors;
    if (!made)
      made = make_quark_smearing(lattice.shared(), links_with_halo(lattice.shared(), links), settings, spins);
    return *made;
  }
};

QuarkSmearer::QuarkSmearer(const GaugeField& gauge, const QuarkSmearingSettings& settings)
    : parts_(std::make_unique<Parts>(Parts{gauge.lattice(), gauge.field(), settings})) {}
QuarkSmearer::~QuarkSmearer() = default;
const Lattice& QuarkSmearer::lattice() const { return parts_->lattice; }
const QuarkSmearingSettings& QuarkSmearer::settings() const { return parts_->settings; }
QuarkSmearing& QuarkSmearer::of(int spins) { return parts_->of(spins); }

SpinorField QuarkSmearer::operator()(const SpinorField& quark) {
  const Lattice& lattice = parts_->lattice;
  if (!(lattice == quark.lattice()))
    throw Error(ErrorKind::usage, "the fields lie on different lattices; make all of them on one Lattice");
  if (quark.Ls() != 1 || quark.precision() != Precision::double_precision)
    throw Error(ErrorKind::usage, "smearing needs quarks in four dimensions and double precision");
  const SpaceSigns& boundary = parts_->settings.gaussian.boundary;
  if (const auto& stated = quark.note().space_boundary; stated && *stated != boundary)
    throw Error(ErrorKind::usage,
                fmt::format("the quarks have the signs ({0}) around the lattice in x, y, z, the smearing has "
                            "({1}): make it with space_boundary = ({0})",
                            fmt::join(*stated, ", "), fmt::join(boundary, ", ")));
  if (const auto why = refuse_source_in_space(boundary, quark.note().source_type))
    throw Error(ErrorKind::usage, *why);
  SpinorField found = quark;
  found.note().space_boundary = boundary;
  found.set_solved({});
  // Staggered smearing takes three columns at a time.
  const int most = quark.spins() == 1 ? 3 : quark.columns();
  for (int first = 0; first < quark.columns(); first += most) {
    SpinorField part = quark.some_columns(first, std::min(most, quark.columns() - first));
    parts_->of(quark.spins()).apply(part.field());
    lattice.shared().queue.synchronize();
    for (int i = 0; i < part.columns(); ++i) copy_subfield(found.field(), first + i, part.field(), i);
  }
  found.field().touch();
  return found;
}

SpinorField smeared(const GaugeField& gauge, const SpinorField& quark,
                    const QuarkSmearingSettings& settings) {
  return QuarkSmearer(gauge, settings)(quark);
}

Propagator smeared(const GaugeField& gauge, const Propagator& quark, const QuarkSmearingSettings& settings) {
  return Propagator(smeared(gauge, static_cast<const SpinorField&>(quark), settings));
}

}  // namespace plaq
