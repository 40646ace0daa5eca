// Job type contract: on each gauge field, correlators of propagators that are stored in files. Results:
//
//   /                     attributes: plaq_version, job_type, job, extents
//   /quarks               attributes: names, files, boundary
//   /quarks/...           [configuration][source][quark] checksum, mass
//   /source               attributes: count
//   /sources/position     [configuration][source][direction]
//   /correlators/...      [configuration][source][t][real, imaginary], jobs/correlators/correlators.hpp
//   /gauge/000000, ...    one group a configuration
#include <memory>
#include <optional>

#include "comms/communicator/collective.hpp"
#include "core/launch/tuning.hpp"
#include "core/system/dry_run.hpp"
#include "jobs/contract/contract_keys.hpp"
#include "jobs/contract/stored_quarks.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/run/ensemble_job.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"
#include "settings/quark/quark_smearing_table.hpp"

namespace plaq::jobs {
namespace {

CorrelatorPlan plan_of(const Settings& job, const Extents& extents) {
  const auto keys = job.get<CorrelatorKeys>();
  return {channels_named(keys.channels, channels_of_flavours()),
          job_momenta(job, "correlators", keys.max_momentum_squared, extents), keys.spin_matrix,
          job.get<QuarkKeys>().boundary};
}

class Contractions {
 public:
  Contractions(const JobContext& context, const StoredQuarks& quarks)
      : context_(context),
        quarks_(quarks),
        names_(context.job.get<QuarkKeys>().names),
        contents_(contents_of(context.job)),
        plan_(plan_of(context.job, context.extents)),
        correlators_(context, plan_) {
    const auto keys = context.job.get<CorrelatorKeys>();
    point_sink_ = keys.has_sink("point");
    smear_sink_ = keys.has_sink("smeared");
  }

  void begin(LoadedGauge& gauge) {
    if (!smear_sink_) return;
    smearing_.reset();  // one at a time
    smearing_ = make_quark_smearing(
        context_, std::exchange(gauge.field, {}),
        quark_smearing_settings(context_.job, context_.job.get<QuarkKeys>().space_boundary),
        plan_.channels.front().spins());
  }

  Results operator()(const LoadedGauge& gauge, int k) {
    const std::string& file = gauge.report.info.path;
    LoadedQuarks loaded = quarks_.read(context_, file, k);
    const Extents& position = quarks_.position(file, k);
    {
      const Phase phase("contracting");
      if (point_sink_) contract("point", loaded.fields, position);
      if (smear_sink_) {
        smear(loaded.fields);
        contract("smeared", loaded.fields, position);
      }
    }
    Results results;
    on_first_rank([&] {
      results.numbered_group("/gauge", smear_sink_ ? attributes_of(gauge) : attributes_of(gauge.report.info));
      results.dataset("/sources/position", {4}, std::vector<std::int64_t>(position.begin(), position.end()),
                      described({"direction"}, "1", "site of the source: x, y, z, t"));
      quarks_.add_to(results, file, k, loaded);
    });
    for (const TwoPointFunction& correlator : correlators_.take())
      add_correlator(results, correlator, "over the points of the propagators' source");
    return results;
  }

 private:
  // One object for each field: contractions know by it which quarks are the same.
  const Field* field_of(const std::vector<Field>& fields, std::size_t quark) const {
    std::size_t first = 0;
    while (memory_of(fields[first]).data() != memory_of(fields[quark]).data()) ++first;
    return &fields[first];
  }

  void contract(const std::string& sink, const std::vector<Field>& fields, const Extents& position) {
    for (const auto* list : {&contents_.mesons, &contents_.baryons})
      for (const auto& quarks : *list) {
        QuarkContent content;
        for (const std::size_t quark : quarks) {
          content.names.push_back(names_[quark]);
          content.fields.push_back(field_of(fields, quark));
        }
        correlators_.add(sink, content, position);
      }
  }

  void smear(std::vector<Field>& fields) {
    for (std::size_t quark = 0; quark < fields.size(); ++quark)
      if (field_of(fields, quark) == &fields[quark]) smearing_->apply(fields[quark]);
  }

  const JobContext& context_;
  const StoredQuarks& quarks_;
  std::vector<std::string> names_;
  Contents contents_;
  CorrelatorPlan plan_;
  CorrelatorSet correlators_;
  std::unique_ptr<QuarkSmearing> smearing_;  // null where no sink is smeared
  bool point_sink_ = false, smear_sink_ = false;
};

class ContractJob : public EnsembleJob {
 public:
  explicit ContractJob(const JobFile& job) : EnsembleJob(job), quarks_(job, input()) {}

 private:
  JobFiles files() const override {
    JobFiles files = EnsembleJob::files();
    for (const auto& name : quarks_.all_names()) files.paths.reads(name, "a propagator ([quarks] files)");
    return files;
  }
  void prepare() override { contractions_.emplace(context(), quarks_); }

  std::string axis() const override { return "source"; }
  int parts() const override { return quarks_.sources(); }
  bool reads_links() const override { return job().get<CorrelatorKeys>().has_sink("smeared"); }
  bool counts(const Results& source) const override { return quarks_.found_with(source); }
  void begin(LoadedGauge& gauge) override { contractions_->begin(gauge); }
  Results compute(LoadedGauge& gauge, int source) override { return (*contractions_)(gauge, source); }
  void describe(OutputFile& out) const override {
    out.group("/quarks", quarks_.attributes());
    out.group("/source", quarks_.source_attributes());
  }

  StoredQuarks quarks_;
  std::optional<Contractions> contractions_;
};

}  // namespace

extern constinit const JobType contract_job{
    .name = "contract", .schema = contract_schema, .run = run_as<ContractJob>};

}  // namespace plaq::jobs
