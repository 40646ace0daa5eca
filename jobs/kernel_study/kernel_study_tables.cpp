#include "jobs/kernel_study/kernel_study_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jobs/dirac/solver_spec.hpp"
#include "jobs/kernel_study/kernel_study_results.hpp"
#include "jobs/rates/checked_faces.hpp"

namespace plaq::jobs {
namespace {

std::string against_time(const KernelStudyKeys& keys, const Results& all) {
  std::string text = fmt::format("GFLOPS of all ranks on {}x{}x{}xT\n{:<17} {:<9} {:>4} T =", keys.extents[0],
                                 keys.extents[1], keys.extents[2], "operator", "storage", "rhs");
  for (const int sites : keys.temporal_extents) text += fmt::format(" {:>9}", sites);
  text += '\n';
  const auto& gflops = numbers_at(all, "/rates/gflops");
  const std::size_t columns = keys.temporal_extents.size(), rows = keys.storages.size();
  for (std::size_t o = 0; o < keys.operators.size(); ++o)
    for (std::size_t s = 0; s < rows; ++s)
      for (std::size_t r = 0; r < keys.right_hand_sides.size(); ++r) {
        text += fmt::format("{:<17} {:<9} {:>4}    ", keys.name_of(keys.operators[o]),
                            name_of(keys.storages[s]), keys.right_hand_sides[r]);
        for (std::size_t t = 0; t < columns; ++t)
          text +=
              fmt::format(" {:>9.2f}", gflops[((r * keys.operators.size() + o) * rows + s) * columns + t]);
        text += '\n';
      }
  return text;
}

std::string solvers_table(const KernelStudyKeys& keys, const Results& all) {
  std::string text = fmt::format("GFLOPS of all ranks on {}, share of the operator's\n{:<9} {:>12}",
                                 to_string(keys.extents), "storage", keys.name_of(RatedOperator::schur));
  for (const auto& method : keys.methods) text += fmt::format(" {:>17}", method);
  text += '\n';
  const auto &of_operator = numbers_at(all, "/solvers/operator_gflops"),
             &gflops = numbers_at(all, "/solvers/gflops"), &share = numbers_at(all, "/solvers/share");
  const std::size_t columns = keys.solved_storages.size();
  for (std::size_t s = 0; s < columns; ++s) {
    text += fmt::format("{:<9} {:>12.2f}", name_of(keys.solved_storages[s]), of_operator[s]);
    for (std::size_t m = 0; m < keys.methods.size(); ++m)
      text += fmt::format(" {:>10.2f} {:>5.1f}%", gflops[m * columns + s], 100 * share[m * columns + s]);
    text += '\n';
  }
  return text;
}

// A line for each epsilon at which any curve is on its way from 1 to 0.
std::string accuracy_table(const KernelStudyKeys& keys, const Results& all) {
  std::string text = fmt::format("proportion of components off by epsilon or more on {}\n{:<9}",
                                 to_string(keys.with_time(keys.accuracy_extent)), "epsilon");
  for (const auto& storage : keys.accurate_storages) text += fmt::format(" {:>9}", name_of(storage));
  text += '\n';
  const auto &proportion = numbers_at(all, "/accuracy/proportion"),
             &largest = numbers_at(all, "/accuracy/largest");
  const std::size_t points = keys.epsilons.size(), curves = keys.accurate_storages.size();
  for (std::size_t e = 0; e < points; ++e) {
    std::string line = fmt::format("{:<9.0e}", keys.epsilons[e]);
    bool falls = false;
    for (std::size_t s = 0; s < curves; ++s) {
      const double here = proportion[s * points + e];
      line += fmt::format(" {:>9.2g}", here);
      falls = falls || (here > 0 && here < 1);
    }
    if (falls) text += line + '\n';
  }
  text += fmt::format("{:<9}", "largest");
  for (const double off : largest) text += fmt::format(" {:>9.1e}", off);
  return text + '\n';
}

}  // namespace

std::string rates_text(const KernelStudyKeys& keys, int temporal_extent, const Results& piece) {
  const bool shares = has_dataset(piece, "/rates/share");
  std::string text =
      fmt::format("GFLOPS of all ranks on {}{}\n{:<17} {:<9}", to_string(keys.with_time(temporal_extent)),
                  shares ? fmt::format(", share of copy and triad ({:.1f} GB/s a rank)",
                                       1e-9 * numbers_at(piece, "/rates/stream_bytes_per_second")[0])
                         : "",
                  "operator", "storage");
  for (const int rhs : keys.right_hand_sides)
    text += fmt::format(" {:>{}}", fmt::format("{} rhs", rhs), shares ? 16 : 9);
  text += '\n';
  const auto& gflops = numbers_at(piece, "/rates/gflops");
  for (std::size_t o = 0; o < keys.operators.size(); ++o)
    for (std::size_t s = 0; s < keys.storages.size(); ++s) {
      text += fmt::format("{:<17} {:<9}", keys.name_of(keys.operators[o]), name_of(keys.storages[s]));
      for (std::size_t r = 0; r < keys.right_hand_sides.size(); ++r) {
        const std::size_t at = (r * keys.operators.size() + o) * keys.storages.size() + s;
        text += fmt::format(" {:>9.2f}", gflops[at]);
        if (shares) text += fmt::format(" {:>5.1f}%", 100 * numbers_at(piece, "/rates/share")[at]);
      }
      text += '\n';
    }
  return text;
}

std::string solvers_line(const KernelStudyKeys& keys, const LinkStorage& storage, const Results& piece) {
  std::string text =
      fmt::format("{} {}: {} {:.2f} GFLOPS", to_string(keys.extents), name_of(storage),
                  keys.name_of(RatedOperator::schur), numbers_at(piece, "/solvers/operator_gflops")[0]);
  for (std::size_t m = 0; m < keys.methods.size(); ++m)
    text += fmt::format(", {} {:.2f} ({:.1f}%)", keys.methods[m], numbers_at(piece, "/solvers/gflops")[m],
                        100 * numbers_at(piece, "/solvers/share")[m]);
  return text + '\n';
}

std::string kernel_study_text(const KernelStudyKeys& keys, const Results& all) {
  std::string text;
  if (!keys.temporal_extents.empty()) text += '\n' + against_time(keys, all);
  if (!keys.methods.empty()) text += '\n' + solvers_table(keys, all);
  if (!keys.accurate_storages.empty()) text += '\n' + accuracy_table(keys, all);
  if (keys.checked) text += checked_faces_text;
  return text;
}

}  // namespace plaq::jobs
