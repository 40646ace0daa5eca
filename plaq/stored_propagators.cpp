#include "plaq/stored_propagators.hpp"

#include <cstdlib>

#include "comms/communicator/collective.hpp"
#include "comms/start/shared_lattice.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/propagator/propagator_file.hpp"
#include "observables/quark/quarks_together.hpp"
#include "plaq/argument_checks.hpp"
#include "settings/quark/note_text.hpp"

namespace plaq {
namespace {

void expect_possible(const ReadPropagatorSettings& settings, const Lattice& lattice) {
  if (settings.source) expect_site(lattice, *settings.source);
  if (settings.time_boundary && std::abs(*settings.time_boundary) > 1)
    throw Error(ErrorKind::usage,
                "time_boundary must be 1, -1 or 0, not " + std::to_string(*settings.time_boundary));
}

// Note of the file, completed by what the call says.
PropagatorNote note_of(const PropagatorFileInfo& info, const ReadPropagatorSettings& settings) {
  PropagatorNote note = settings::note_in(info.metadata);
  if (const auto why = misplaced_source(note, info.path, info.extents))
    throw Error(ErrorKind::input_file, *why);
  const auto complete = [&](auto& stated, const auto& given, const std::string& name, const auto& text) {
    if (!given) return;
    if (stated && *stated != *given)
      throw Error(ErrorKind::input_file,
                  info.path + ": the file says " + name + " = " + text(*stated) + ", the call " + name +
                      " = " + text(*given) +
                      "; leave out what the file says, or set it on the quarks that were read where you know "
                      "better");
    stated = given;
  };
  complete(note.position, settings.source, "source", text_of_site);
  complete(note.boundary, settings.time_boundary, "time_boundary",
           [](int sign) { return std::to_string(sign); });
  return note;
}

PropagatorFormat propagator_format_named(const std::string& name) {
  std::string known;
  for (const PropagatorFormat format : propagator_formats) {
    if (short_name(format) == name) return format;
    known += (known.empty() ? "" : ", ") + std::string(short_name(format));
  }
  throw Error(ErrorKind::usage, "format \"" + name + "\" is none of " + known);
}

// The text of a file: metadata, and the note if the format has a place for it.
std::string text_with_note(const std::string& metadata, const PropagatorNote& note, PropagatorFormat format) {
  if (settings::has_note(metadata))
    throw Error(
        ErrorKind::usage,
        "metadata has a table [stored_propagator], which plaq writes from what the quarks' note says");
  if (is_binary_format(format) || settings::members_of(note).empty()) return metadata;
  const bool open = !metadata.empty() && !metadata.ends_with('\n');
  return metadata + (open ? "\n" : "") + settings::note_text(note);
}

}  // namespace

SpinorField read_quarks(const std::string& path, const Lattice& lattice,
                        const ReadPropagatorSettings& settings) {
  expect_possible(settings, lattice);
  const SharedLattice& shared = lattice.shared();
  all_or_none(shared.grid->comm(), [&] {
    if (lattice.rank() == 0) inspect_propagator(path);  // one error for all
  });
  const PropagatorFileInfo info = inspect_propagator(path);
  const PropagatorNote note = note_of(info, settings);
  Field host(shared.geometry, propagator_spec(info.quarks, Precision::double_precision, info.count));
  read_propagator(path, *shared.grid, host, {settings.accept_checksums});
  SpinorField quarks(lattice, {.columns = info.count, .spins = host.spec().spins});
  copy(quarks.field(), host);
  quarks.field().touch();
  quarks.note() = note;
  return quarks;
}

Propagator read_propagator(const std::string& path, const Lattice& lattice,
                           const ReadPropagatorSettings& settings) {
  SpinorField quarks = read_quarks(path, lattice, settings);
  if (quarks.columns() != 3 * quarks.spins())
    throw Error(ErrorKind::input_file,
                path + ": expected the " + std::to_string(3 * quarks.spins()) +
                    " columns of a propagator, found a single quark field; read_quarks() reads it");
  return Propagator(std::move(quarks));
}

std::string write_propagator(const SpinorField& quarks, const std::string& path,
                             const WritePropagatorSettings& settings) {
  if (quarks.Ls() > 1)
    throw Error(ErrorKind::usage,
                "the field is in five dimensions; files hold quark fields in four, such as a propagator");
  const SharedLattice& lattice = quarks.lattice().shared();
  PropagatorWriteOptions options;
  options.format = propagator_format_named(settings.format);
  options.precision = settings.precision;
  options.metadata = text_with_note(settings.metadata, quarks.note(), options.format);
  if (const auto why = refuse_to_write(quarks_of(quarks.field()), quarks.columns(), options))
    throw Error(ErrorKind::usage, *why);
  all_or_none(lattice.grid->comm(), [&] {
    if (lattice.rank() == 0) check_output(path, settings.overwrite);
  });
  Field host(lattice.geometry,
             propagator_spec(quarks_of(quarks.field()), Precision::double_precision, quarks.columns()));
  copy(host, quarks.field());
  return write_propagator(path, *lattice.grid, host, options).text();
}

}  // namespace plaq
