#include "core/system/version.hpp"

#ifndef PLAQ_VERSION
#define PLAQ_VERSION "0.1.0"
#endif

namespace plaq {

const char* version() { return PLAQ_VERSION; }

}  // namespace plaq
