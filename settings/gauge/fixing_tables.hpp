// Tables of gauge fixing: FixingSettings, and how many gauge copies there are.
#pragma once

#include <string>
#include <vector>

#include "core/system/location.hpp"
#include "gaugefix/run/fixing_settings.hpp"
#include "settings/schema/field.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

struct CopyKeys {
  int copies = 1, at_once = 0, groups = 0;  // 0: chosen
};

// [fixing], [annealing], [stochastic], [overrelaxation]: FixingSettings and CopyKeys; and the rules on them.
std::vector<Table> fixing_tables();
std::vector<Rule> fixing_rules();

const Names<Gauge>& gauge_names();

// Copies that a group sweeps over at once: the job's number, or as many as fill a GPU; on a host one.
int copies_at_once(const CopyKeys& keys, std::int64_t local_volume, Location location);

}  // namespace plaq::settings
