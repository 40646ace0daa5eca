// See there. Included by .cpp files only.
#pragma once

#include "io/propagator/hdf5_handle.hpp"
