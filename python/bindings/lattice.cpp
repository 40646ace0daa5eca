#include "python/bindings/lattice.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>

#include "comms/communicator/mpi_session.hpp"
#include "comms/communicator/node_map.hpp"
#include "core/system/error.hpp"
#include "io/tuning/rank_start.hpp"
#include "python/bindings/call.hpp"
#include "python/bindings/copies.hpp"
#include "python/bindings/keywords.hpp"
#include "settings/lattice/lattice_tables.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {

const settings::Schema& lattice_schema() {
  static const settings::Schema schema{
      "lattice",
      "A lattice, and the ranks that share it.",
      {settings::lattice_table(settings::LatticeFrom::job), settings::comms_table(), settings::run_table()},
      {settings::split_rule()}};
  return schema;
}

PythonLattice::PythonLattice(const StartedRanks& ranks, const Extents& extents, const Sharing& sharing,
                             const FaceSettings& faces, double watchdog)
    : SharedLattice(start_lattice(ranks, extents, sharing, faces)), ranks_(ranks.ranks), site_(ranks.site) {
  if (grid->size() > 1 || location() != Location::host)  // else nothing waits
    watchdog_.emplace(watchdog, end_all_ranks);
}

namespace {

std::shared_ptr<PythonLattice> started_lattice(nb::handle comm, const settings::Settings& settings,
                                               const std::function<Extents()>& extents) {
  const auto comms = settings.get<settings::CommsKeys>();
  const Communicator ranks = ranks_of(comm);
  std::shared_ptr<PythonLattice> made;
  {
    const Call call(ranks);
    const Extents sites = extents();
    const Sharing sharing =
        choose_sharing(comms.sharing(), sites, ranks.size(), ranks_per_node(nodes_of(ranks)));
    const StartedRanks started = start_ranks(ranks, settings.get<settings::RunKeys>().ranks());
    made = std::make_shared<PythonLattice>(started, sites, sharing, comms.faces(), comms.watchdog);
  }
  made->keep(nb::borrow(comm));
  return made;
}

settings::Settings settings_of(const nb::dict& keys) {
  return Keywords()
      .add(lattice_schema(), {"lattice", "comms", "run"}, keys)
      .read(lattice_schema(), "Lattice()");
}

std::shared_ptr<PythonLattice> lattice_of_extents(nb::handle extents, nb::handle comm,
                                                  const std::string& location, const nb::kwargs& keys) {
  nb::dict all;
  all["extents"] = extents;
  all["location"] = location;
  for (const auto& [name, value] : keys) all[name] = value;
  const settings::Settings settings = settings_of(all);
  return started_lattice(comm, settings,
                         [&] { return settings.get<settings::LatticeKeys>().extents.value(); });
}

std::string described(const PythonLattice& lattice) {
  return "plaq.Lattice(" + to_string(lattice.geometry->global()) + " on " + to_string(lattice.grid->ranks()) +
         " ranks, " + plaq::text_of(lattice.site()) + ")";
}

}  // namespace

Lattice make_lattice(nb::handle comm, const std::string& location, const nb::kwargs& keys,
                     const std::function<Extents()>& extents) {
  nb::dict all;
  all["location"] = location;
  for (const auto& [name, value] : keys) all[name] = value;
  // The object Lattice, which plaq::Lattice keeps.
  const nb::object made = nb::cast(started_lattice(comm, settings_of(all), extents));
  return nb::cast<Lattice>(made);
}

void bind_lattice(nb::module_& module) {
  nb::class_<PythonLattice> lattice(
      module, "Lattice",
      "A lattice of x, y, z, t sites, shared by the ranks of a communicator.\n\n"
      "Functions of its fields are collective: all ranks of the lattice call them.");
  lattice
      .def(nb::new_(&lattice_of_extents), "extents"_a, "comm"_a = nb::none(), "location"_a = "auto", "keys"_a,
           "Collective.\n\n"
           "extents: sites in x, y, z, t, even. comm: a communicator of mpi4py; None: all\n"
           "ranks that the launcher started, or this process alone. location: \"auto\"\n"
           "(the GPU where every rank has one), \"host\" or \"gpu\". Further keys are\n"
           "those of [comms] and [run] in job files: process_grid, transport,\n"
           "force_partition, threads, tuning, ...")
      .def_prop_ro(
          "extents", [](const PythonLattice& l) { return l.geometry->global(); },
          "Sites in x, y, z, t of the whole lattice.")
      .def_prop_ro(
          "local_extents", [](const PythonLattice& l) { return l.geometry->local(); },
          "Sites in x, y, z, t of this rank.")
      .def_prop_ro(
          "offset", [](const PythonLattice& l) { return l.geometry->offset(); },
          "Coordinates of this rank's first site.")
      .def_prop_ro(
          "process_grid", [](const PythonLattice& l) { return l.grid->ranks(); }, "Ranks in x, y, z, t.")
      .def_prop_ro(
          "position", [](const PythonLattice& l) { return l.grid->position(); },
          "Position of this rank in the process grid.")
      .def_prop_ro(
          "rank", [](const PythonLattice& l) { return l.grid->rank(); }, "Number of this rank, from 0 on.")
      .def_prop_ro(
          "size", [](const PythonLattice& l) { return l.grid->size(); }, "Number of ranks.")
      .def_prop_ro(
          "location", [](const PythonLattice& l) { return std::string(name_of(l.location())); },
          "\"host\" or \"gpu\": where fields are.")
      .def_prop_ro(
          "device", [](const PythonLattice& l) { return plaq::text_of(l.site()); },
          "The GPU, or the host with its threads.")
      .def("__repr__", &described);
  def_own_copies(lattice);
  refuse_pickle(lattice,
                "a Lattice is of the ranks, threads and GPU of its process: make one in each process, "
                "plaq.Lattice(extents, ...)");
}

}  // namespace plaq::python
