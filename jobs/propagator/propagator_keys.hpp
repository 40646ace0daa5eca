// The schema of propagator jobs.
#pragma once

#include "jobs/schema/use_settings.hpp"

namespace plaq::jobs {

const Schema& propagator_schema();

}  // namespace plaq::jobs
