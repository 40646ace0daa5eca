// Job type elementals: on each gauge field operators of hadrons between modes of the Laplacian
// (quarks/distillation/elementals.hpp), each in a file of its own. Results:
//
//   /                    attributes: plaq_version, job_type, job, extents
//   /elementals/norm     [configuration][operator][momentum][t]: root of the sum of |numbers|^2
//   /gauge/000000, ...   one group a field: file, checksum, ..., modes_checksum
//
// A file FIELD.OPERATOR.elem.h5 has
//   /elementals/p_X_Y_Z  [t][mode][mode][real, imaginary] of mesons, [t][mode][mode][mode][...] of baryons
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/distillation/distillation_file.hpp"
#include "jobs/run/ensemble_job.hpp"
#include "jobs/run/saved_fields.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "quarks/distillation/elementals.hpp"
#include "settings/gauge/link_smearing.hpp"

namespace plaq::jobs {
namespace {

constexpr const char *no_derivative = "1", *of_baryons = "baryon";

// The table [elementals].
struct ElementalKeys {
  std::string directory;
  std::vector<std::string> operators{no_derivative};
  int max_momentum_squared = 0;
};

Table elementals_table() {
  using Keys = ElementalKeys;
  return {
      "elementals",
      "The operators between modes.",
      {field(&Keys::directory, "directory",
             "Existing directory for the files FIELD.OPERATOR.elem.h5, where FIELD is the name of the gauge "
             "file. A momentum takes 16 T N^2 bytes for N modes on T time slices, of baryons 16 T N^3.")
           .need("\".\""),
       field(
           &Keys::operators, "operators",
           "Operators. \"1\": v^dagger v, for mesons without derivatives. \"x\", \"xy\", ...: v^dagger D_x "
           "v, v^dagger D_x D_y v, one to three covariant derivatives (forward minus backward hop, by two). "
           "\"baryon\": eps_abc v^a v^b v^c, for baryons.")
           .not_empty(),
       field(&Keys::max_momentum_squared, "max_momentum_squared", job_momenta_meaning).within(0, 100)}};
}

void check_operators(Problems& problems, const ElementalKeys& keys) {
  std::set<std::string> found;
  for (const std::string& word : keys.operators) {
    if (!found.insert(word).second)
      problems.add("elementals.operators", fmt::format("\"{}\" is there twice", word));
    if (word == no_derivative || word == of_baryons) continue;
    if (const std::string fault = derivative_fault(word); !fault.empty())
      problems.add("elementals.operators",
                   fmt::format("none is \"1\" or \"baryon\", and as a derivative {}", fault));
  }
}

const Schema& elementals_schema() {
  static const Schema schema{
      "elementals",
      "Compute elementals, operators of hadrons between modes of the Laplacian in space, for correlators by "
      "distillation.",
      {top_table("elementals"), lattice_table(LatticeFrom::file), gauge_files_table("of measurement"),
       link_smearing_table("of the Laplacian and the derivatives"), mode_files_table(), elementals_table(),
       output_table("HDF5 file for the norms.", "\"elementals.h5\""), comms_table(), run_table(),
       slurm_table()},
      joined<Rule>({common_rules(),
                    {link_smearing_rule(),
                     {{"elementals.operators"},
                      "Operators are \"1\", \"baryon\" or one to three letters x, y, z, each once.",
                      check_operators}}})};
  return schema;
}

std::string elemental_file(const Settings& job, const std::string& gauge_file, const std::string& word) {
  return distillation_file(job.get<ElementalKeys>().directory, gauge_file, word, "elem.h5");
}

std::vector<std::string> elemental_files(const Settings& job, const std::string& gauge_file) {
  std::vector<std::string> names;
  for (const auto& word : job.get<ElementalKeys>().operators)
    names.push_back(elemental_file(job, gauge_file, word));
  return names;
}

class ElementalsJob : public EnsembleJob {
 public:
  using EnsembleJob::EnsembleJob;

 private:
  JobFiles files() const override {
    JobFiles files = EnsembleJob::files();
    for (const auto& name : mode_files(job(), input().files))
      files.paths.reads(name, "modes of the Laplacian ([laplacian_modes] directory)");
    return files;
  }
  std::vector<std::string> made_files(const std::vector<std::string>& gauge_files) const override {
    return names_of_made_files(
        job(), [&](const std::string& field) { return elemental_files(job(), field); }, gauge_files);
  }
  std::string use_of_made_file() const override { return "elementals ([elementals] directory)"; }
  bool holds(const std::string& gauge_file, int part) const override {
    return are_there({elemental_file(job(), gauge_file, word(part))});
  }

  std::string axis() const override { return "operator"; }
  int parts() const override { return static_cast<int>(keys_.operators.size()); }
  const std::string& word(int part) const { return keys_.operators[static_cast<std::size_t>(part)]; }

  void prepare() override {
    momenta_ = job_momenta(job(), "elementals", keys_.max_momentum_squared, context().extents);
  }

