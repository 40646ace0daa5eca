// Keys and rules that all jobs of Markov chains share: ChainKeys, GaugeStartKeys and ChainOutputKeys.
#pragma once

#include <string>
#include <vector>

#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

/// Keys of [gauge] about the first links. Texts name the steps of the chain as ChainKind does.
/// @param quenched  what start = "quenched" means, for users; empty: the chain does not know it
std::vector<Key> chain_start_keys(const std::string& steps, const std::string& quenched = {});
/// Keys of [update]: the seed; thermalization, separation and configurations.
Key chain_seed_key();
std::vector<Key> chain_length_keys(const std::string& steps);
/// @param history  contents of the history file, for users
Table chain_output_table(const std::string& step, const std::string& steps, const std::string& history);
std::vector<Rule> chain_rules();

}  // namespace plaq::jobs
