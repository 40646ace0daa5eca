// What the writers of fields offer before a file gets its name.
#pragma once

#include <functional>
#include <string>

#include "io/gauge/link_checksum.hpp"

namespace plaq {

// A look at a file that is complete under a temporary name, before it replaces an older one. Collective; what
// it throws, the same on every rank, keeps the older one.
using WrittenFileCheck = std::function<void(const std::string& name, const LinkChecksum& checksum)>;

}  // namespace plaq
