// Interface of a file format for the one reader and the one writer of gauge fields (gauge_reader,
// gauge_writer).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "io/bytes/byte_source.hpp"
#include "io/gauge/gauge_file_info.hpp"

namespace plaq {

// Metadata of a file to be written, beside its links.
struct GaugeFileMetadata {
  std::string ensemble_id, ensemble_label;  // NERSC: ENSEMBLE_ID and _LABEL; LIME: in the record's text
  std::string ildg_lfn;                     // ILDG: the logical file name; empty: no such record
  std::optional<std::int64_t> sequence_number;
  std::vector<HeaderEntry> entries;  // NERSC: further lines; LIME: further text (docs/file-formats.md)
};

struct GaugeWriteRequest {
  GaugeFileFormat format = GaugeFileFormat::nersc;
  Extents extents{};
  LinkFormat links;
  double plaquette = 0, link_trace = 0;
  GaugeFileMetadata metadata;
};

// The bytes before and behind the links. Their sizes do not depend on the checksum, which is known only
// after the links.
struct GaugeFileFrame {
  std::string head, tail;
};

struct GaugeFormat {
  GaugeFileFormat format;
  ChecksumKind checksum;
  // Do the first bytes of the file say that it is of this format? (LIME files are told apart by inspect.)
  bool (*recognize)(const ByteSource& source);
  // Reads headers and trailers, checks the size, finds the links. Looks at the links only to settle a byte
  // order that is left open. Allocates no more than a small multiple of the headers' bytes, which it limits.
  // Throws Error(input_file): file, place, expected, found.
  GaugeFileInfo (*inspect)(const ByteSource& source);
  // True if the format can hold links like these; the reason why not, naming what it can.
  std::optional<std::string> (*refuse)(const LinkFormat& links);
  // Throws Error(output_file) when what is asked for could not be read back.
  GaugeFileFrame (*frame)(const GaugeWriteRequest& request, const LinkChecksum& checksum);
};

const GaugeFormat& nersc_format();
const GaugeFormat& ildg_format();
const GaugeFormat& scidac_format();
const GaugeFormat& milc_format();
const GaugeFormat& openqcd_format();
const GaugeFormat& ddalphaamg_format();

// Guesses what a file seems to be that no reader knows, for messages: "it seems to be an HDF5 file", or its
// first bytes.
std::string guess_file(const ByteSource& source);
// Guess for files that are not LIME: gauge fields are known, too.
std::string guess_contents(const ByteSource& source);

// Gauge files of DDalphaAMG have no magic number, and openQCD's header: which of the two a file is only its
// links tell. Returns whether the file is taken for DDalphaAMG's. One of openQCD's size is where its
// plaquettes, with links in DDalphaAMG's order, have an average nearer to that of the header than with them
// in openQCD's: all plaquettes of a small lattice, those at some sites of a large one. Serial.
bool is_ddalphaamg(const ByteSource& source);

}  // namespace plaq
