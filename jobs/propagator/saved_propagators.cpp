#include "jobs/propagator/propagator.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"
#include "io/propagator/propagator_file.hpp"
#include "jobs/propagator/propagator_observable.hpp"
#include "jobs/run/saved_fields.hpp"
#include "jobs/schema/common_keys.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/quark/note_text.hpp"
#include "settings/quark/source_kind.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

enum class SavedPropagators { none, hdf5, scidac };

struct PropagatorFileKeys {
  SavedPropagators propagators = SavedPropagators::none;
  std::string propagator_directory = ".";
};

// `quark`: its name, where there are many masses.
std::string file_name(const Settings& job, const std::string& gauge_file, const std::string& quark,
                      int source) {
  const std::string field = std::filesystem::path(gauge_file).filename().string();
  const auto keys = job.get<PropagatorFileKeys>();
  const char* extension = keys.propagators == SavedPropagators::hdf5 ? "h5" : "lime";
  return (std::filesystem::path(keys.propagator_directory) /
          fmt::format("{}{}{}.s{}.prop.{}", field, quark.empty() ? "" : ".", quark, source, extension))
      .string();
}

std::vector<std::string> quarks_of(const Settings& job) {
  std::vector<std::string> names = names_of_masses(job.get<ActionKeys>());
  if (names.empty()) names.emplace_back();
  return names;
}

PropagatorNote note_of(const Settings& job, const SourceQuarks& from, double mass) {
  const GaugeFileInfo& info = from.gauge.report.info;
  const auto action = job.get<ActionKeys>();
  PropagatorNote note = from.note;
  note.gauge_file = std::filesystem::path(info.path).filename().string();
  note.gauge_format = name_of(info.format);
  note.gauge_checksum = info.checksum.value_or(from.gauge.report.checksum).text();
  note.source = from.number;
  note.derivative = job.get<SourceKeys>().derivative;
  note.action = action.type->name();
  note.mass = mass;
  note.twisted_mass = twisted_mass_of(*action_of_any_mass(job));
  note.boundary = action.boundary[3];
  note.space_boundary = action.in_space();
  return note;
}

class PropagatorWriting final : public QuarkMeasurement {
 public:
  explicit PropagatorWriting(const JobContext& context) : context_(context) {}

  // The text of a file is the job, but for [output], with PropagatorNote.
  Results measure(const SourceQuarks& from) override {
    const JobFile& job = context_.job;
    const Phase phase("writing a propagator");
    context_.queue.synchronize();
    const auto names = quarks_of(job);
    const auto actions = actions_of_masses(job);
    for (std::size_t i = 0; i < from.quarks.size(); ++i) {
      Field host = from.quarks[i];  // the same memory
      if (host.location() != Location::host) {
        FieldSpec spec = host.spec();
        spec.location = Location::host;
        host = Field(context_.geometry, spec);
        copy(host, from.quarks[i]);
      }
      const std::string path = file_name(job, from.gauge.report.info.path, names[i], from.number);
      PropagatorWriteOptions options;
      const bool hdf5 = job.get<PropagatorFileKeys>().propagators == SavedPropagators::hdf5;
      options.format = hdf5 ? PropagatorFormat::hdf5 : PropagatorFormat::scidac;
      // Not where it goes: the same propagator has the same bytes in any directory.
      options.metadata =
          job.physics_text_without("output") + note_text(note_of(job, from, actions[i]->mass()));
      write_propagator(path, *context_.grid, host, options);
      log::info(fmt::format("wrote {}", path));
    }
    return {};
  }

 private:
  const JobContext& context_;
};

class SavedPropagatorsObservable final : public PropagatorObservable {
 public:
  const char* key() const override { return "output.propagators"; }
  bool is_asked(const Settings& job) const override { return writes_propagators(job); }
  bool takes_many_masses() const override { return true; }
  bool takes_some_columns() const override { return true; }
  std::vector<Key> output_keys() const override {
    return {
        choice(&PropagatorFileKeys::propagators, "propagators",
               "Format in which the job also writes each propagator, in double precision: FIELD.sK.prop.h5 "
               "or FIELD.sK.prop.lime. FIELD is the name of the gauge file, and K the number of the source. "
               "With several masses the names are FIELD.mMASS.sK.prop.h5 or FIELD.kKAPPA.sK.prop.h5.",
               {{"none", SavedPropagators::none},
                {"hdf5", SavedPropagators::hdf5},
                {"scidac", SavedPropagators::scidac}}),
        field(&PropagatorFileKeys::propagator_directory, "propagator_directory",
              "Directory for the propagators.")};
  }
  std::unique_ptr<QuarkMeasurement> measurement(const JobContext& context) const override {
    return std::make_unique<PropagatorWriting>(context);
  }
};

}  // namespace

bool writes_propagators(const Settings& job) {
  return job.get<PropagatorFileKeys>().propagators != SavedPropagators::none;
}

std::vector<std::string> propagator_names(const Settings& job, const std::vector<std::string>& gauge_files,
                                          int sources) {
  return names_of_made_files(
      job,
      [&](const std::string& field) {
        std::vector<std::string> names;
        for (int k = 0; writes_propagators(job) && k < sources; ++k)
          for (const std::string& quark : quarks_of(job)) names.push_back(file_name(job, field, quark, k));
        return names;
      },
      gauge_files);
}

bool has_propagator(const Settings& job, const std::string& gauge_file, int source) {
  std::vector<std::string> names;
  for (const std::string& quark : quarks_of(job)) names.push_back(file_name(job, gauge_file, quark, source));
  return !writes_propagators(job) || are_there(names);
}

const PropagatorObservable& saved_propagators() {
  static const SavedPropagatorsObservable observable;
  return observable;
}

}  // namespace plaq::jobs
