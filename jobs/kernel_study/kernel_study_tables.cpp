#include "jobs/kernel_study/kernel_study_tables.hpp"

#include <fmt/format.h>

#include "jobs/rates/accuracy.hpp"
#include "jobs/rates/checked_faces.hpp"
#include "jobs/study/columns.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq::jobs {
namespace {

std::string against_time(const KernelStudyKeys& keys, const Results& all) {
  std::string text = fmt::format("GFLOPS of all ranks on {}x{}x{}xT\n{:<17} {:<9} {:>4} T =", keys.extents[0],
                                 keys.extents[1], keys.extents[2], "operator", "storage", "rhs");
  for (const int sites : keys.temporal_extents) text += fmt::format(" {:>9}", sites);
  text += '\n';
  const Numbers gflops(all, "/rates/gflops");
  for (std::size_t o = 0; o < keys.operators.size(); ++o)
    for (std::size_t s = 0; s < keys.storages.size(); ++s)
      for (std::size_t r = 0; r < keys.right_hand_sides.size(); ++r) {
        text += fmt::format("{:<17} {:<9} {:>4}    ", keys.name_of(keys.operators[o]),
                            name_of(keys.storages[s]), keys.right_hand_sides[r]);
        for (std::size_t t = 0; t < keys.temporal_extents.size(); ++t)
          text += fmt::format(" {:>9.2f}", gflops(r, o, s, t));
        text += '\n';
      }
  return text;
}

std::string solvers_table(const KernelStudyKeys& keys, const Results& all) {
  std::string text = fmt::format("GFLOPS of all ranks on {}, share of the operator's\n{:<9} {:>12}",
                                 to_string(keys.extents), "storage", keys.name_of("schur"));
  for (const auto& method : keys.methods) text += fmt::format(" {:>17}", method);
  text += '\n';
  const Numbers of_operator(all, "/solvers/operator_gflops"), gflops(all, "/solvers/gflops"),
      share(all, "/solvers/share");
  for (std::size_t s = 0; s < keys.solved_storages.size(); ++s) {
    text += fmt::format("{:<9} {:>12.2f}", name_of(keys.solved_storages[s]), of_operator(s));
    for (std::size_t m = 0; m < keys.methods.size(); ++m)
      text += fmt::format(" {:>10.2f} {:>5.1f}%", gflops(m, s), 100 * share(m, s));
    text += '\n';
  }
  return text;
}

std::string accuracies(const KernelStudyKeys& keys, const Results& all) {
  const Numbers proportion(all, "/accuracy/proportion"), largest(all, "/accuracy/largest");
  std::string text =
      fmt::format("proportion of components off by epsilon or more on {}\n{}{:<9}",
                  to_string(keys.with_time(keys.accuracy_extent)),
                  accuracy_table(names_of(keys.accurate_storages), keys.epsilons, proportion), "largest");
  for (std::size_t s = 0; s < keys.accurate_storages.size(); ++s)
    text += fmt::format(" {:>9.1e}", largest(s));
  return text + '\n';
}

}  // namespace

std::string rates_text(const KernelStudyKeys& keys, int temporal_extent, const Results& piece) {
  const bool shares = Numbers::are_in(piece, "/rates/share");
  const Numbers gflops(piece, "/rates/gflops"), share(piece, shares ? "/rates/share" : "/rates/gflops");
  std::string text =
      fmt::format("GFLOPS of all ranks on {}{}\n{:<17} {:<9}", to_string(keys.with_time(temporal_extent)),
                  shares ? fmt::format(", share of copy and triad ({:.1f} GB/s a rank)",
                                       1e-9 * Numbers(piece, "/rates/stream_bytes_per_second")())
                         : "",
                  "operator", "storage");
  for (const int rhs : keys.right_hand_sides)
    text += fmt::format(" {:>{}}", fmt::format("{} rhs", rhs), shares ? 16 : 9);
  text += '\n';
  for (std::size_t o = 0; o < keys.operators.size(); ++o)
    for (std::size_t s = 0; s < keys.storages.size(); ++s) {
      text += fmt::format("{:<17} {:<9}", keys.name_of(keys.operators[o]), name_of(keys.storages[s]));
      for (std::size_t r = 0; r < keys.right_hand_sides.size(); ++r) {
        text += fmt::format(" {:>9.2f}", gflops(r, o, s));
        if (shares) text += fmt::format(" {:>5.1f}%", 100 * share(r, o, s));
      }
      text += '\n';
    }
  return text;
}

std::string solvers_line(const KernelStudyKeys& keys, const LinkStorage& storage, const Results& piece) {
  std::string text = fmt::format("{} {}: {} {:.2f} GFLOPS", to_string(keys.extents), name_of(storage),
                                 keys.name_of("schur"), Numbers(piece, "/solvers/operator_gflops")());
  for (std::size_t m = 0; m < keys.methods.size(); ++m)
    text += fmt::format(", {} {:.2f} ({:.1f}%)", keys.methods[m], Numbers(piece, "/solvers/gflops")(m),
                        100 * Numbers(piece, "/solvers/share")(m));
  return text + '\n';
}

std::string kernel_study_text(const KernelStudyKeys& keys, const Results& all) {
  std::string text;
  if (!keys.temporal_extents.empty()) text += '\n' + against_time(keys, all);
  if (!keys.methods.empty()) text += '\n' + solvers_table(keys, all);
  if (!keys.accurate_storages.empty()) text += '\n' + accuracies(keys, all);
  if (keys.checked) text += checked_faces_text;
  return text;
}

}  // namespace plaq::jobs
