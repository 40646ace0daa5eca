#include "jobs/run/profile_report.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/joined_texts.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/common/terminal_text.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::json;

Json of_one(const Profiler::Operator& found) {
  Json seconds, median;
  for (std::size_t k = 0; k < StepTimes::count; ++k) {
    const std::string step(StepTimes::names[k]);
    seconds[step] = found.sum.seconds[k];
    median[step] = 1e6 * found.each[k].median();
  }
  double left = 0;
  for (const auto& [transport, bytes] : found.bytes)
    if (transport != "self") left += bytes;
  const double moving = found.sum.seconds[StepTimes::moving];
  return {{"applications", found.applications},
          {"seconds", seconds},
          {"median_microseconds", median},
          {"bytes_sent", found.bytes},
          {"gigabytes_per_second", moving > 0 ? 1e-9 * left / moving : 0}};
}

Json of_this_rank(Profiler& profiler, double seconds) {
  Json operators = Json::object();
  for (const auto& [name, found] : profiler.operators()) operators[name] = of_one(found);
  const auto& solves = profiler.solves();
  return {
      {"seconds", seconds},
      {"operators", operators},
      {"levels", levels_json(profiler)},
      {"solves", {{"count", solves.count}, {"seconds", solves.seconds}, {"operators", solves.operators}}}};
}

// Every number as {most, sum} over one rank.
Json over_one(const Json& rank) {
  Json all = Json::object();
  for (const auto& [key, value] : rank.items()) {
    if (value.is_object()) {
      all[key] = over_one(value);
    } else {
      const auto number = value.get<double>();
      all[key] = {std::max(0.0, number), number};
    }
  }
  return all;
}

// Adds the numbers of more ranks. A number that some have not is 0 there.
void add_profile(Json& all, const Json& more) {
  for (const auto& [key, value] : more.items()) {
    if (!all.contains(key))
      all[key] = value;
    else if (value.is_object())
      add_profile(all[key], value);
    else
      all[key] = {std::max(all[key][0].get<double>(), value[0].get<double>()),
                  all[key][1].get<double>() + value[1].get<double>()};
  }
}

std::string joined_profiles(const std::string& lower, const std::string& higher) {
  Json all = Json::parse(lower);
  add_profile(all, Json::parse(higher));
  return all.dump();
}

// Every number as {most, mean}.
Json with_means(const Json& all, double ranks) {
  Json report = Json::object();
  for (const auto& [key, value] : all.items()) {
    if (value.is_object())
      report[key] = with_means(value, ranks);
    else
      report[key] = {{"most", value[0]}, {"mean", value[1].get<double>() / ranks}};
  }
  return report;
}

double most(const Json& number) { return number["most"].get<double>(); }
double mean(const Json& number) { return number["mean"].get<double>(); }

std::string sent(const Json& bytes) {
  std::string text;
  for (const auto& [transport, number] : bytes.items())
    text += fmt::format("{}{} {:.1f}", text.empty() ? "" : ", ", transport, 1e-6 * mean(number));
  return text;
}

std::string table(const Json& all, int ranks) {
  const double run = most(all["seconds"]);
  std::string text = fmt::format(
      "profile of {:.2f} s on {} rank(s): medians of an application in microseconds, the slowest rank's and, "
      "in a second line, the mean\n{:<34} {:>9} {:>9} {:>6} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7}  {}\n",
      run, ranks, "operator", "times", "seconds", "share", "each", "pack", "interior", "exposed", "boundary",
      "GB/s", "MB sent by a rank");
  for (const auto& [name, found] : all["operators"].items()) {
    const Json &seconds = found["seconds"]["total"], &median = found["median_microseconds"];
    for (const auto of : {most, mean}) {
      if (of == mean && ranks == 1) continue;
      text += fmt::format("{:<34} {:>9} {:>9.3f} {:>5.1f}%", of == most ? name : "",
                          of == most ? fmt::format("{:.0f}", of(found["applications"])) : "", of(seconds),
                          run > 0 ? 100 * of(seconds) / run : 0);
      for (const char* step : {"total", "pack", "interior", "exposed", "boundary"})
        text += fmt::format(" {:>9.1f}", of(median[step]));
      text += fmt::format(" {:>7.2f}  {}\n", of(found["gigabytes_per_second"]),
                          of == most ? sent(found["bytes_sent"]) : "");
    }
  }
  const Json& solves = all["solves"];
  if (most(solves["count"]) > 0)
    text += fmt::format(
        "{:.0f} solve(s) in {:.3f} s: hopping terms {:.3f} s, vector updates, sums and all else {:.3f} s\n",
        most(solves["count"]), mean(solves["seconds"]), mean(solves["operators"]),
        mean(solves["seconds"]) - mean(solves["operators"]));
  text += levels_text(all["levels"]);
  return text;
}

}  // namespace

void report_profile(const Communicator& comm, Profiler& profiler, double seconds, const std::string& file) {
  const std::string text =
      joined_texts(comm, over_one(of_this_rank(profiler, seconds)).dump(), joined_profiles);
  on_first_rank([&] {
    const int ranks = comm.size();
    Json all = with_means(Json::parse(text), ranks);
    print_safely("{}", table(all, ranks));
    std::fflush(stdout);
    all["ranks"] = ranks;
    if (!file.empty()) write_atomically(file, all.dump(2) + "\n", true);
  });
}

}  // namespace plaq::jobs
