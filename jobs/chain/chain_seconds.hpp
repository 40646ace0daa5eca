// PREFIX.seconds: seconds of each step of a chain, a table of text. They differ from run to run, and so do
// not belong to the history, whose bits are those of any other run.
//
//   # plaq VERSION: seconds of each trajectory of chain CHAIN on the first rank; another run takes others
//   # trajectory all files observables NAME ...
//   1 62.4012 ...
//
// `files` are links that were written since the step before, and `observables` what was measured since then.
// A step that went on from the state of an earlier run has the seconds of both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jobs/chain/chain_plan.hpp"

namespace plaq::jobs {

// On rank 0 of a chain with ChainKind::seconds; elsewhere it does nothing.
class ChainSeconds {
 public:
  ChainSeconds(const ChainPlan& plan, bool writes);

  // Keeps rows of an earlier run, of the steps up to `step`.
  void begin(std::int64_t step);
  void add_files(double seconds) { files_ += seconds; }
  void add_observables(double seconds) { observables_ += seconds; }
  // Writes the row of a step that is done. Warns, once, if that fails.
  // @param seconds  as many as ChainKind::seconds
  void append(std::int64_t step, const std::vector<double>& seconds);

 private:
  std::string head() const;
  void fail(const std::string& why);

  const ChainPlan& plan_;
  std::string path_;
  bool writes_;
  double files_ = 0, observables_ = 0;
};

}  // namespace plaq::jobs
