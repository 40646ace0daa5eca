#include "plaq/vertices.hpp"

#include "comms/start/shared_lattice.hpp"
#include "observables/quark/four_quark_vertices.hpp"
#include "observables/quark/quark_loop_settings.hpp"
#include "observables/quark/quarks_together.hpp"
#include "observables/quark/vertices.hpp"

namespace plaq {
namespace {

// Signs of the quark around the lattice in x, y, z, t. Throws Error(usage) unless the quark has a momentum
// of this name.
std::array<int, 4> expect_momentum(const std::string& function, const Propagator& quark,
                                   const std::array<int, 4>& n) {
  const auto refuse = [&](const std::string& why) { throw Error(ErrorKind::usage, function + ": " + why); };
  const PropagatorNote& note = quark.note();
  if (quark.spins() != 4) refuse("staggered quarks have no spin; take an action with four spins");
  if (quark.precision() != Precision::double_precision)
    refuse("the quark must be in double precision; take with_precision()");
  if (!note.source_type.empty() && note.source_type != "volume_momentum")
    refuse("the quark is of a " + note.source_type + " source; take volume_momentum_source()");
  if (!note.boundary || !note.space_boundary)
    refuse(
        "the signs of the quark around the lattice are not known: set note().boundary and "
        "note().space_boundary");
  if (*note.boundary == 0) refuse("quarks of Dirichlet boundaries have no momentum in time");
  const SpaceSigns& space = *note.space_boundary;
  const std::array<int, 4> boundary{space[0], space[1], space[2], *note.boundary};
  if (const auto wrong = validate_momentum(n, half_momenta(boundary), quark.lattice().extents()))
    refuse(*wrong);
  return boundary;
}

// Signs of two quarks around the lattice that belong together in vertices. Throws Error(usage) else.
std::array<int, 4> expect_pair(const std::string& function, const Propagator& in,
                               const std::array<int, 4>& n_in, const Propagator& out,
                               const std::array<int, 4>& n_out) {
  const auto refuse = [&](const std::string& why) { throw Error(ErrorKind::usage, function + ": " + why); };
  if (!(in.lattice() == out.lattice()))
    refuse("the quarks lie on different lattices; make both of them on one Lattice");
  const std::array<int, 4> boundary = expect_momentum(function, in, n_in);
  expect_momentum(function, out, n_out);
  const NotedQuarks both = {{"the quark that comes in", &in.note()}, {"the quark that leaves", &out.note()}};
  if (const auto why = mismatch_of_gauge_fields(nullptr, both)) refuse(*why);
  if (const auto why = mismatch_of_boundaries(both)) refuse(*why);
  for (const Propagator* quark : {&in, &out})
    if (quark->note().twisted_mass.value_or(0) != 0)
      refuse("the quarks have a twist, whose M is not gamma5-hermitian; take twisted_mass = 0");
  return boundary;
}

}  // namespace

OpenSpinColor momentum_propagator(const Propagator& quark, const std::array<int, 4>& n) {
  const std::array<int, 4> boundary = expect_momentum("momentum_propagator()", quark, n);
  return QuarkVertices(quark.lattice().shared(), boundary).propagator(quark.field(), n);
}

std::map<std::string, OpenSpinColor> quark_vertices(const Propagator& in, const std::array<int, 4>& n_in,
                                                    const Propagator& out, const std::array<int, 4>& n_out) {
  const std::array<int, 4> boundary = expect_pair("quark_vertices()", in, n_in, out, n_out);
  const QuarkVertices vertices(in.lattice().shared(), boundary);
  const auto found = vertices(in.field(), n_in, out.field(), n_out);
  const auto& currents = all_loop_currents();
  std::map<std::string, OpenSpinColor> named;
  for (std::size_t k = 0; k < currents.size(); ++k) named.emplace(currents[k].name, found[k]);
  return named;
}

std::map<std::string, FourQuarkSpins> four_quark_vertices(const Propagator& in,
                                                          const std::array<int, 4>& n_in,
                                                          const Propagator& out,
                                                          const std::array<int, 4>& n_out) {
  expect_pair("four_quark_vertices()", in, n_in, out, n_out);
  const auto found = FourQuarkVertices(in.lattice().shared())(in.field(), n_in, out.field(), n_out);
  std::map<std::string, FourQuarkSpins> named;
  for (std::size_t k = 0; k < found.size(); ++k) named.emplace(four_quark_names()[k], found[k]);
  return named;
}

}  // namespace plaq
