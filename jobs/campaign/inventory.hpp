// Inventory of the gauge fields of a campaign, each read once: inventory.json. Serial.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "jobs/campaign/campaign.hpp"

namespace plaq::jobs {

inline constexpr const char* inventory_file = "inventory.json";

struct FieldRecord {
  std::string name, file;  // of the configuration
  std::int64_t trajectory = -1, replica = -1;
  std::uint64_t bytes = 0;
  std::int64_t modified = 0;  // seconds since 1970
  std::string problem;        // why it cannot be read; empty: it can, and what follows is known
  std::string format, checksum;
  std::string stated_checksum;  // that of the file, where it is another one and the links were accepted
  std::vector<int> extents;
  double plaquette = 0, plaquette_spatial = 0, plaquette_temporal = 0, link_trace = 0,
         unitarity_violation = 0;
  double polyakov_loop[2] = {0, 0};
};

// Oddities of the ensemble as a whole.
struct InventoryFindings {
  std::vector<std::string> bad;         // names of configurations that cannot be read
  std::vector<std::string> duplicates;  // "000120 and 000140 have the same links": in any format
  std::vector<std::string> gaps;        // "000120 to 000160": of each chain, where its usual step is exceeded
  std::vector<std::string> outliers;    // "000120: plaquette 0.61 where the median is 0.5937"
  bool empty() const { return bad.empty() && duplicates.empty() && gaps.empty() && outliers.empty(); }
};

// With `bytes` and `modified` of the file as it is now.
FieldRecord record_of_file(const Configuration& configuration);
InventoryFindings findings_of(const std::vector<FieldRecord>& fields);
// Throws Error(input_file) where inventory.json is damaged; empty where it is not there.
std::vector<FieldRecord> read_inventory();
void write_inventory(const std::vector<FieldRecord>& fields);
std::string text_of(const std::vector<FieldRecord>& fields, const InventoryFindings& findings);

nlohmann::ordered_json json_of(const FieldRecord& field);
FieldRecord field_record(const nlohmann::ordered_json& json);

}  // namespace plaq::jobs
