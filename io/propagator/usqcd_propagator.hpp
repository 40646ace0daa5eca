// Staggered propagators in LIME files of USQCD, as QIO and MILC write them (qioxml_usqcdksprop.h of QIO;
// generic_ks/io_scidac_ks.c of MILC): scidac-file-xml is <usqcdKSPropFile>, and then come several fields,
// each a message of private record, user record, binary data and checksum. Those whose scidac-record-xml is
// <usqcdKSPropInfo> are the columns, a color vector a site of typesize 24 or 48, <color> saying that of the
// source. Sources (<usqcdSourceInfo>), which may stand before them, are passed over. Serial, for reading
// alone.
#pragma once

#include "io/bytes/byte_source.hpp"
#include "io/propagator/propagator_info.hpp"

namespace plaq {

// True if the file seems to be one. False for files that are damaged beyond saying.
bool is_usqcd_propagator(const ByteSource& source);
// Throws Error(input_file) unless there are three columns over the whole lattice, of one precision.
PropagatorFileInfo inspect_usqcd_propagator(const ByteSource& source);

}  // namespace plaq
