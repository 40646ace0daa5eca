// Messages of calls from Python: keys of job files are arguments there.
#pragma once

#include "core/system/wording.hpp"

namespace plaq::python {

/// "argument 'kappa'"; keys of tables that are dicts "key 'steps' of smearing".
const Wording& call_wording();

/// Name of the argument that is a dict of a table's keys; empty: its keys are arguments themselves.
std::string_view dict_of(std::string_view table);

}  // namespace plaq::python
