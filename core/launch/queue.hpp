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

/// Work at one location that is done in its order. On the host it is done when it is queued.
class Queue {
 public:
  /// A stream of its own on the device. Launches on the queue ask the tuner, if there is one
  /// (core/launch/tuning.hpp); operators tell the profiler what they do (core/system/profiler.hpp).
  explicit Queue(Location location, std::shared_ptr<Tuner> tuner = nullptr,
                 std::shared_ptr<Profiler> profiler = nullptr);
  Location location() const { return location_; }         ///< host or device
  void* stream() const { return stream_.get(); }          ///< cudaStream_t, null on the host
  Tuner* tuner() const { return tuner_.get(); }           ///< null without a tuner
  Profiler* profiler() const { return profiler_.get(); }  ///< null without a profiler
  bool capturing() const;               ///< true if its work is captured into a CUDA graph, and not done
  void synchronize() const;             ///< waits for all work of this queue
  void check() const;                   ///< throws where its work has failed; waits for nothing
  void wait(const Event& event) const;  ///< later work here starts after the event
  /// Queues a copy of bytes within this location, or between a GPU and page-locked host memory.
  void copy_async(void* to, const void* from, std::size_t bytes) const;
  /// Queues the overwriting of bytes with 0.
  void zero_async(void* to, std::size_t bytes) const;

 private:
  Location location_;
  std::shared_ptr<void> stream_;
  std::shared_ptr<Tuner> tuner_;
  std::shared_ptr<Profiler> profiler_;
};

/// A point in the work of a queue.
class Event {
 public:
  /// An event that nothing has recorded yet.
  explicit Event(Location location);
  /// Marks the work that was queued so far.
  void record(const Queue& queue);
  void synchronize() const;                       ///< waits for the marked work
  void synchronize_on(const Queue& queue) const;  ///< later work of the queue starts after the event
  bool done() const;                              ///< true if the marked work is complete
  /// Milliseconds from this event to `later`; both must have happened.
  double milliseconds_to(const Event& later) const;

 private:
  Location location_;
  std::shared_ptr<void> event_;
  double host_seconds_ = 0;
};

/// Number of CUDA devices that can be used (0 without CUDA or without a driver).
int device_count();
/// Chooses the GPU of this process.
void use_device(int index);
int device_index();           ///< number of the GPU in use, 0 without one
std::string device_name();    ///< name of the GPU in use
std::string device_driver();  ///< versions: "CUDA driver 12.4, runtime 12.2"
std::size_t device_memory();  ///< bytes that the GPU in use has, 0 without one
/// PCI address of the GPU in use: the same GPU has the same one in every process.
std::string device_bus_id();
std::string device_bus_id(int index);  ///< PCI address of any GPU
/// Throws when an earlier kernel launch failed.
void check_launch(const char* kernel);

}  // namespace plaq
