// A queue orders work at one location: a CUDA stream on the device; on the host, work is done when it is
// queued.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/system/location.hpp"

namespace plaq {

class Event;
class Profiler;
class Tuner;

class Queue {
 public:
  // A stream of its own on the device. What is launched on the queue asks the tuner, where there is one
  // (core/launch/tuning.hpp); operators tell the profiler what they do (core/system/profiler.hpp).
  explicit Queue(Location location, std::shared_ptr<Tuner> tuner = nullptr,
                 std::shared_ptr<Profiler> profiler = nullptr);
  Location location() const { return location_; }
  void* stream() const { return stream_.get(); }  // cudaStream_t, null on the host
  Tuner* tuner() const { return tuner_.get(); }
  Profiler* profiler() const { return profiler_.get(); }
  bool capturing() const;  // is its work recorded into a CUDA graph, and not done?
  void synchronize() const;
  void check() const;                   // throws where its work has failed; waits for nothing
  void wait(const Event& event) const;  // later work here starts after the event
  void copy_async(void* to, const void* from, std::size_t bytes) const;
  void zero_async(void* to, std::size_t bytes) const;

 private:
  Location location_;
  std::shared_ptr<void> stream_;
  std::shared_ptr<Tuner> tuner_;
  std::shared_ptr<Profiler> profiler_;
};

class Event {
 public:
  explicit Event(Location location);
  void record(const Queue& queue);
  void synchronize() const;
  void synchronize_on(const Queue& queue) const;  // what Queue::wait does
  bool done() const;
  // Milliseconds from this event to `later`; both must have happened.
  double milliseconds_to(const Event& later) const;

 private:
  Location location_;
  std::shared_ptr<void> event_;
  double host_seconds_ = 0;
};

// Number of CUDA devices that can be used (0 without CUDA or without a driver).
int device_count();
void use_device(int index);
int device_index();  // the one in use, 0 without one
std::string device_name();
std::string device_driver();  // "CUDA driver 12.4, runtime 12.2"
std::size_t device_memory();  // bytes that the GPU in use has, 0 without one
std::string device_bus_id();  // PCI address of the GPU in use: the same GPU has the same one in every process
std::string device_bus_id(int index);  // of any GPU
// Throws when an earlier kernel launch failed.
void check_launch(const char* kernel);

}  // namespace plaq
