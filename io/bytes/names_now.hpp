// Names of files that another node may have made, replaced or removed a moment ago.
#pragma once

#include <string>

namespace plaq {

/// Makes this node ask the server for names in `directory` before it relies on them. Network file systems
/// such as NFS remember for up to a minute which files a directory has, and which it lacks; opening the
/// directory ends that. Does nothing where it cannot be opened.
void ask_for_names_again(const std::string& directory);

/// True if the file exists now, whichever node made it.
bool exists_now(const std::string& path);

}  // namespace plaq
