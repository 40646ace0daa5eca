// State of unfinished work in a file: numbers and fields with all their bits. All little-endian:
//
//   "plaqSTAT", layout (32 bits), bytes of the head (64 bits); head; CRC-32 of all before; fields
//   head: extents (4 x 32 bits); title, numbers (each after its bytes, 64 bits); fields (32 bits), for each
//         subset, spins, colors, subfields, bytes of a real, compressed reals, bounded, and the two SciDAC
//         sums of its records (9 x 32 bits)
//
// A field has a record for each of its sites, x fastest, one subfield after the other. The bytes do not
// depend on the process grid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"

namespace plaq {

/// Fields are in single or double precision, on all or on the even sites.
struct State {
  std::string numbers;  ///< bytes, as a StateArchive makes them (io/state/state_archive.hpp)
  std::vector<Field> fields;
};

/// Writes the state. The file appears under its name when it is complete and on disk: a kill at any moment
/// leaves an older one or this one. Collective. Throws Error(output_file), the same on every rank.
/// @param geometry  of the lattice, without halo; fields may have one
/// @param title     of the work that the state belongs to
void write_state(const std::string& path, const ProcessGrid& grid, const GeometryPtr& geometry,
                 const std::string& title, const State& state);

/// True if a file begins as a state does. Serial.
bool is_state_file(const std::string& path);

/// The head of a file.
struct StateFileInfo {
  Extents extents{};
  std::string title;
  std::size_t fields = 0;        ///< number of fields
  std::uint64_t file_bytes = 0;  ///< bytes of the file
};
/// Serial. Throws Error(input_file) as read_state_title() does.
StateFileInfo inspect_state(const std::string& path);

/// The title of a file. Collective. Throws Error(input_file), the same on every rank, if it is no such file,
/// was made by another version of plaq, is cut off, or if its head is damaged.
std::string read_state_title(const std::string& path, const ProcessGrid& grid);
/// Reads a state, with fields on the host. Throws as read_state_title() does, and for another lattice or
/// damaged fields.
State read_state(const std::string& path, const ProcessGrid& grid, const GeometryPtr& geometry);

}  // namespace plaq
