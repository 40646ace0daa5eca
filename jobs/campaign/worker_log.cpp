#include "jobs/campaign/worker_log.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "core/system/error.hpp"
#include "jobs/campaign/lease.hpp"

namespace plaq::jobs {
namespace {

constexpr std::array<std::string_view, 9> event_names = {"begin", "start",   "done",  "failed", "stopped",
                                                         "lost",  "dropped", "retry", "end"};

std::string line_of(const Event& event) {
  nlohmann::ordered_json json = {{"event", event_names[static_cast<std::size_t>(event.kind)]},
                                 {"at", std::round(event.at * 1000) / 1000},
                                 {"worker", event.worker},
                                 {"node", event.node}};
  const auto add = [&](const char* name, const auto& value, bool wanted) {
    if (wanted) json[name] = value;
  };
  add("item", event.item, !event.item.empty());
  add("rung", event.rung, event.rung != 0);
  add("code", event.code, event.code != 0);
  add("reason", event.reason, !event.reason.empty());
  add("message", event.message, !event.message.empty());
  add("seconds", std::round(event.seconds * 1000) / 1000, event.seconds != 0);
  add("ranks", event.ranks, event.ranks != 0);
  add("nodes", event.nodes, event.nodes != 0);
  add("from", event.from, !event.from.empty());
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::optional<Event> event_of(const std::string& line) {
  const auto json = nlohmann::ordered_json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  try {
    Event event;
    const std::string kind = json.value("event", "");
    std::size_t k = 0;
    while (k < event_names.size() && event_names[k] != kind) ++k;
    if (k == event_names.size()) return std::nullopt;
    event.kind = static_cast<EventKind>(k);
    event.at = json.value("at", 0.0);
    event.worker = json.value("worker", "");
    event.node = json.value("node", "");
    event.item = json.value("item", "");
    event.rung = json.value("rung", 0);
    event.code = json.value("code", 0);
    event.reason = json.value("reason", "");
    event.message = json.value("message", "");
    event.seconds = json.value("seconds", 0.0);
    event.ranks = json.value("ranks", 0);
    event.nodes = json.value("nodes", 0.0);
    event.from = json.value("from", "");
    return event;
  } catch (const nlohmann::ordered_json::exception&) {  // a value of another type
    return std::nullopt;
  }
}

}  // namespace

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string time_text(double seconds) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

std::string new_worker_name() {
  const std::string first = fmt::format("{}.{}", node_name(), ::getpid());
  for (int i = 1;; ++i) {
    const std::string name = i == 1 ? first : fmt::format("{}-{}", first, i), path = "log/" + name + ".jsonl";
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file >= 0) {
      ::close(file);
      return name;
    }
    if (errno != EEXIST)
      throw Error(ErrorKind::output_file, fmt::format("{}: cannot be made: {}", path, std::strerror(errno)));
  }
}

WorkerLog::WorkerLog(const std::string& worker) : worker_(worker), path_("log/" + worker + ".jsonl") {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor_ < 0)
    throw Error(ErrorKind::output_file, fmt::format("{}: cannot be opened: {}", path_, std::strerror(errno)));
}

WorkerLog::~WorkerLog() { ::close(descriptor_); }

void WorkerLog::write(const Event& event) { write_for(node_name(), event); }

void WorkerLog::write_for(const std::string& node, Event event) {
  event.worker = worker_;
  event.node = node;
  event.at = now_seconds();
  const std::string line = line_of(event);
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t count = ::write(descriptor_, line.data() + done, line.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      throw Error(ErrorKind::output_file, fmt::format("{}: writing: {}", path_, std::strerror(errno)));
    done += static_cast<std::size_t>(count);
  }
}

std::vector<Event> LogReader::read_new() {
  std::vector<Event> events;
  std::error_code failure;
  for (std::filesystem::directory_iterator at("log", failure), end; !failure && at != end;
       at.increment(failure)) {
    if (at->path().extension() != ".jsonl") continue;
    std::uint64_t& read = read_[at->path().filename().string()];
    std::error_code unused;
    const auto size = at->file_size(unused);
    if (unused || size <= read) continue;
    std::ifstream file(at->path(), std::ios::binary);
    file.seekg(static_cast<std::streamoff>(read));
    for (std::string line; std::getline(file, line) && !file.eof();) {
      read += line.size() + 1;
      if (auto event = event_of(line)) events.push_back(std::move(*event));
    }
  }
  return events;
}

}  // namespace plaq::jobs
