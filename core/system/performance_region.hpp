// Regions of a run, which are done again and again: dry runs make performance traces of them
// (core/system/performance_trace.hpp). Nothing happens in other runs.
#pragma once

#include <string_view>

namespace plaq {

// Passes of a region that there are: as many as were counted, or in each loop as many as data want.
enum class LoopLength { as_counted, iterations, sweeps };

// Regions that begin while it lives have names "LABEL: NAME".
class RegionLabel {
 public:
  explicit RegionLabel(std::string_view label);
  ~RegionLabel();
  RegionLabel(const RegionLabel&) = delete;
  RegionLabel& operator=(const RegionLabel&) = delete;

 private:
  bool there_ = false;
};

// Loops within a region: part of it, or regions of their own.
enum class LoopsInside { part, own };

// One pass of a region, from here to the end of the scope. Nested regions do not count for the outer one.
class PerformanceRegion {
 public:
  explicit PerformanceRegion(std::string_view name, LoopsInside loops = LoopsInside::part) {
    begin(name, loops);
  }
  ~PerformanceRegion() { end(); }
  PerformanceRegion(const PerformanceRegion&) = delete;
  PerformanceRegion& operator=(const PerformanceRegion&) = delete;

 private:
  friend class LoopRegion;
  PerformanceRegion() = default;
  void begin(std::string_view name, LoopsInside loops);
  void end();

  bool there_ = false;
};

// Work from here to the end of the scope is like that of regions, and is not counted beside them.
class ExcludedRegion {
 public:
  ExcludedRegion() { begin(); }
  ~ExcludedRegion() { end(); }
  ExcludedRegion(const ExcludedRegion&) = delete;
  ExcludedRegion& operator=(const ExcludedRegion&) = delete;

 private:
  friend class LoopRegion;
  explicit ExcludedRegion(bool wanted) {
    if (wanted) begin();
  }
  void begin();
  void end();

  bool there_ = false;
};

// The region that is open is one pass of a loop of that length; said in the first pass.
void count_loop(LoopLength length);

// One pass of a loop over right-hand sides, "NAME, 12 right-hand sides": a region where it is `typical` of
// the loop and every open region leaves loops on their own, excluded otherwise. `counted`: false before the
// first pass that is a region.
class LoopRegion {
 public:
  LoopRegion(std::string_view name, int right_hand_sides, bool typical, LoopLength length, bool& counted);

 private:
  PerformanceRegion region_;
  ExcludedRegion excluded_;
};

}  // namespace plaq
