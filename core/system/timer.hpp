// Wall-clock time, and named ranges that show up in NVIDIA's profilers (NVTX).
#pragma once

namespace plaq {

double seconds_now();  // monotonic

class Timer {
 public:
  Timer() : start_(seconds_now()) {}
  double seconds() const { return seconds_now() - start_; }

 private:
  double start_;
};

// Marks the time from construction to destruction, for profilers and for whoever asks what the process does
// (ranges_now, core/system/waiting.hpp). `name` must live as long as the process. For one thread.
class ScopedRange {
 public:
  explicit ScopedRange(const char* name);
  ~ScopedRange();
  ScopedRange(const ScopedRange&) = delete;
  ScopedRange& operator=(const ScopedRange&) = delete;
};

}  // namespace plaq
