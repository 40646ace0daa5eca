// plaq campaign ... on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "jobs/campaign/campaign_options.hpp"
#include "jobs/program/command_line.hpp"

namespace plaq::jobs {

// Its subcommands; one that was called is in `called`.
void add_campaign(CLI::App& app, std::optional<Command>& called);

}  // namespace plaq::jobs
