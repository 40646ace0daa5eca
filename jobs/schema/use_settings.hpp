// Tables, keys, rules and settings under their own names in jobs.
#pragma once

#include "settings/schema/field.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::jobs {

using namespace settings;

}  // namespace plaq::jobs
