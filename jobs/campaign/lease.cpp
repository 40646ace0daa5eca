#include "jobs/campaign/lease.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/system/error.hpp"
#include "io/bytes/byte_source.hpp"
#include "io/bytes/names_now.hpp"
#include "jobs/common/json_members.hpp"

namespace plaq::jobs {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t most_number = 1000000000;  // of a lease

// First line of a file below /proc or /sys.
std::string line_of_file(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Start of a process, in ticks of its machine; none: there is no such process, or it is a zombie.
std::optional<std::int64_t> start_of(std::int64_t process) {
  const std::string line = line_of_file(fmt::format("/proc/{}/stat", process));
  const auto name_end = line.rfind(')');  // names may have anything
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  std::string state, skipped;
  fields >> state;
  constexpr int to_start = 18;  // fields 4 to 21; the 22nd is the start time
  for (int i = 0; i < to_start; ++i) fields >> skipped;
  std::int64_t start = 0;
  fields >> start;
  if (!fields || state == "Z" || state == "X") return std::nullopt;
  return start;
}

const std::string& host_text() {
  static const std::string text = [] {
    std::error_code ignored;
    return fmt::format("{} {} {}", node_name(), line_of_file("/proc/sys/kernel/random/boot_id"),
                       fs::read_symlink("/proc/self/ns/pid", ignored).string());
  }();
  return text;
}

std::string text_of(const Holder& holder) {
  return nlohmann::ordered_json{{"worker", holder.worker},
                                {"node", holder.node},
                                {"host", holder.host},
                                {"process", holder.process},
                                {"started", holder.started}}
             .dump() +
         '\n';
}

// Nobody where the file is no lease, or is being written: it goes stale by time alone.
Holder holder_of(const std::string& path) {
  constexpr std::uint64_t most_bytes = 1 << 16;
  std::string text;
  try {
    text = text_of_file(path, most_bytes);
  } catch (const Error&) {
    return {};
  }
  Holder holder;
  JsonMembers members(text);
  members("worker", holder.worker);
  members("node", holder.node);
  members("host", holder.host);
  members("process", holder.process);
  members("started", holder.started);
  return members.good() ? holder : Holder{};
}

// The name of a lease and its number; none for a file that is none.
std::optional<std::pair<std::string, std::uint64_t>> name_and_number(const std::string& file) {
  const auto dot = file.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  std::uint64_t number = 0;
  const char* end = file.data() + file.size();
  const auto [stop, problem] = std::from_chars(file.data() + dot + 1, end, number);
  // One that is the last of all numbers leaves none for whoever takes it over.
  if (problem != std::errc() || stop != end || number >= most_number) return std::nullopt;
  return std::pair(file.substr(0, dot), number);
}

std::int64_t touched(const struct stat& status) {
  constexpr std::int64_t second = 1000000000;
  return status.st_mtim.tv_sec * second + status.st_mtim.tv_nsec;
}

// Asks the server: stat() may tell the touch of a minute ago on NFS, but open() does not. False: it is gone.
bool ask_server(const std::string& path, struct stat& status) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  // No worker makes what cannot be opened, for example a link.
  if (descriptor < 0) return errno != ENOENT && errno != ESTALE && ::stat(path.c_str(), &status) == 0;
  const bool known = ::fstat(descriptor, &status) == 0;
  ::close(descriptor);
  return known;
}

bool write_all(int descriptor, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return ::fsync(descriptor) == 0;
}

}  // namespace

std::string node_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "?";
  const std::string text = name.data();
  return text.substr(0, text.find('.'));
}

Holder Holder::of_this_process(const std::string& worker) {
  const std::int64_t process = ::getpid();
  return {worker, node_name(), host_text(), process, start_of(process).value_or(0)};
}

bool Holder::is_dead() const {
  if (process == 0 || host != host_text()) return false;
  return start_of(process) != started;
}

