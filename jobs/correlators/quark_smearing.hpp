// The smearing of quarks that a job asks for, [quark_smearing] with the links of [link_smearing].
#pragma once

#include "jobs/schema/job_file.hpp"
#include "quarks/smearing/quark_smearing.hpp"

namespace plaq::jobs {

// `boundary`: signs of the quarks.
QuarkSmearingSettings quark_smearing_settings(const Settings& job, const SpaceSigns& boundary);

}  // namespace plaq::jobs
