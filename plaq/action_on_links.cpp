#include "plaq/action_on_links.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "observables/quark/quarks_together.hpp"

namespace plaq {

PropagatorNote note_of_quarks(const Action& action, const GaugeField& gauge) {
  PropagatorNote note;
  const GaugeFileIdentity file = gauge.file();
  note.gauge_file = file.file;
  note.gauge_format = file.format;
  note.gauge_checksum = file.checksum;
  note.action = action.name();
  note.mass = action.mass();
  note.twisted_mass = twisted_mass_of(action);
  const auto boundary = action.boundary();
  note.boundary = boundary[3];
  note.space_boundary = {boundary[0], boundary[1], boundary[2]};
  return note;
}

ActionOnLinks action_on_links(ActionPtr action, const GaugeField& gauge, const ActionSmearing& smearing) {
  if (!action)
    throw Error(ErrorKind::usage, "DiracOperator: the action is null; make one, for example by wilson()");
  const PropagatorNote note = note_of_quarks(*action, gauge);
  Field links = with_halo(gauge);
  return {gauge.lattice(), std::move(action), fermion_links(gauge.lattice().shared(), links, smearing), note,
          gauge.path()};
}

PropagatorNote note_of_solution(const ActionOnLinks& on, const PropagatorNote& source) {
  const SpaceSigns& boundary = on.note.space_boundary.value();
  if (source.space_boundary && *source.space_boundary != boundary)
    throw Error(ErrorKind::usage,
                fmt::format("the source was smeared with space_boundary = ({}), and the operator has ({})",
                            fmt::join(*source.space_boundary, ", "), fmt::join(boundary, ", ")));
  if (const auto why = refuse_source_in_space(boundary, source.source_type))
    throw Error(ErrorKind::usage, *why);
  PropagatorNote note = on.note;
  note.position = source.position;
  note.source_type = source.source_type;
  note.source = source.source;
  note.seed = source.seed;
  return note;
}

}  // namespace plaq
