#include "python/bindings/lattice.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "comms/communicator/launcher.hpp"
#include "python/bindings/copies.hpp"
#include "python/bindings/keywords.hpp"
#include "python/bindings/ranks.hpp"
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

Lattice::Lattice(jobs::JobFile keys, Communicator ranks) : keys_(std::move(keys)), ranks_(std::move(ranks)) {
  context_.emplace(jobs::start_job(keys_, keys_.get<settings::LatticeKeys>().extents.value()));
  if (grid().size() > 1 || location() != Location::host)  // else nothing waits
    watchdog_.emplace(keys_.get<settings::CommsKeys>().watchdog, end_all_ranks);
}

plaq::Lattice shared_lattice(const LatticePtr& lattice) {
  return plaq::Lattice(std::shared_ptr<const SharedLattice>(lattice, &lattice->context()));
}

namespace {

LatticePtr make_lattice(nb::handle extents, nb::handle comm, const std::string& location,
                        const nb::kwargs& keys) {
  nb::dict all;
  all["extents"] = extents;
  all["location"] = location;
  for (const auto& [name, value] : keys) all[name] = value;
  jobs::JobFile job(lattice_schema(),
                    Keywords().add(lattice_schema(), {"lattice", "comms", "run"}, all).entries(),
                    "Lattice()");
  const Communicator ranks = ranks_of(comm);
  const Call call(ranks);
  return std::make_shared<Lattice>(std::move(job), ranks);
}

std::string text_of(const Lattice& lattice) {
  return "plaq.Lattice(" + to_string(lattice.geometry()->global()) + " on " +
         to_string(lattice.grid().ranks()) + " ranks, " + plaq::text_of(lattice.context().site) + ")";
}

}  // namespace

void bind_lattice(nb::module_& module) {
  nb::class_<Lattice> lattice(
      module, "Lattice",
      "A lattice of x, y, z, t sites, shared by the ranks of a communicator.\n\n"
      "Everything that is done with fields on it is collective: all of its ranks call\n"
      "it.");
  lattice
      .def(nb::new_(&make_lattice), "extents"_a, "comm"_a = nb::none(), "location"_a = "auto", "keys"_a,
           nb::keep_alive<0, 3>(),
           "Collective.\n\n"
           "extents: sites in x, y, z, t, even. comm: a communicator of mpi4py; None: all\n"
           "ranks that the launcher started, or this process alone. location: \"auto\"\n"
           "(the GPU where every rank has one), \"host\" or \"gpu\". Further keys are\n"
           "those of [comms] and [run] in job files: process_grid, transport,\n"
           "force_partition, threads, tuning, ...")
      .def_prop_ro(
          "extents", [](const Lattice& l) { return l.geometry()->global(); },
          "Sites in x, y, z, t of the whole lattice.")
      .def_prop_ro(
          "local_extents", [](const Lattice& l) { return l.geometry()->local(); },
          "Sites in x, y, z, t of this rank.")
      .def_prop_ro(
          "offset", [](const Lattice& l) { return l.geometry()->offset(); },
          "Coordinates of this rank's first site.")
      .def_prop_ro(
          "process_grid", [](const Lattice& l) { return l.grid().ranks(); }, "Ranks in x, y, z, t.")
      .def_prop_ro(
          "position", [](const Lattice& l) { return l.grid().position(); },
          "Of this rank in the process grid.")
      .def_prop_ro(
          "rank", [](const Lattice& l) { return l.grid().rank(); }, "Number of this rank, from 0 on.")
      .def_prop_ro(
          "size", [](const Lattice& l) { return l.grid().size(); }, "Number of ranks.")
      .def_prop_ro(
          "location", [](const Lattice& l) { return std::string(name_of(l.location())); },
          "\"host\" or \"gpu\": where fields are.")
      .def_prop_ro(
          "device", [](const Lattice& l) { return plaq::text_of(l.context().site); },
          "The GPU, or the host with its threads.")
      .def("__repr__", &text_of);
  def_own_copies(lattice);
  refuse_pickle(lattice,
                "a Lattice is of the ranks, threads and GPU of its process: make one in each process, "
                "plaq.Lattice(extents, ...)");
}

}  // namespace plaq::python