  void begin(LoadedGauge& gauge) override {
    modes_ = {};
    links_ = links_of_modes(context(), gauge.field);
    gauge.field = {};
    modes_ = read_modes(context(), gauge.report.info.path, links_, {});
    const auto& words = keys_.operators;
    if (std::find(words.begin(), words.end(), of_baryons) != words.end() &&
        modes_.boundary != periodic_in_space)
      throw Error(ErrorKind::input_file,
                  fmt::format("{}: its modes of the Laplacian are antiperiodic in space, where baryons have "
                              "momenta 2 pi (n + 1/2) / L; take modes that are periodic, or leave \"{}\" out",
                              gauge.report.info.path, of_baryons));
    for (const auto& one : keys_.operators)
      expect_room_for_file(context(), sizeof(std::complex<double>) * size_of(one) * momenta_.size(),
                           fmt::format("elementals \"{}\"", one));
  }

  // Modes that an operator joins.
  static std::size_t modes_of(const std::string& word) { return word == of_baryons ? 3 : 2; }
  std::vector<std::size_t> extents_of(const std::string& word) const {
    std::vector<std::size_t> extents{static_cast<std::size_t>(context().extents[3])};
    extents.resize(1 + modes_of(word), static_cast<std::size_t>(modes_.modes.count));
    return extents;
  }
  std::size_t size_of(const std::string& word) const {
    std::size_t size = 1;
    for (const std::size_t extent : extents_of(word)) size *= extent;
    return size;
  }

  Results compute(LoadedGauge& gauge, int part) override {
    const std::string& one = word(part);
    const bool kept = context().rank() == 0;
    std::optional<QuarkDerivative> derivative;
    if (one != no_derivative && one != of_baryons)
      derivative.emplace(context(), links_, LinkSmearing{}, modes_.boundary, one);
    std::vector<ComplexDataset> datasets;
    std::vector<double> norms;
    for (const Momentum& n : momenta_) {
      auto numbers = one == of_baryons ? baryon_elemental(context(), modes_.modes, n, kept)
                                       : meson_elemental(context(), modes_.modes,
                                                         derivative ? &*derivative : nullptr, n, kept);
      add_norms(norms, numbers, size_of(one) / extents_of(one).front());
      datasets.push_back({fmt::format("/elementals/p_{}_{}_{}", n[0], n[1], n[2]), extents_of(one),
                          std::move(numbers), attributes_of_momentum(n, one)});
    }
    context().expect_intact_faces();
    write_distillation_file(context(), elemental_file(job(), gauge.report.info.path, one), gauge, modes_,
                            std::move(datasets));
    Results results;
    Attributes of_gauge = attributes_of(gauge);
    of_gauge.emplace_back("modes_checksum", modes_.checksum);
    results.numbered_group("/gauge", of_gauge);
    results.dataset("/elementals/norm", {momenta_.size(), extents_of(one).front()}, std::move(norms),
                    described({"momentum", "t"}, "lattice units", "root of the sum of |numbers|^2"));
    return results;
  }

  // Norms of each time slice; 0 where the numbers are not kept.
  void add_norms(std::vector<double>& norms, const std::vector<std::complex<double>>& numbers,
                 std::size_t of_slice) const {
    for (std::size_t t = 0; t < static_cast<std::size_t>(context().extents[3]); ++t) {
      double sum = 0;
      for (std::size_t i = t * of_slice; i < std::min((t + 1) * of_slice, numbers.size()); ++i)
        sum += std::norm(numbers[i]);
      norms.push_back(std::sqrt(sum));
    }
  }

  static Attributes attributes_of_momentum(const Momentum& n, const std::string& word) {
    Attributes attributes =
        word == of_baryons
            ? described({"t", "mode", "mode", "mode", "real, imaginary"}, "lattice units",
                        "sum_x exp(-i p x) eps_abc v_i^a v_j^b v_k^c")
            : described({"t", "mode", "mode", "real, imaginary"}, "lattice units",
                        word == no_derivative
                            ? std::string("sum_x exp(-i p x) v_i^dagger v_j")
                            : fmt::format("sum_x exp(-i p x) v_i^dagger {} v_j", derivative_formula(word)));
    attributes.emplace_back("operator", word);
    attributes.emplace_back("momentum", std::vector<std::int64_t>(n.begin(), n.end()));
    attributes.emplace_back("momentum_units", std::string("2 pi / L of each direction: x, y, z"));
    return attributes;
  }

  void describe(OutputFile& out) const override {
    Attributes attributes = link_smearing_attributes(job().get<LinkSmearing>());
    attributes.emplace_back("operators", keys_.operators);
    std::vector<std::int64_t> numbers;
    for (const Momentum& n : momenta_) numbers.insert(numbers.end(), n.begin(), n.end());
    attributes.emplace_back("momenta", std::move(numbers));
    out.group("/laplacian", attributes);
  }

  const ElementalKeys keys_ = job().get<ElementalKeys>();
  std::vector<Momentum> momenta_;
  Field links_;        // of this gauge field
  StoredModes modes_;  // of this gauge field
};

}  // namespace

extern constinit const JobType elementals_job{
    .name = "elementals",
    .schema = elementals_schema,
    .run = run_as<ElementalsJob>,
    .written_files = [](const JobFile& job,
                        const std::string& gauge_file) { return elemental_files(job, gauge_file); },
    .written_directory = "elementals.directory"};

}  // namespace plaq::jobs
