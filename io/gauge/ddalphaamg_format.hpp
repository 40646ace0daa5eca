// Gauge files of DDalphaAMG have no magic number, and openQCD's header: which of the
// two a file is only its links tell.
#pragma once

#include "io/bytes/byte_source.hpp"

namespace plaq {

// True if the file is taken for DDalphaAMG's. One of openQCD's size is where its plaquettes, with links in
// DDalphaAMG's order, have an average nearer to that of the header than with them in openQCD's: all
// plaquettes of a small lattice, those at some sites of a large one. Serial.
bool is_ddalphaamg(const ByteSource& source);

}  // namespace plaq
