// Checks of how faces travel.
#include <fmt/format.h>

#include "comms/transport/transport_choice.hpp"
#include "comms/transport/transport_trials.hpp"
#include "core/system/error.hpp"
#include "jobs/selftest/selftest.hpp"

namespace plaq::jobs {

CheckResult check_transports(const Trial& trial) {
  std::vector<NamedTransport> all;
  const bool gpus = trial.location() == Location::device;
  const std::size_t kinds =
      gpus ? std::size(transport_names) : static_cast<std::size_t>(TransportKind::host) + 1;
  for (std::size_t i = 1; i < kinds; ++i)
    all.emplace_back(transport_names[i], [&trial, i] {
      return make_transport(trial.world, trial.location(), static_cast<TransportKind>(i));
    });
  return check_transports(trial, all);
}

CheckResult check_transports(const Trial& trial, const std::vector<NamedTransport>& transports) {
  std::string used, others;
  for (const auto& [name, make] : transports) {
    std::string fault;
    try {
      fault = transport_fault(trial.world, trial.location(), *make(), test_message_bytes());
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::comms) throw;
      others += fmt::format("; not {}: {}", name, e.what());
      continue;
    }
    if (!fault.empty()) return {false, fmt::format("{}: {}", name, fault)};
    used += fmt::format("{}{}", used.empty() ? "" : ", ", name);
  }
  return {true, used + others};
}

}  // namespace plaq::jobs