Lease::Lease(Lease&& other) noexcept
    : taken_from(std::move(other.taken_from)),
      path_(std::move(other.path_)),
      next_(std::move(other.next_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

bool Lease::is_there() const {
  if (descriptor_ < 0) return false;
  ask_for_names_again(fs::path(path_).parent_path().string());
  struct stat ours {
  }, there{};
  if (::fstat(descriptor_, &ours) != 0 || ::stat(path_.c_str(), &there) != 0) return false;
  return ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

bool Lease::held() const { return is_there() && ::access(next_.c_str(), F_OK) != 0; }

bool Lease::beat() const { return held() && ::futimens(descriptor_, nullptr) == 0; }

void Lease::release() {
  if (descriptor_ < 0) return;
  if (is_there()) ::unlink(path_.c_str());
  ::close(std::exchange(descriptor_, -1));
}

Leases::Leases(std::string directory, Holder self, double timeout)
    : directory_(std::move(directory)), self_(std::move(self)), timeout_(timeout) {}

std::string Leases::path(const std::string& name, std::uint64_t number) const {
  return fmt::format("{}/{}.{}", directory_, name, number);
}

const std::map<std::string, Holder>& Leases::look() {
  std::map<std::string, Seen> now;
  std::error_code failure;
  for (fs::directory_iterator at(directory_, failure), end; !failure && at != end; at.increment(failure)) {
    const std::string file = at->path().filename().string();
    const auto found = name_and_number(file);
    if (!found) continue;
    struct stat status {};
    if (::stat(at->path().c_str(), &status) != 0) continue;
    const auto& [name, lease_number] = *found;
    Seen seen{lease_number, status.st_ino, touched(status), Clock::now(), false, {}};
    const auto known = seen_.find(name);
    if (known != seen_.end() && known->second.number == seen.number && known->second.file == seen.file) {
      const bool is_silent =
          known->second.touched == seen.touched &&
          std::chrono::duration<double>(Clock::now() - known->second.since).count() > timeout_ / 2;
      if (is_silent && ask_server(at->path().string(), status)) seen.touched = touched(status);
      if (known->second.touched == seen.touched) seen.since = known->second.since;
      seen.lives = known->second.lives || known->second.touched != seen.touched;
      seen.holder = known->second.holder;
    }
    if (seen.holder.process == 0) seen.holder = holder_of(at->path().string());
    const auto [there, is_new] = now.emplace(name, seen);
    if (!is_new && there->second.number < seen.number) there->second = seen;
  }
  seen_ = std::move(now);
  holders_.clear();
  for (const auto& [name, seen] : seen_)
    if (!is_stale(seen)) holders_.emplace(name, seen.holder);
  return holders_;
}

bool Leases::is_uncertain(const std::string& name) const {
  const auto at = seen_.find(name);
  return at != seen_.end() && holders_.contains(name) && !at->second.lives;
}

std::vector<Leases::Look> Leases::looks() const {
  const double now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  std::vector<Look> looks;
  for (const auto& [name, seen] : seen_)
    looks.push_back({name, seen.holder, std::max(0.0, now - 1e-9 * static_cast<double>(seen.touched))});
  return looks;
}

bool Leases::is_stale(const Seen& seen) const {
  return seen.holder.is_dead() || std::chrono::duration<double>(Clock::now() - seen.since).count() > timeout_;
}

std::optional<Lease> Leases::take(const std::string& name) {
  look();
  const auto before = seen_.find(name);
  std::optional<Seen> stale;
  if (before != seen_.end()) {
    if (!is_stale(before->second)) return std::nullopt;
    stale = before->second;
  }
  const std::uint64_t number = stale ? stale->number + 1 : 0;
  const std::string mine = path(name, number);
  const int descriptor = ::open(mine.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    if (errno == EEXIST) return std::nullopt;
    throw Error(ErrorKind::output_file,
                fmt::format("{}: cannot make a lease: {}", mine, std::strerror(errno)));
  }
  Lease lease(mine, path(name, number + 1), descriptor);
  if (!write_all(descriptor, text_of(self_)))
    throw Error(ErrorKind::output_file,
                fmt::format("{}: cannot make a lease: {}", mine, std::strerror(errno)));
  // The stale lease must be stale still, and no other worker may have taken it meanwhile.
  struct stat status {};
  if (stale) {
    const bool same = ask_server(path(name, stale->number), status) && status.st_ino == stale->file &&
                      touched(status) == stale->touched;
    if (!same) return std::nullopt;
  }
  look();
  const auto after = seen_.find(name);
  if (after == seen_.end() || after->second.number != number || !lease.held()) return std::nullopt;
  if (stale) {
    lease.taken_from = stale->holder.worker.empty() ? "?" : stale->holder.worker;
    for (std::uint64_t old = 0; old < number; ++old) ::unlink(path(name, old).c_str());
  }
  return lease;
}

}  // namespace plaq::jobs
