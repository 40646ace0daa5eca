// See there. Included by .cpp files only.
#pragma once

#include "io/hdf5_handle.hpp"
