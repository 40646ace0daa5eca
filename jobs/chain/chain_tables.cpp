#include "jobs/chain/chain_tables.hpp"

#include <fmt/format.h>

#include <limits>

#include "jobs/chain/chain_plan.hpp"
#include "jobs/run/saved_fields.hpp"
#include "jobs/schema/common_keys.hpp"

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

void check_prefix(Problems& problems, const ChainOutputKeys& output) {
  const std::string& prefix = output.prefix;
  if (prefix.ends_with('/'))
    problems.add("output.prefix", fmt::format("found \"{}\", a directory: its files would be hidden ones "
                                              "such as {}.history.h5; for example \"{}field\"",
                                              prefix, prefix, prefix));
}

}  // namespace

std::vector<Key> chain_start_keys(const std::string& steps, const std::string& quenched) {
  Names<ChainStart> names{{"hot", ChainStart::hot}, {"cold", ChainStart::cold}, {"file", ChainStart::file}};
  if (!quenched.empty()) names.add("quenched", ChainStart::quenched);
  return {
      choice(&GaugeStartKeys::start, "start",
             fmt::format(
                 "First links: random (hot), unit links (cold), or the links of a file. After a file, the "
                 "count of {} continues from the SEQUENCE_NUMBER of its header.{}{}",
                 steps, quenched.empty() ? "" : " ", quenched),
             names),
      field(&GaugeStartKeys::file, "file", "Gauge field from which the chain starts, with start = \"file\".")
          .such_as("\"start.nersc\""),
      antiperiodic_key(), accept_checksums_key()};
}

Key chain_seed_key() {
  return field(&ChainKeys::seed, "seed",
               "Seed of the random numbers. The same seed gives the same fields on any process grid. A "
               "chain that starts from a file needs a different seed from the run that made the file.")
      .within(0, static_cast<double>(std::numeric_limits<std::int64_t>::max()))
      .need("1");
}

std::vector<Key> chain_length_keys(const std::string& steps) {
  constexpr double many = 1e9;
  return {field(&ChainKeys::thermalization, "thermalization",
                fmt::format("Number of {} before the first saved field.", steps))
              .within(0, many),
          field(&ChainKeys::separation, "separation",
                fmt::format("Number of {} between two saved fields.", steps))
              .within(1, many),
          field(&ChainKeys::configurations, "configurations",
                "Number of fields to save. If this number is raised, a complete job continues its chain.")
              .within(1, 1e6)};
}

Table chain_output_table(const std::string& step, const std::string& steps, const std::string& history) {
  return {
      "output", "The saved fields.",
      joined<Key>(
          {{field(&ChainOutputKeys::prefix, "prefix",
                  fmt::format(
                      "Beginning of the file names, with directories. Fields are written to "
                      "PREFIX.NNNNNN.FORMAT, where NNNNNN is the number of {}. PREFIX.history.h5 has {}.",
                      steps, history))
                .need("\"field\"")},
           saved_field_keys(),
           {field(&ChainOutputKeys::measure_every, "measure_every",
                  fmt::format("Number of {} between two measurements of the plaquette; 0: the plaquette is "
                              "never measured.",
                              steps))
                .within(0, 1e9),
            field(&ChainOutputKeys::checkpoint_minutes, "checkpoint_minutes",
                  fmt::format(
                      "Minutes between two writes of the links to PREFIX.checkpoint. A run that was killed "
                      "continues from this file. 0: a write after every {}.",
                      step))
                .within(0, 1e6)
                .not_physics(),
            overwrite_key()}})};
}

std::vector<Rule> chain_rules() {
  return {{{"gauge.start", "gauge.file"},
           "file is needed with start = \"file\", and must be left out otherwise.",
           check_start},
          {{"gauge.start", "lattice.extents"}, "extents is needed unless start = \"file\".", check_extents},
          {{"output.prefix"}, "prefix must not be a directory.", check_prefix},
          saved_field_rule()};
}

}  // namespace plaq::jobs
