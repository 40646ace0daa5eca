#include "observables/quark/propagator_note.hpp"

#include "kernels/dirac/wilson/wilson_parameters.hpp"
#include "quarks/action/action.hpp"

namespace plaq {

std::optional<double> twisted_mass_of(const Action& action) {
  const auto* parameters = parameters_of<WilsonParameters>(action);
  if (parameters == nullptr || parameters->twisted_mass == 0) return std::nullopt;
  return parameters->twisted_mass;
}

PropagatorNote source_note(const Source& source) {
  PropagatorNote note;
  note.source_type = source.type();
  note.position = source.position();
  if (const auto noise = source.noise()) {
    note.seed = noise->seed;
    note.source = static_cast<int>(noise->number);
    if (source.column_stride() > 1) note.dilution = "spin";
  }
  return note;
}

PropagatorNote common_note(const PropagatorNote& a, const PropagatorNote& b) {
  const auto text = [&](std::string PropagatorNote::*member) {
    const std::string &one = a.*member, &other = b.*member;
    return one.empty() || one == other ? other : other.empty() ? one : std::string();
  };
  const auto number = [&](auto PropagatorNote::*member) {
    const auto &one = a.*member, &other = b.*member;
    return !one || one == other ? other : !other ? one : std::nullopt;
  };
  PropagatorNote common;
  for (const auto member : {&PropagatorNote::gauge_file, &PropagatorNote::gauge_format,
                            &PropagatorNote::gauge_checksum, &PropagatorNote::source_type,
                            &PropagatorNote::dilution, &PropagatorNote::derivative, &PropagatorNote::action})
    common.*member = text(member);
  common.source = number(&PropagatorNote::source);
  common.seed = number(&PropagatorNote::seed);
  common.position = number(&PropagatorNote::position);
  common.mass = number(&PropagatorNote::mass);
  common.twisted_mass = number(&PropagatorNote::twisted_mass);
  common.boundary = number(&PropagatorNote::boundary);
  common.space_boundary = number(&PropagatorNote::space_boundary);
  return common;
}

}  // namespace plaq
