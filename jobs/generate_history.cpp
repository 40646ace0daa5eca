#include "jobs/generate_history.hpp"

#include "jobs/version.hpp"

namespace plaq::jobs {
namespace {

bool everything(const char*) { return true; }

Attributes counting(const char* unit) { return {{"axes", std::string("row")}, {"units", std::string(unit)}}; }

}  // namespace

void GenerateHistory::add(std::int64_t sweep, const GaugeObservables& observables) {
  sweeps_.push_back(sweep);
  observables_.add(observables);
}

void GenerateHistory::add_configuration(std::int64_t sweep, const LinkChecksum& checksum,
                                        const GaugeObservables& observables) {
  saved_sweeps_.push_back(sweep);
  checksums_.push_back(checksum.a);
  saved_observables_.add(observables);
}

void GenerateHistory::write(const std::string& path, const JobFile& job, const Extents& extents) const {
  OutputFile out(path, true);  // whether an older file may go was asked before the first sweep
  out.attribute("/", "plaq_version", std::string(version()));
  out.attribute("/", "job_type", job.type());
  out.attribute("/", "job", job.canonical_text());
  out.attribute("/", "action", job.string("gauge", "action"));
  out.attribute("/", "beta", job.real("gauge", "beta"));
  out.attribute("/", "seed", job.integer("update", "seed"));
  out.attribute("/", "extents", std::vector<std::int64_t>(extents.begin(), extents.end()));
  if (!sweeps_.empty()) {
    out.dataset("/history/sweep", sweeps_, {sweeps_.size()}, counting("compound sweeps"));
    observables_.write(out, "/history", "row", everything);
  }
  if (!saved_sweeps_.empty()) {
    out.dataset("/configurations/sweep", saved_sweeps_, {saved_sweeps_.size()}, counting("compound sweeps"));
    out.dataset("/configurations/checksum", checksums_, {checksums_.size()}, counting("NERSC checksum"));
    saved_observables_.write(out, "/configurations", "row", everything);
    out.attribute("/configurations", "file_names", job.string("output", "prefix") + ".{sweep:06}.nersc");
  }
  out.commit();
}

}  // namespace plaq::jobs
