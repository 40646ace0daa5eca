// scaling: strong and weak scaling of operators and solvers over ranks, process grids and transports.
#include <fmt/format.h>

#include <algorithm>

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport_choice.hpp"
#include "core/operator/active_set.hpp"
#include "jobs/common/four_numbers.hpp"
#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/model/machine_model.hpp"
#include "jobs/scaling/scaled_operators.hpp"
#include "jobs/scaling/scaling_keys.hpp"
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {
namespace {

using Texts = std::vector<std::string>;
using Integers = std::vector<std::int64_t>;

constexpr double most_ranks = 65536;

std::vector<std::string> transports() {
  Texts names;
  for (const auto name : transport_names)
    if (name != "self") names.emplace_back(name);
  return names;
}

Table scaling() {
  return {
      "scaling",
      "Points of the study: every lattice on every process grid, by every transport.",
      {key::strings("strong", "Lattices, sites in x, y, z, t, that all ranks share.")
           .such_as("[\"32x32x32x64\", \"48x48x48x64\"]")
           .show()
           .otherwise(Texts{}),
       key::strings("weak", "Lattices that each rank has for itself.")
           .such_as("[\"24x24x24x24\"]")
           .otherwise(Texts{}),
       key::integers("ranks",
                     "Numbers of ranks; grids are chosen: of strong scaling the one of least surface, of "
                     "weak scaling the one that keeps the lattice nearest to a cube.")
           .within(1, most_ranks)
           .such_as("[1, 2, 4, 8]")
           .show()
           .otherwise(Integers{}),
       key::strings("process_grids", "Further process grids, ranks in x, y, z, t.")
           .such_as("[\"1x1x1x4\", \"1x1x2x2\"]")
           .otherwise(Texts{}),
       key::strings("transports",
                    "How faces travel, as in [comms]; one that cannot be used here is said and left out.")
           .one_of(transports())
           .not_empty()
           .otherwise(Texts{"auto"}),
       key::strings(
           "operators",
           "The action's hopping term on one parity (of domain walls on all slices), its symmetric and "
           "asymmetric even-odd operator; a sweep of overrelaxation to Landau gauge over all sites, in "
           "SU(3) as a whole (gauge_fixing) or in its subgroups of SU(2) (gauge_fixing_su2).")
           .one_of(scaled_operator_keys(false))
           .otherwise(Texts{"hop", "schur"}),
       key::strings("methods",
                    "Methods, each alone in one storage on the symmetric even-odd operator; their time is "
                    "that of an iteration.")
           .one_of(scaled_operator_keys(true))
           .otherwise(Texts{}),
       key::strings("storages",
                    "Precision and real numbers that a link is stored as; mixed: of "
                    "gauge fixing, links in single and g in double precision.")
           .one_of(scaled_storage_names())
           .not_empty()
           .otherwise(Texts{"single 12", "half 12"}),
       key::integers("right_hand_sides", "Right-hand sides at once; of gauge fixing gauge copies.")
           .within(1, 256)
           .not_empty()
           .otherwise(Integers{1}),
       key::integer("iterations", "Iterations of a method in each sample; a residual is not looked at.")
           .within(1, 1e6)
           .otherwise(100),
       key::integer("samples", "Times that each is measured; 0: as many as a steady result needs.")
           .within(0, 10000)
           .otherwise(0)}};
}

Table output() {
  return {"output",
          "The results.",
          {key::string("file", "HDF5 file of the results.").need("\"scaling.h5\""),
           key::string("json", "JSON file of the same, a row for each point, operator and storage.")
               .such_as("\"scaling.json\"")
               .without("none"),
           key::string("table", "Text file of the table that is printed at the end.")
               .such_as("\"scaling.txt\"")
               .without("none"),
           overwrite_key()}};
}

Table model() {
  Texts machines = {"none"};
  for (const std::string& name : machine_names()) machines.push_back(name);
  return {
      "model",
      "What the model of plaq plan expects, beside what is measured.",
      {key::string("machine", "Machine whose constants the model takes; none: those of `measurements` alone.")
           .one_of(machines)
           .otherwise("none"),
       key::strings("measurements",
                    "Files of plaq bench with --json (network, bandwidth, wilson_hop, krylov), whose "
                    "constants replace those of the machine.")
           .such_as("[\"network.json\"]")
           .otherwise(Texts{})}};
}

Table slurm() {
  return {
      "slurm",
      "Job scripts for Slurm: plaq run JOB.toml --generate DIRECTORY. No key here changes any result.",
      {key::integer("ranks_per_node", "Ranks of a node, one for each GPU.").within(1, 4096).otherwise(8),
       key::string("time", "Limit of each job, as sbatch takes it.").otherwise("00:30:00"),
       key::string("partition", "Partition of the cluster.").such_as("\"gpu\"").without("the usual one"),
       key::string("account", "Account that pays.").such_as("\"lattice\"").without("the usual one"),
       key::strings("options", "Further options of sbatch.").such_as("[\"--exclusive\"]").otherwise(Texts{}),
       key::strings("setup", "Lines of shell before the program starts.")
           .such_as("[\"module load openmpi\"]")
           .of_many_lines()
           .otherwise(Texts{}),
       key::string("launcher", "What starts the ranks; it may use Slurm's variables.")
           .such_as("\"mpirun -np $SLURM_NTASKS\"")
           .otherwise("srun")}};
}

void check_something(const JobFile& job, std::vector<Problem>& problems) {
  const auto blame = [&](const char* key, const char* other, const char* what) {
    problems.push_back(
        {{"scaling", key}, fmt::format("'{}' in [scaling]: is empty, as is '{}': {}", key, other, what)});
  };
  if (job.strings("scaling", "strong").empty() && job.strings("scaling", "weak").empty())
    blame("strong", "weak", "there is no lattice to measure on");
  if (job.integers("scaling", "ranks").empty() && job.strings("scaling", "process_grids").empty())
    blame("ranks", "process_grids", "no rank is left to measure on");
  if (job.strings("scaling", "operators").empty() && job.strings("scaling", "methods").empty())
    blame("operators", "methods", "nothing is left to measure");
}

void check_texts(const JobFile& job, std::vector<Problem>& problems) {
  for (const char* key : {"strong", "weak", "process_grids"}) {
    const bool grid = key == std::string("process_grids");
    for (const auto& text : job.strings("scaling", key))
      if (const auto four = grid ? parse_four(text) : parse_lattice(text);
          !four || (grid && 1.0 * (*four)[0] * (*four)[1] * (*four)[2] * (*four)[3] > most_ranks))
        problems.push_back({{"scaling", key},
                            fmt::format("'{}' in [scaling]: '{}' must be four {}", key, text,
                                        grid ? "numbers of ranks, 65536 in all at most, for example 1x1x2x4"
                                             : "even extents, for example 16x16x16x32")});
  }
}

template <class List>
void check_once(const char* key, List list, std::vector<Problem>& problems) {
  std::sort(list.begin(), list.end());
  if (const auto twice = std::adjacent_find(list.begin(), list.end()); twice != list.end())
    problems.push_back({{"scaling", key}, fmt::format("'{}' in [scaling]: {} is listed twice", key, *twice)});
}

void check_all_once(const JobFile& job, std::vector<Problem>& problems) {
  for (const char* key : {"strong", "weak", "process_grids"})
    check_once(key, job.strings("scaling", key), problems);
  for (const char* key : {"ranks", "right_hand_sides"})
    check_once(key, job.integers("scaling", key), problems);
}

void check_splits(const JobFile& job, std::vector<Problem>& problems) {
  for (const auto& text : job.strings("scaling", "strong")) {
    const auto lattice = parse_lattice(text);
    if (!lattice) continue;
    for (const auto n : job.integers("scaling", "ranks"))
      if (allowed_grids(static_cast<int>(n), *lattice).empty())
        problems.push_back({{"scaling", "ranks"},
                            fmt::format("'ranks' in [scaling]: {} ranks cannot share {} into even local "
                                        "extents",
                                        n, text)});
    for (const auto& grid_text : job.strings("scaling", "process_grids"))
      if (const auto grid = parse_four(grid_text))
        for (std::size_t d = 0; d < 4; ++d)
          if ((*lattice)[d] % (2 * (*grid)[d]) != 0)
            problems.push_back(
                {{"scaling", "process_grids"},
                 fmt::format(
                     "'process_grids' in [scaling]: the {} ranks of {} in direction {} cannot share {} "
                     "sites of {}; each rank must get the same even number of them",
                     (*grid)[d], grid_text, "xyzt"[d], (*lattice)[d], text)});
  }
}

void check_comms(const JobFile& job, std::vector<Problem>& problems) {
  if (job.has("comms", "process_grid"))
    problems.push_back({{"comms", "process_grid"},
                        "'process_grid' in [comms]: a scaling job has many; they are 'ranks' and "
                        "'process_grids' in [scaling]"});
  if (job.string("comms", "transport") != "auto")
    problems.push_back(
        {{"comms", "transport"},
         "'transport' in [comms]: a scaling job has many; they are 'transports' in [scaling]"});
}

// How many operators and methods are of gauge fixing, and how many are not.
struct Kinds {
  int fixing = 0, dirac = 0;
};
Kinds kinds_of(const JobFile& job) {
  Kinds kinds;
  kinds.dirac = static_cast<int>(job.strings("scaling", "methods").size());
  for (const auto& op : job.strings("scaling", "operators"))
    ++(scaled_operator(op).fixes_gauge ? kinds.fixing : kinds.dirac);
  return kinds;
}

void check_storages(const JobFile& job, std::vector<Problem>& problems) {
  const Kinds kinds = kinds_of(job);
  for (const auto& text : job.strings("scaling", "storages")) {
    const auto storage = parse_scaled_storage(text);
    if (!storage) continue;
    if (storage->mixed && kinds.dirac > 0)
      problems.push_back(
          {{"scaling", "storages"},
           fmt::format("'storages' in [scaling]: '{}' is of gauge fixing alone; Dirac operators "
                       "and methods are stored in one precision",
                       text)});
    if (!storage->fixes_gauge() && kinds.fixing > 0)
      problems.push_back({{"scaling", "storages"},
                          fmt::format("'storages' in [scaling]: '{}' is not of gauge fixing, which has links "
                                      "of 12 reals in double, single or mixed precision",
                                      text)});
  }
}

// The first rule of an action: which mass.
void check_action(const JobFile& job, std::vector<Problem>& problems) {
  if (kinds_of(job).dirac > 0) action_rules(MassKeys::one, Actions::all).front().check(job, problems);
}

// What other quarks than Wilson's do without here.
void check_other_quarks(const JobFile& job, std::vector<Problem>& problems) {
  const auto complain = [&](const char* table, const char* key, const std::string& what) {
    problems.push_back({{table, key}, fmt::format("'{}' in [{}]: {}", key, table, what)});
  };
  if (quark_kind(job) != QuarkKind::wilson && job.lists("scaling", "operators", "schur_asymmetric"))
    complain("scaling", "operators", "schur_asymmetric is of Wilson and clover quarks alone");
  if (job.optional_string("action", "variant").value_or("") == "optimal" && !job.has("action", "bounds"))
    complain("action", "bounds",
             "missing: the links of a scaling job are random, so that nothing is measured");
  const auto slices = job.optional_integer("action", "n_s").value_or(1);
  for (const auto rhs : job.integers("scaling", "right_hand_sides"))
    if (rhs * slices > ActiveSet::capacity)
      complain(
          "scaling", "right_hand_sides",
          fmt::format("{} of {} slices each are more than {} at a time", rhs, slices, ActiveSet::capacity));
}

std::vector<Rule> rules() {
  const KeyName strong{"scaling", "strong"}, weak{"scaling", "weak"}, ranks{"scaling", "ranks"},
      grids{"scaling", "process_grids"};
  std::vector<Rule> all = {
      {{strong, weak, ranks, grids, {"scaling", "operators"}, {"scaling", "methods"}},
       "There must be a lattice, a number of ranks or a process grid, and an operator or a method.",
       check_something},
      {{strong, weak, grids},
       "Four numbers with an x between them; extents of lattices are even.",
       check_texts},
      {{strong, weak, ranks, grids, {"scaling", "right_hand_sides"}},
       "Each stands there once.",
       check_all_once},
      {{strong, ranks, grids},
       "Each rank must get the same even number of sites in each direction, at least 2.",
       check_splits},
      {{{"comms", "process_grid"}, {"comms", "transport"}},
       "In a scaling job they are left alone: [scaling] lists what is measured.",
       check_comms}};
  all.push_back({{{"scaling", "storages"}, {"scaling", "operators"}, {"scaling", "methods"}},
                 "Gauge fixing has links of 12 reals in double, single or mixed precision; nothing else "
                 "is mixed.",
                 check_storages});
  all.push_back(
      {{{"action", "type"}, {"action", "n_s"}, {"scaling", "operators"}, {"scaling", "right_hand_sides"}},
       "The asymmetric even-odd operator is of Wilson and clover quarks; optimal weights need "
       "bounds; a batch has at most 256 slices of the fifth dimension in all.",
       check_other_quarks});
  std::vector<Rule> of_action = action_rules(MassKeys::one, Actions::all);
  of_action.front().text = "Where there are Dirac operators or methods: " + of_action.front().text;
  of_action.front().check = check_action;
  of_action.front().keys.insert(of_action.front().keys.end(),
                                {{"scaling", "operators"}, {"scaling", "methods"}});
  for (Rule& rule : of_action) all.push_back(std::move(rule));
  return all;
}

}  // namespace

const Schema& scaling_schema() {
  static const Schema schema{"scaling",
                             "Measure strong and weak scaling of Dirac operators, solvers and gauge fixing "
                             "over ranks, process grids "
                             "and transports, on random fields.",
                             {top_table("scaling"), scaling(), action_table(MassKeys::one, Actions::all),
                              model(), output(), slurm(), comms_table(), run_table()},
                             rules()};
  return schema;
}

}  // namespace plaq::jobs
