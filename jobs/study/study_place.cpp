#include "jobs/study/study_place.hpp"

#include <algorithm>
#include <set>

#include "comms/communicator/node_map.hpp"
#include "core/system/dry_run.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/schema/common_keys.hpp"
#include "settings/action/action_table.hpp"
#include "settings/solver/field_files.hpp"

namespace plaq::jobs {
namespace {

// Nodes of these ranks; a dry run knows those of all.
std::vector<int> nodes_of_first(const Communicator& comm, int ranks) {
  std::vector<int> nodes = nodes_of(comm);
  nodes.resize(static_cast<std::size_t>(ranks));
  return nodes;
}

JobContext context_of(const Communicator& ranks, const JobContext& of_job, std::uint32_t forced,
                      const StudyPoint& point, const TransportChooser& choose) {
  const int of_node = ranks_per_node(nodes_of_first(ranks, point.ranks()));
  auto grid =
      std::make_shared<ProcessGrid>(ranks, point.grid, choose_block(point.grid, point.global(), of_node));
  FaceSettings faces = of_job.job.get<CommsKeys>().faces();
  faces.transport = *transport_kind(point.transport);
  auto transport = start_transport(*grid, of_job.location(), faces, choose).transport;
  const GeometryPtr geometry = grid->geometry(point.global(), forced);
  return {{std::move(grid), geometry, of_job.queue, std::move(transport)},
          of_job.job,
          of_job.site,
          point.global(),
          of_node};
}

}  // namespace

StudyPlace::StudyPlace(const Communicator& ranks, const JobContext& context, const StudySpec& spec,
                       const StudyTask& task, const std::vector<std::string>& gauge_files,
                       const TransportChooser& choose)
    : context_(context_of(ranks, context, spec.forced, task.point, choose)),
      spec_(spec),
      actions_(spec.actions) {
  const auto nodes = nodes_of_first(ranks, task.point.ranks());
  nodes_ = static_cast<int>(std::set<int>(nodes.begin(), nodes.end()).size());
  if (task.configuration >= 0)
    read_gauge(gauge_files[static_cast<std::size_t>(task.configuration)], gauge_files);
  if (spec.solves.empty()) return;
  if (!links_) {
    gauge_ = random_gauge(context_.geometry, 11);
    links_ = FermionLinks{context_.grid.get(), gauge_, context_.queue, context_.transport};
  }
  SetupPaths setup;
  if (!file_.empty()) {
    setup = setup_paths(context_.job, gauge_files, file_);
    if (!spec.deflation.empty()) setup.modes = field_file(spec.deflation, file_, modes_ending);
  }
  solves_.emplace(context_, spec, *links_, std::move(setup));
}

void StudyPlace::read_gauge(const std::string& file, const std::vector<std::string>&) {
  file_ = file;
  LoadedGauge loaded = load_gauge(context_, file);
  of_gauge_ = attributes_of(loaded);
  if (!spec_.targets.empty()) {
    gauge_ = Field(context_.geometry, gauge_spec(Precision::double_precision, Location::host));
    copy(gauge_, loaded.field);
  }
  if (actions_.empty()) return;
  links_ = fermion_links(context_, loaded.field, context_.job.get<ActionSmearing>());
  if (!actions_.front()->needs_bounds()) return;
  const SpectralBounds bounds = actions_.front()->measure_bounds(*links_);
  of_gauge_.emplace_back("spectral_bounds", std::vector<double>{bounds.first, bounds.second});
  for (ActionPtr& action : actions_) action = action->within(bounds);
}

std::vector<Row> StudyPlace::measure(const StudyTask& task, double memory_limit) {
  Asked asked = spec_.asked(task.mass);
  if (!actions_.empty()) asked.action = actions_[static_cast<std::size_t>(task.mass)];
  const bool from_file = !file_.empty();
  Bench bench(std::move(asked), context_, from_file ? &gauge_ : nullptr,
              from_file && links_ ? &*links_ : nullptr);
  bench.memory_limit = memory_limit;
  const auto describe = [&](std::size_t first, bool has_mass) {
    for (std::size_t i = first; i < bench.rows.size(); ++i) {
      Row& row = bench.rows[i];
      row.scaling = task.point.scaling;
      row.nodes = nodes_;
      if (row.transport.empty()) row.transport = task.point.transport;
      row.configuration = file_;
      if (has_mass) row.mass = spec_.actions[static_cast<std::size_t>(task.mass)]->mass();
    }
  };
  for (const std::string& key : spec_.targets) {
    const Target& what = target(key);
    const std::size_t first = bench.rows.size();
    if (task.mass == 0 || what.has_action()) what.measure(bench, what.key);
    describe(first, what.has_action());
  }
  context_.expect_intact_faces();
  const std::size_t first = bench.rows.size();
  if (solves_) solves_->add_rows_of(task.mass, actions_, bench);
  describe(first, true);
  context_.expect_intact_faces();
  return std::move(bench.rows);
}

}  // namespace plaq::jobs
