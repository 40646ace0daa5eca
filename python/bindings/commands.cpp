#include "python/bindings/bindings.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "comms/communicator/world.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/machine.hpp"
#include "core/system/wording.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/program/exit_codes.hpp"
#include "jobs/schema/job_types.hpp"
#include "python/bindings/arguments.hpp"
#include "python/bindings/call.hpp"
#include "python/bindings/keywords.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

std::vector<std::string> overrides_of(const nb::dict& set) {
  std::vector<std::string> overrides;
  for (const auto& [key, value] : set)
    overrides.push_back(
        override_of(argument_as<std::string>(key, "set", "a dict of \"table.key\": value"), value));
  return overrides;
}

void run(nb::handle job, const nb::dict& set, nb::handle comm) {
  const WordingScope of_jobs(job_file_wording());
  jobs::RunOptions options;
  options.overrides = overrides_of(set);
  const bool in_memory = nb::isinstance<nb::dict>(job);
  const std::string text = in_memory ? toml_of_job(nb::cast<nb::dict>(job)) : std::string();
  options.job_file = in_memory ? "job" : path_of(job, "job");
  const Communicator ranks = ranks_of(comm);
  const Call call(ranks);  // also while an error is thrown: a signal that it tells of has come to its end
  const int code = in_memory ? jobs::run_job_text(text, options) : jobs::run_job(options);
  if (code == exit_code(ErrorKind::stopped))
    throw Error(ErrorKind::stopped,
                fmt::format("{}: stopped by a signal; run it again to go on", options.job_file));
  if (code != 0)
    throw Error(static_cast<ErrorKind>(code), fmt::format("{}: ended with code {}", options.job_file, code));
}

std::string plan(nb::handle job, const nb::dict& set, int ranks, int ranks_per_node,
                 const std::string& location, const std::string& gpu, const std::vector<std::string>& assume,
                 bool json) {
  const WordingScope of_jobs(job_file_wording());
  for (const auto& [name, number] : {std::pair{"ranks", ranks}, {"ranks_per_node", ranks_per_node}})
    if (number < 0)
      throw Error(ErrorKind::usage,
                  fmt::format("argument '{}': expected at least 1, or 0 for the usual number, found {}", name,
                              number));
  if (!location.empty() && location != "host" && location != "gpu")
    throw Error(ErrorKind::usage,
                fmt::format("argument 'location': expected \"host\" or \"gpu\", found \"{}\"", location));
  jobs::PlanOptions options;
  options.run.job_file = path_of(job, "job");
  options.run.overrides = overrides_of(set);
  options.ranks = ranks;
  options.ranks_per_node = ranks_per_node;
  options.location = location;
  options.gpu = gpu;
  options.assumptions = assume;
  options.json = json;
  const Communicator here = ranks_of(nb::none());
  const Call call(here);
  return text_of(options);
}

std::string schema(const std::string& job, bool json, bool example) {
  jobs::SchemaOptions options;
  options.job = job;
  options.json = json;
  options.example = example;
  return text_of(options);
}

void set_log(const std::string& level) {
  constexpr std::pair<const char*, log::Level> levels[] = {{"debug", log::Level::debug},
                                                           {"info", log::Level::info},
                                                           {"warning", log::Level::warning},
                                                           {"error", log::Level::error},
                                                           {"silent", log::Level::silent}};
  for (const auto& [name, value] : levels)
    if (level == name) return log::set_level(value);
  throw Error(ErrorKind::usage,
              fmt::format("log level \"{}\" is none of debug, info, warning, error, silent", level));
}

nb::list exit_codes() {
  nb::list all;
  for (const jobs::ExitCode& one : jobs::exit_codes())
    all.append(nb::make_tuple(one.code, one.name, one.meaning, one.remedy));
  return all;
}

}  // namespace

void bind_commands(nb::module_& module) {
  module.def("version", &version, "The version of plaq.");
  module.def("set_log", &set_log, "level"_a,
             "Sets the least level of messages on standard error: \"debug\", \"info\", \"warning\" "
             "(default), \"error\", "
             "\"silent\".");
  module.def(
      "run", &run, "job"_a, "set"_a = nb::dict(), "comm"_a = nb::none(),
      nb::sig("def run(job: str | PathLike[str] | dict, set: dict = {}, comm: object | None = None) -> None"),
      "Runs a job like `plaq run`. job: the name of a job file, or a dict of its tables.\n"
      "set: keys in place of those of the job, {\"solver.method\": \"bicgstab\"}. A stopped\n"
      "job continues when it is run again. Ctrl-C stops a job at its next safe point\n"
      "(Stopped). set_log(\"info\") shows the progress. Collective.");
  module.def("plan", &plan, "job"_a, "set"_a = nb::dict(), "ranks"_a = 0, "ranks_per_node"_a = 0,
             "location"_a = "", "gpu"_a = "", "assume"_a = std::vector<std::string>(), "json"_a = false,
             nb::sig("def plan(job: str | PathLike[str], set: dict = {}, ranks: int = 0, ranks_per_node: int "
                     "= 0, location: "
                     "str = '', gpu: str = '', assume: Sequence[str] = [], json: bool = False) -> str"),
             "The text of `plaq plan`: memory and files of a job, which does not run.");
  module.def("schema", &schema, "job"_a = "", "json"_a = false, "example"_a = false,
             "The text of `plaq schema`: every key of a job type. example = True: a job file with all keys.");
  module.def("job_types", &jobs::job_type_names, "The names of all job types.");
  module.def("exit_codes", &exit_codes, "(code, name, meaning, remedy) of each.");
}

}  // namespace plaq::python
