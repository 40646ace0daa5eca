// The table [action_smearing]: Dirac operators on smeared links. What knows an operator by its links, a setup of
// multigrid or eigenvectors, has the checksum of the smeared ones.
#pragma once

#include "jobs/run/link_smearing.hpp"
#include "quarks/action/action.hpp"

namespace plaq::jobs {

struct ActionSmearingKeys {
  LinkSmearingKeys links;
  bool thin_clover = false;
};

Table action_smearing_table();
// Of a job with [action].
Rule action_smearing_rule();

// For results: action_attributes(), and how the links are smeared.
Attributes smeared_action_attributes(const JobFile& job);

bool smears_action(const JobFile& job);

// Collective. What the Dirac operators of a job are on, in fields without halo: the links of `gauge`, a field as
// LoadedGauge has it, smeared as the job says, and its thin ones where the clover term is of these. Where
// smears_action(), `gauge` is smeared itself.
FermionLinks action_links(const JobContext& context, Field& gauge);

}  // namespace plaq::jobs
