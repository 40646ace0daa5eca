// Record of the wait of this process: the waiting code writes it, a watchdog on another thread reads it.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace plaq {

// Named ranges that the process is in now, outermost first (ScopedRange): "solve, exchange"; empty: none.
std::string ranges_now();

class WaitReason {
 public:
  virtual ~WaitReason() = default;
  // For users: "face t+ from rank 3". Called on another thread, while this one waits.
  virtual std::string text() const = 0;

 protected:
  void enter();  // the wait begins; one inside another counts alone
  void leave();
  void progress();  // something came: the time begins again

 private:
  friend struct CurrentWait;
  WaitReason* outer_ = nullptr;
  double since_ = 0;
};

// A wait from construction to destruction. `describe()` returns its text, and may read only what does not
// change meanwhile, or is atomic. For one thread.
template <class Describe>
class Waiting final : public WaitReason {
 public:
  explicit Waiting(Describe describe) : describe_(std::move(describe)) { enter(); }
  ~Waiting() override { leave(); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  std::string text() const override { return describe_(); }
  using WaitReason::progress;

 private:
  Describe describe_;
};

struct LongWait {
  double seconds = 0;
  std::string text;
  std::string ranges;
};
// The innermost wait, when it has lasted for `seconds`.
std::optional<LongWait> wait_of_at_least(double seconds);

}  // namespace plaq
