// Checks of how faces travel.
#include <fmt/format.h>

#include "comms/transport_check.hpp"
#include "comms/transport_choice.hpp"
#include "core/error.hpp"
#include "jobs/selftest/selftest.hpp"

namespace plaq::jobs {

Verdict check_transports(const Trial& trial) {
  std::string used, others;
  const bool gpus = trial.location() == Location::device;
  const std::size_t kinds =
      gpus ? std::size(transport_names) : static_cast<std::size_t>(TransportKind::host) + 1;
  for (std::size_t i = 1; i < kinds; ++i) {
    std::string fault;
    try {
      const auto transport = make_transport(trial.world, trial.location(), static_cast<TransportKind>(i));
      fault = transport_fault(trial.world, trial.location(), *transport, test_message_bytes());
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::comms) throw;
      others += fmt::format("; not {}: {}", transport_names[i], e.what());
      continue;
    }
    if (!fault.empty()) return {false, fmt::format("{}: {}", transport_names[i], fault)};
    used += fmt::format("{}{}", used.empty() ? "" : ", ", transport_names[i]);
  }
  return {true, used + others};
}

}  // namespace plaq::jobs
