// plaq info: what a file holds.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/world.hpp"
#include "comms/placement/launch_site.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/files/info_report.hpp"
#include "jobs/files/stored_field.hpp"

namespace plaq::jobs {

int show_info(const InfoOptions& options) {
  const StoredField stored = find_stored_field(options.file);
  switch (stored.kind) {
    case StoredKind::gauge:
      show_gauge(options, stored.extents);
      break;
    case StoredKind::propagator:
      show_propagator(options, stored);
      break;
    case StoredKind::transformation:
      show_transformation(options, stored.extents);
      break;
    case StoredKind::multigrid:
      show_multigrid(options, stored.extents);
      break;
    case StoredKind::eigenvectors:
      show_eigenvectors(options, stored.extents);
      break;
    case StoredKind::laplacian_modes:
      show_laplacian_modes(options, stored.extents);
      break;
    case StoredKind::state:
      show_state(options, stored.extents);
      break;
    case StoredKind::results:
      on_first_rank([&] { print_whole([&] { show_results(options); }); });
      break;
    case StoredKind::journal:
      on_first_rank([&] { print_whole([&] { show_journal(options); }); });
  }
  return 0;
}

std::optional<Error> problem_of_numbers(const Extents& extents,
                                        const std::function<void(const ProcessGrid&)>& read) {
  choose_launch_site(world(), "host", 0);
  const ProcessGrid grid(world(), choose_grid(world_size(), extents));
  try {
    read(grid);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
    return error;
  }
  return std::nullopt;
}

void print_report(const InfoOptions& options, const std::function<void()>& text,
                  const std::function<nlohmann::ordered_json()>& json, const std::optional<Error>& error) {
  on_first_rank([&] {
    print_whole([&] {
      if (options.json)
        print_safely("{}\n", json().dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
      else
        text();
    });
  });
  if (error) throw *error;
}

}  // namespace plaq::jobs
