// generate: quenched SU(3) fields with the Wilson gauge action.
#include <fmt/format.h>

#include <limits>

#include "jobs/generate/chain_plan.hpp"
#include "jobs/run/saved_fields.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/slurm_keys.hpp"

namespace plaq::jobs {
namespace {

void check_start(Problems& problems, const GaugeStartKeys& keys) {
  const bool from_file = keys.start == ChainStart::file, file = !keys.file.empty();
  if (from_file && !file)
    problems.missing("gauge.file",
                     "start = \"file\" needs the file to start from; for example file = \"start.nersc\"");
  if (!from_file && file)
    problems.add("gauge.file", "is read only with start = \"file\"; write that, or leave file out");
}

void check_extents(Problems& problems, const GaugeStartKeys& gauge, const LatticeKeys& lattice) {
  if (gauge.start != ChainStart::file && !lattice.extents)
    problems.missing("lattice.extents", "sites in x, y, z, t; for example extents = [8, 8, 8, 16]");
}

void check_updates(Problems& problems, const UpdateKeys& keys) {
  if (keys.heatbath == 0 && keys.overrelaxation == 0)
    problems.add("update.heatbath", "with overrelaxation = 0 it must be at least 1");
}

void check_prefix(Problems& problems, const ChainOutputKeys& output) {
  const std::string& prefix = output.prefix;
  if (prefix.ends_with('/'))
    problems.add("output.prefix", fmt::format("found \"{}\", a directory: its files would be hidden ones "
                                              "such as {}.history.h5; for example \"{}field\"",
                                              prefix, prefix, prefix));
}

Table gauge() {
  return {
      "gauge",
      "Gauge action, and first links of the Markov chain.",
      {field(&GaugeStartKeys::action, "action", "Gauge action.").one_of({"wilson"}),
       field(&GaugeStartKeys::beta, "beta", "Coupling 6/g^2 of the Wilson gauge action.")
           .within(0, 1000)
           .need("6.0"),
       choice(&GaugeStartKeys::start, "start",
              "First links: random (hot), unit links (cold), or the links of a file. After a file, the count "
              "of sweeps continues from the SEQUENCE_NUMBER of its header.",
              {{"hot", ChainStart::hot}, {"cold", ChainStart::cold}, {"file", ChainStart::file}}),
       field(&GaugeStartKeys::file, "file", "Gauge field from which the chain starts, with start = \"file\".")
           .such_as("\"start.nersc\""),
       antiperiodic_key(), accept_checksums_key()}};
}

Table update() {
  constexpr double many = 1e9;
  return {"update",
          "The Markov chain. A compound sweep is `heatbath` heatbath sweeps and then `overrelaxation` "
          "overrelaxation sweeps.",
          {field(&UpdateKeys::seed, "seed",
                 "Seed of the random numbers. The same seed gives the same fields on any process grid. A "
                 "chain that starts from a file needs a different seed from the run that made the file.")
               .within(0, static_cast<double>(std::numeric_limits<std::int64_t>::max()))
               .need("1"),
           field(&UpdateKeys::heatbath, "heatbath",
                 "Cabibbo-Marinari pseudo-heatbath sweeps in a compound sweep.")
               .within(0, 1000),
           field(&UpdateKeys::overrelaxation, "overrelaxation",
                 "Microcanonical overrelaxation sweeps in a compound sweep.")
               .within(0, 1000),
           field(&UpdateKeys::thermalization, "thermalization",
                 "Number of compound sweeps before the first saved field.")
               .within(0, many),
           field(&UpdateKeys::separation, "separation", "Number of compound sweeps between two saved fields.")
               .within(1, many),
           field(&UpdateKeys::configurations, "configurations",
                 "Number of fields to save. If this number is raised, a complete job continues its chain.")
               .within(1, 1e6),
           field(&UpdateKeys::reunitarize_every, "reunitarize_every",
                 "Number of compound sweeps between two projections of the links onto SU(3).")
               .within(1, 1000)}};
}

Table output() {
  return {
      "output", "The saved fields.",
      joined<Key>(
          {{field(
                &ChainOutputKeys::prefix, "prefix",
                "Beginning of the file names, with directories. Fields are written to PREFIX.NNNNNN.FORMAT, "
                "where NNNNNN is the number of compound sweeps. PREFIX.history.h5 has the observables.")
                .need("\"field\"")},
           saved_field_keys(),
           {field(&ChainOutputKeys::measure_every, "measure_every",
                  "Number of compound sweeps between two measurements of the plaquette; 0: the plaquette is "
                  "never measured.")
                .within(0, 1e9),
            field(&ChainOutputKeys::checkpoint_minutes, "checkpoint_minutes",
                  "Minutes between two writes of the links to PREFIX.checkpoint. A run that was killed "
                  "continues from this file. 0: a write after every compound sweep.")
                .within(0, 1e6)
                .not_physics(),
            overwrite_key()}})};
}

std::vector<Rule> rules() {
  return joined<Rule>(
      {common_rules(),
       {{{"gauge.start", "gauge.file"},
         "file is needed with start = \"file\", and must be left out otherwise.",
         check_start},
        {{"gauge.start", "lattice.extents"}, "extents is needed unless start = \"file\".", check_extents},
        {{"update.heatbath", "update.overrelaxation"},
         "heatbath and overrelaxation must not both be 0.",
         check_updates},
        {{"output.prefix"}, "prefix must not be a directory.", check_prefix},
        saved_field_rule()}});
}

}  // namespace

const Schema& generate_schema() {
  static const Schema schema{
      "generate",
      "Generate quenched SU(3) fields with the Wilson gauge action, by heatbath and overrelaxation.",
      {top_table("generate"), lattice_table(LatticeFrom::job), gauge(), update(), output(), comms_table(),
       run_table(), slurm_table()},
      rules()};
  return schema;
}

}  // namespace plaq::jobs
