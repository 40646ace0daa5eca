#include "jobs/run/ensemble_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "comms/communicator/collective.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/progress.hpp"
#include "core/system/trace_counts.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/results/same_fields.hpp"
#include "jobs/results/stored_rows.hpp"
#include "jobs/run/kept_results.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {
namespace {

PieceKey key_of(const EnsembleInput& input, std::size_t file, std::size_t part, std::size_t parts) {
  // Fingerprints are with rank 0 alone.
  return {input.files[file], file < input.fingerprints.size() ? input.fingerprints[file] : "",
          static_cast<std::uint32_t>(part), false, static_cast<std::uint32_t>(parts)};
}

// Takes the datasets of a block out of a part.
Results taken(Results& part, const std::string& prefix) {
  Results of_block;
  const auto is_other = [&](const Dataset& dataset) { return !dataset.path.starts_with(prefix); };
  const auto first = std::stable_partition(part.datasets.begin(), part.datasets.end(), is_other);
  of_block.datasets.assign(std::make_move_iterator(first), std::make_move_iterator(part.datasets.end()));
  part.datasets.erase(first, part.datasets.end());
  return of_block;
}

// The parts of one field.
Results join(std::vector<Results> parts, const std::string& axis, const std::vector<PartBlock>& blocks) {
  if (axis.empty()) return std::move(parts.front());
  std::vector<Results> stacked;
  for (const auto& block : blocks) {
    std::vector<Results> first;
    for (std::size_t k = 0; k < static_cast<std::size_t>(block.parts); ++k)
      first.push_back(taken(parts.at(k), block.prefix));
    stacked.push_back(stack(first, block.axis));
  }
  std::vector<Group> groups = parts.front().groups;
  for (Results& part : parts) {
    // A dry run has numbers of its own beside those of an earlier run.
    require(part.groups == groups || runs_dry(), "the parts of a field have different groups");
    part.groups.clear();
  }
  Results all = stack(parts, axis);
  all.groups = std::move(groups);
  for (const Results& block : stacked) all.append(block);
  return all;
}

}  // namespace

class EnsembleRun {
 public:
  explicit EnsembleRun(EnsembleJob& job)
      : job_(job),
        context_(job.context()),
        input_(job.input()),
        earlier_(job.earlier()),
        axis_(job.axis()),
        blocks_(job.blocks()),
        parts_(static_cast<std::size_t>(job.parts())),
        in_output_(find_in_output()),
        kept_(context_, earlier_.journal.get(), input_.files.size() * parts_,
              parts_ == 1 ? "fields" : plural_of(axis_) + " of all fields",
              [&](std::size_t i) {
                return find(earlier_.journal->records(), i / parts_, static_cast<int>(i % parts_));
              }),
        sums_(input_.files.size()) {}

  Results run() {
    Progress progress(title(), static_cast<double>(std::max<std::size_t>(1, kept_.left())),
                      Progress::Settings::standard(context_.rank()));
    const std::size_t count = input_.files.size();
    if (TraceCounts* counts = TraceCounts::current()) counts->expect_fields(static_cast<std::int64_t>(count));
    std::vector<Results> list(count);  // on rank 0; of fields that an output has they come last
    on_first_rank([&] {
      for (std::size_t i = 0; i < count; ++i)
        if (!in_output_[i] && kept_.known(i * parts_)) expect_another_field(i, *kept_[i * parts_]);
    });
    for (std::size_t i = 0; i < count; ++i) {
      progress.clear();
      if (is_like_another(i)) {
        list[i] = list[i - 1];
        continue;
      }
      if (!known(i))
        kept_.attempt([&] { compute(i, progress); }, ", also without this field in [gauge] files");
      on_first_rank([&] {
        if (in_output_[i]) return;
        std::vector<Results> parts;
        for (std::size_t k = 0; k < parts_; ++k) parts.push_back(std::move(*kept_[i * parts_ + k]));
        list[i] = join(std::move(parts), axis_, blocks_);
        job_.complete(list[i]);
        if (!runs_dry()) job_.report(input_.files[i], list[i]);
      });
      if (i + 1 < count) kept_.stop_if_asked(progress);
    }
    progress.finish(counted(static_cast<std::int64_t>(count), "file"));
    Results all;
    on_first_rank([&] {
      take_from_output(list);
      for (std::size_t i = 0; i < count; ++i) expect_another_field(i, list[i]);
      all = stack(list, "configuration");
      add_numbers(all);
    });
    return all;
  }

 private:
  // Title of the progress: "multigrid setup".
  std::string title() const {
    std::string title = context_.job.type();
    std::replace(title.begin(), title.end(), '_', ' ');
    return title;
  }
  // In a dry run that counts what fields cost: two are looked at.
  static bool is_like_another(std::size_t file) {
    return TraceCounts::current() != nullptr && file >= TraceCounts::fields_looked_at;
  }

