// generate: quenched SU(3) fields with the Wilson gauge action.
#include <fmt/format.h>

#include <limits>

#include "jobs/generate/chain_plan.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {
namespace {

void check_start(const JobFile& job, std::vector<Problem>& problems) {
  const bool from_file = job.string("gauge", "start") == "file", file = job.has("gauge", "file");
  if (from_file && !file)
    problems.push_back({{"gauge", "file"},
                        "missing key 'file' in [gauge]: start = \"file\" needs the file to start from; for "
                        "example file = \"start.nersc\""});
  if (!from_file && file)
    problems.push_back(
        {{"gauge", "file"},
         "'file' in [gauge]: is read only with start = \"file\"; write that, or leave file out"});
}

void check_extents(const JobFile& job, std::vector<Problem>& problems) {
  if (job.string("gauge", "start") != "file" && !job.has("lattice", "extents"))
    problems.push_back({{"lattice", "extents"},
                        "missing key 'extents' in [lattice]: sites in x, y, z, t; for example extents = "
                        "[8, 8, 8, 16]"});
}

void check_updates(const JobFile& job, std::vector<Problem>& problems) {
  if (job.integer("update", "heatbath") == 0 && job.integer("update", "overrelaxation") == 0)
    problems.push_back(
        {{"update", "heatbath"}, "'heatbath' in [update]: with overrelaxation = 0 it must be at least 1"});
}

Table gauge() {
  return {
      "gauge",
      "Action and start of the gauge field.",
      {key::string("action", "Gauge action.").one_of({"wilson"}).otherwise("wilson"),
       key::real("beta", "Coupling 6/g^2 of the Wilson gauge action.").within(0, 1000).need("6.0"),
       key::string("start", "Random links, unit links, or those of a file.")
           .one_of({"hot", "cold", "file"})
           .otherwise("hot"),
       key::string("file", "Gauge field to start from, with start = \"file\".").such_as("\"start.nersc\""),
       antiperiodic_key()}};
}

Table update() {
  constexpr double many = 1e9;
  return {
      "update",
      "Markov chain; one compound sweep is `heatbath` heatbath sweeps, then `overrelaxation` sweeps.",
      {key::integer(
           "seed",
           "Key of the random numbers; the same seed gives the same fields on any ranks. Going on from a "
           "file needs another seed than that of the run that made it.")
           .within(0, static_cast<double>(std::numeric_limits<std::int64_t>::max()))
           .need("1"),
       key::integer("heatbath", "Cabibbo-Marinari pseudo-heatbath sweeps in a compound sweep.")
           .within(0, 1000)
           .otherwise(1),
       key::integer("overrelaxation", "Microcanonical overrelaxation sweeps in a compound sweep.")
           .within(0, 1000)
           .otherwise(4),
       key::integer("thermalization", "Compound sweeps before the first saved field.")
           .within(0, many)
           .otherwise(500),
       key::integer("separation", "Compound sweeps between two saved fields.").within(1, many).otherwise(50),
       key::integer("configurations", "Number of fields to save.").within(1, 1e6).otherwise(1),
       key::integer("reunitarize_every", "Compound sweeps between projections of the links onto SU(3).")
           .within(1, 1000)
           .otherwise(10)}};
}

Table output() {
  Table table{
      "output",
      "Saved fields.",
      {key::string("prefix",
                   "Start of the file names, directories included: PREFIX.NNNNNN.FORMAT with the number of "
                   "compound sweeps, and PREFIX.history.h5 with the observables.")
           .need("\"field\"")}};
  for (Key& one : saved_field_keys()) table.keys.push_back(std::move(one));
  for (Key& one : std::vector<Key>{
           key::integer("measure_every", "Compound sweeps between measured plaquettes; 0: never.")
               .within(0, 1e9)
               .otherwise(10),
           key::real("checkpoint_minutes",
                     "Minutes between copies of the links in PREFIX.checkpoint, from which a run that was "
                     "killed goes "
                     "on; 0: after every compound sweep.")
               .within(0, 1e6)
               .otherwise(10.0),
           overwrite_key()})
    table.keys.push_back(std::move(one));
  return table;
}

void check_prefix(const JobFile& job, std::vector<Problem>& problems) {
  const std::string& prefix = job.string("output", "prefix");
  if (prefix.ends_with('/'))
    problems.push_back(
        {{"output", "prefix"},
         fmt::format(
             "'prefix' in [output]: found \"{}\", a directory: its files would be hidden ones such as "
             "{}.history.h5; for example \"{}field\"",
             prefix, prefix, prefix)});
}

}  // namespace

const Schema& generate_schema() {
  static const Schema schema = [] {
    Schema s{"generate",
             "Generate quenched SU(3) fields with the Wilson gauge action, by heatbath and overrelaxation.",
             {top_table("generate"), lattice_table(LatticeFrom::job), gauge(), update(), output(),
              comms_table(), run_table()},
             common_rules()};
    s.rules.push_back({{{"gauge", "start"}, {"gauge", "file"}},
                       "file is needed with start = \"file\", and must be left out otherwise.",
                       check_start});
    s.rules.push_back({{{"gauge", "start"}, {"lattice", "extents"}},
                       "extents is needed unless start = \"file\".",
                       check_extents});
    s.rules.push_back({{{"update", "heatbath"}, {"update", "overrelaxation"}},
                       "heatbath and overrelaxation must not both be 0.",
                       check_updates});
    s.rules.push_back({{{"output", "prefix"}}, "prefix is not a directory.", check_prefix});
    s.rules.push_back(saved_field_rule());
    return s;
  }();
  return schema;
}

}  // namespace plaq::jobs
