// Tuning files (io/tuning/tuning_text.hpp) on disk: shared by all jobs of a user, on any machine, at the same
// time. A job never fails for its tuning file: what cannot be read is timed again, what cannot be written is
// lost, and one warning says so.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "comms/communicator/communicator.hpp"
#include "core/launch/tuning.hpp"

namespace plaq {

// `asked` (a job's key), else the environment's PLAQ_TUNING_FILE, $XDG_CACHE_HOME/plaq/tuning.jsonl or
// $HOME/.cache/plaq/tuning.jsonl, the first that is set and, but for `asked` and PLAQ_TUNING_FILE, absolute;
// empty where none is.
std::string tuning_file_path(const std::string& asked = {});

// Nothing where there is no such file, and with one warning where it is not a good one.
std::vector<TuneEntry> read_tuning_file(const std::string& path);

// Adds entries to a file, which is made with its folder where it is missing: under a lock it is read again,
// and replaced whole. A damaged file is kept as PATH.DATE.bad and begun again: its entries are not believed,
// but may be of use to a person. One of another program or of a later version of plaq is left as it is:
// false. Throws Error(output_file).
bool add_to_tuning_file(const std::string& path, std::span<const TuneEntry> entries);

// Collective, unless the tuner is off. One rank reads, all get what holds for this build. An empty path:
// there is no file.
void load_tuning(const Communicator& comm, const std::string& path, Tuner& tuner);
// Collective, does nothing unless the tuner is on. What was timed since the last call on any rank is added to
// the file by one rank; where several timed the same, the lowest rank's counts. Warns instead of failing.
void save_tuning(const Communicator& comm, const std::string& path, Tuner& tuner);

}  // namespace plaq