  // On rank 0: of each field whether the output that grows has it, with all files that belong to it.
  std::vector<bool> find_in_output() const {
    std::vector<bool> found(input_.files.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      found[i] = earlier_.has(i);
      for (std::size_t part = 0; found[i] && part < parts_; ++part)
        found[i] = job_.holds(input_.files[i], static_cast<int>(part));
    }
    return found;
  }
  void take_from_output(std::vector<Results>& list) const {
    const auto computed = std::find(in_output_.begin(), in_output_.end(), false);
    if (computed == in_output_.begin() + static_cast<std::ptrdiff_t>(list.size()) || earlier_.rows.empty())
      return;
    const Results& like = list[static_cast<std::size_t>(computed - in_output_.begin())];
    if (runs_dry()) {
      for (std::size_t i = 0; i < list.size(); ++i)
        if (in_output_[i]) list[i] = like;
      return;
    }
    const StoredRows rows(context_.job.get<OutputKeys>().file);
    for (std::size_t i = 0; i < list.size(); ++i)
      if (in_output_[i]) list[i] = rows.row(static_cast<std::size_t>(earlier_.rows[i]), like);
  }

  // Whose rows are whose; -1 where a number is not known, nothing where none is.
  void add_numbers(Results& all) const {
    const auto add = [&](const char* path, std::optional<std::int64_t> ChainNumbers::*number,
                         const char* meaning) {
      std::vector<std::int64_t> values;
      for (const ChainNumbers& of : input_.numbers) values.push_back((of.*number).value_or(-1));
      if (std::all_of(values.begin(), values.end(), [](std::int64_t n) { return n < 0; })) return;
      all.dataset(path, {values.size()}, values, described({"configuration"}, "1", meaning));
    };
    add("/configurations/trajectory", &ChainNumbers::trajectory, "number in the Markov chain; -1: not known");
    add("/configurations/replica", &ChainNumbers::replica, "number of the Markov chain");
  }

  // On rank 0. Throws Error(job_file) where another field has the same links, and warns where that is likely.
  void expect_another_field(std::size_t file, const Attributes& of_gauge) {
    if (runs_dry() || sums_[file]) return;
    sums_[file] = field_sums(of_gauge);
    double sites = 1;
    for (const int extent : context_.extents) sites *= extent;
    for (std::size_t other = 0; other < sums_.size(); ++other) {
      if (other == file || !sums_[other]) continue;
      const Likeness likeness = compare_fields(*sums_[file], *sums_[other], sites);
      if (likeness == Likeness::different) continue;
      const std::string text = same_fields_text(input_.files[std::max(file, other)],
                                                input_.files[std::min(file, other)], likeness);
      if (likeness == Likeness::same)
        throw Error(ErrorKind::job_file, fmt::format("{}: 'files' in [gauge]: {}; leave one of them out",
                                                     context_.job.file(), text));
      log::warning(text);
    }
  }
  void expect_another_field(std::size_t file, const Results& results) {
    for (const Group& group : results.groups)
      if (group.numbered && group.path == "/gauge") expect_another_field(file, group.attributes);
  }

  // On rank 0. Nothing yet of a field that the output has.
  std::optional<Results> find(const std::vector<JournalRecord>& records, std::size_t file, int part) const {
    if (in_output_[file]) return Results();
    if (!job_.holds(input_.files[file], part)) return std::nullopt;
    auto results = find_results(records, key_of(input_, file, static_cast<std::size_t>(part), parts_));
    if (results && !job_.counts(*results)) return std::nullopt;
    return results;
  }

  bool known(std::size_t file) const {
    for (std::size_t k = 0; k < parts_; ++k)
      if (!kept_.known(file * parts_ + k)) return false;
    return true;
  }

  LoadedGauge header_of(const std::string& file) const {
    LoadedGauge gauge;
    gauge.report.info.path = file;
    on_first_rank([&] { gauge.report.info = inspect_gauge_file(file, context_.extents); });
    return gauge;
  }

  // The parts of a field that are not known.
  void compute(std::size_t file, Progress& progress) {
    if (TraceCounts* counts = TraceCounts::current()) counts->begin_field();
    const bool links = job_.reads_links();
    LoadedGauge gauge = links ? load_gauge(context_, input_.files[file]) : header_of(input_.files[file]);
    on_first_rank([&] {
      expect_another_field(file, links ? attributes_of(gauge) : attributes_of(gauge.report.info));
      for (std::size_t part = 0; part < parts_; ++part)
        if (kept_.known(file * parts_ + part))
          job_.know(static_cast<int>(part), *kept_[file * parts_ + part]);
    });
    job_.begin(gauge);
    for (std::size_t part = 0; part < parts_; ++part) {
      const std::size_t at = file * parts_ + part;
      if (kept_.known(at)) continue;
      kept_.compute(at, key_of(input_, file, part, parts_),
                    [&] { return job_.compute(gauge, static_cast<int>(part)); });
      progress.advance();
      if (part + 1 < parts_) kept_.stop_if_asked(progress);
    }
  }

  EnsembleJob& job_;
  const JobContext& context_;
  const EnsembleInput& input_;
  const EarlierRun& earlier_;
  std::string axis_;
  std::vector<PartBlock> blocks_;
  std::size_t parts_;
  std::vector<bool> in_output_;                 // on rank 0
  KeptResults kept_;                            // file, part
  std::vector<std::optional<FieldSums>> sums_;  // on rank 0: of the fields that were looked at
};

Results run_fields(EnsembleJob& job, const JobContext& context) {
  Results results;
  with_tuning(context, [&] { results = EnsembleRun(job).run(); });
  return results;
}

}  // namespace plaq::jobs
