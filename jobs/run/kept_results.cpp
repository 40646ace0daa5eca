#include "jobs/run/kept_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "comms/communicator/collective.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/byte_stream.hpp"
#include "jobs/results/resume.hpp"

namespace plaq::jobs {
namespace {

constexpr std::uint32_t results_record = 2;  // kind; key: name, payload: fingerprint, part and results

JournalRecord record_of(const PieceKey& key, const Results& results) {
  ByteWriter payload;
  payload.text(key.fingerprint);
  payload.number(key.part);
  payload.text(to_bytes(results));
  payload.number(key.parts);
  return {results_record, key.name, payload.bytes()};
}

}  // namespace

std::optional<Results> find_results(const std::vector<JournalRecord>& records, const PieceKey& key) {
  for (const auto& record : records) {
    if (record.kind != results_record || record.key != key.name) continue;
    ByteReader payload(record.payload);
    const auto known = payload.text();
    const auto part = payload.number<std::uint32_t>();
    const auto bytes = payload.text();
    if (!known || !part || !bytes || *part != key.part) continue;
    if (key.begins_alike ? !known->starts_with(key.fingerprint) : *known != key.fingerprint) continue;
    if (auto results = results_from_bytes(*bytes)) return results;
  }
  return std::nullopt;
}

bool has_all_parts(const std::vector<JournalRecord>& records, const std::string& name,
                   const std::string& fingerprint) {
  std::set<std::uint32_t> found;
  std::uint32_t parts = 0;
  for (const auto& record : records) {
    if (record.kind != results_record || record.key != name) continue;
    ByteReader payload(record.payload);
    const auto known = payload.text();
    const auto part = payload.number<std::uint32_t>();
    const auto bytes = payload.text();
    const auto all = payload.number<std::uint32_t>();
    if (!known || !part || !bytes || !all || *known != fingerprint) continue;
    parts = *all;
    found.insert(*part);
  }
  return parts > 0 && found.size() == parts;
}

KeptResults::KeptResults(const JobContext& context, Journal* journal, std::size_t pieces, std::string plural,
                         const Find& find)
    : context_(context), journal_(journal), plural_(std::move(plural)), found_(pieces) {
  std::vector<int> known(pieces, 0);
  for (std::size_t i = 0; journal_ && i < pieces; ++i) {
    found_[i] = find(i);
    known[i] = found_[i] ? 1 : 0;
  }
  context_.grid->comm().broadcast(std::span(known));
  known_.assign(known.begin(), known.end());
  left_ = static_cast<std::size_t>(std::count(known.begin(), known.end(), 0));
  if (DryRun* dry = DryRun::current(); dry && left_ < pieces && dry->outlook().kind == Outlook::Kind::begins)
    dry->expect({Outlook::Kind::goes_on, fmt::format("{} of {} {} are done, says {}", pieces - left_, pieces,
                                                     plural_, journal_->path())});
  if (left_ < pieces) log::info(fmt::format("going on: {}", text()));
}

void KeptResults::compute(std::size_t piece, const PieceKey& key, const std::function<Results()>& results) {
  Results found = results();
  context_.expect_intact_faces();
  on_first_rank([&] {
    begin_job(*journal_, context_.job);
    journal_->append(record_of(key, found));
    found_[piece] = std::move(found);
  });
  --left_;
}

void KeptResults::attempt(const std::function<void()>& work, const std::string& if_missed) const {
  try {
    work();
  } catch (const Error& error) {
    if (left_ == known_.size() || error.kind() == ErrorKind::stopped) throw;
    throw Error(error.kind(), fmt::format("{}\n{}; running the job again goes on from there{}", error.what(),
                                          text(), error.kind() == ErrorKind::not_converged ? if_missed : ""));
  }
}

void KeptResults::stop_if_asked(Progress& progress) const {
  if (left_ == 0) return;
  const int signal = stop_.anywhere(context_.grid->comm());
  if (signal == 0) return;
  progress.clear();
  throw_stopped(signal, text());
}

std::string KeptResults::text() const {
  return fmt::format("{} of {} {} are done and kept", known_.size() - left_, known_.size(), plural_);
}

}  // namespace plaq::jobs
