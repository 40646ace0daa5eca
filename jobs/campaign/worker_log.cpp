#include "jobs/campaign/worker_log.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "core/system/error.hpp"
#include "io/bytes/byte_source.hpp"
#include "jobs/campaign/lease.hpp"
#include "jobs/common/json_members.hpp"

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
  Event event;
  std::string kind;
  JsonMembers members(line);
  members("event", kind);
  members("at", event.at);
  members("worker", event.worker);
  members("node", event.node);
  members("item", event.item);
  members("rung", event.rung);
  members("code", event.code);
  members("reason", event.reason);
  members("message", event.message);
  members("seconds", event.seconds);
  members("ranks", event.ranks);
  members("nodes", event.nodes);
  members("from", event.from);
  const auto at = std::find(event_names.begin(), event_names.end(), kind);
  if (!members.good() || at == event_names.end()) return std::nullopt;
  event.kind = static_cast<EventKind>(at - event_names.begin());
  return event;
}

// Appends to it. None where it is no regular file: a pipe is not waited for.
int open_log(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0644);
  struct stat status {};
  if (file < 0 || (::fstat(file, &status) == 0 && S_ISREG(status.st_mode))) return file;
  ::close(file);
  errno = EINVAL;
  return -1;
}

// The whole lines of a log behind `read`, which is behind them afterwards. Lines that are longer than any
// event are passed over.
void read_lines(const ByteSource& file, std::uint64_t& read,
                const std::function<void(const std::string&)>& take) {
  constexpr std::size_t piece = 1 << 20;
  bool too_long = false;
  for (std::string text; read < file.size();) {
    text = file.text(read, piece);
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
      if (!too_long) take(text.substr(begin, end - begin));
      too_long = false;
    }
    if (begin == 0 && text.size() < piece) return;  // not whole yet
    if (begin == 0) {
      too_long = true;
      begin = text.size();
    }
    read += begin;
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
  descriptor_ = open_log(path_);
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
  ::fdatasync(descriptor_);  // NFS would keep it on this node for some seconds
}

std::vector<Event> LogReader::read_new() {
  std::vector<Event> events;
  std::error_code failure;
  for (std::filesystem::directory_iterator at("log", failure), end; !failure && at != end;
       at.increment(failure)) {
    if (at->path().extension() != ".jsonl") continue;
    std::uint64_t& read = read_[at->path().filename().string()];
    try {
      // Its size is known once it is open: before, NFS may tell the one of a minute ago.
      read_lines(ByteSource::file(at->path().string()), read, [&](const std::string& line) {
        if (auto event = event_of(line)) events.push_back(std::move(*event));
      });
    } catch (const Error&) {  // no file that can be read
    }
  }
  return events;
}

}  // namespace plaq::jobs
