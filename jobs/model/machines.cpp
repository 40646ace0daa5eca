// The built-in machines: the one place where their numbers are.
#include <fmt/format.h>

#include "core/system/error.hpp"
#include "core/system/wording.hpp"
#include "jobs/model/machine_model.hpp"

namespace plaq::jobs {
namespace {

constexpr auto half = Precision::half_precision, single = Precision::single_precision,
               both = Precision::double_precision;
constexpr double ns = 1e-9, us = 1e-6, GB = 1e9, GiB = 0x1p30, TFLOPS = 1e12;

// Shares of the bandwidth of one H200, docs/performance.md: hopping term and even-odd operators of
// 32x32x32x64. Twelve right-hand sides: hopping terms of 32x32x32x64; in single precision with 12 reals the
// mean of 32x32x32x32 (0.64) and of domain walls of 24x24x24x64 with twelve slices (0.60), which in temporal
// gauge stand alone; even-odd operators of 32x32x32x32 (clover 24x24x24x64).
// Staggered hops: 32x32x32x64, the fifth dimension: 24x24x24x64 with twelve slices. Vector updates:
// what iterations of BiCGstab of 32x32x32x64 take beside operators and sums; in double and of twelve
// right-hand sides the four of BiCGstab of 24x24x24x64 together, from `plaq bench krylov`. Gauge fixing:
// overrelaxation in Landau gauge of 32x32x32x32. Smearing: steps of the Wilson flow of 32x32x32x64.
std::vector<KernelShare> h200_shares() {
  using enum KernelKind;
  return {
      {wilson_hop, half, 18, 1, false, 0.83},
      {wilson_hop, half, 12, 1, false, 0.71},
      {wilson_hop, half, 8, 1, false, 0.52},
      {wilson_hop, half, 18, 1, true, 0.75},
      {wilson_hop, half, 12, 1, true, 0.63},
      {wilson_hop, single, 18, 1, false, 0.96},
      {wilson_hop, single, 12, 1, false, 0.95},
      {wilson_hop, single, 8, 1, false, 0.86},
      {wilson_hop, single, 18, 1, true, 0.93},
      {wilson_hop, single, 12, 1, true, 0.87},
      {wilson_hop, both, 18, 1, false, 0.91},
      {wilson_hop, both, 12, 1, false, 0.89},
      {wilson_hop, both, 8, 1, false, 0.72},
      {wilson_hop, half, 18, 12, false, 0.40},
      {wilson_hop, half, 12, 12, false, 0.36},
      {wilson_hop, half, 8, 12, false, 0.31},
      {wilson_hop, half, 18, 12, true, 0.42},
      {wilson_hop, half, 12, 12, true, 0.39},
      {wilson_hop, single, 18, 12, false, 0.69},
      {wilson_hop, single, 12, 12, false, 0.62},
      {wilson_hop, single, 8, 12, false, 0.62},
      {wilson_hop, single, 12, 12, true, 0.60},
      {wilson_hop, both, 18, 12, false, 0.51},
      {wilson_hop, both, 12, 12, false, 0.50},
      {wilson_operator, half, 12, 1, false, 0.73},
      {wilson_operator, single, 12, 1, false, 0.95},
      {wilson_operator, single, 8, 1, false, 0.89},
      {wilson_operator, half, 12, 12, false, 0.40},
      {wilson_operator, single, 12, 12, false, 0.66},
      {clover_operator, half, 12, 1, false, 0.81},
      {clover_operator, single, 12, 1, false, 0.94},
      {clover_operator, half, 12, 12, true, 0.37},
      {vector_update, half, 0, 1, false, 0.89},
      {vector_update, single, 0, 1, false, 0.95},
      {vector_update, both, 0, 1, false, 0.94},
      {vector_update, half, 0, 12, false, 0.89},
      {vector_update, single, 0, 12, false, 0.97},
      {vector_update, both, 0, 12, false, 0.98},
      {staggered_hop, half, 18, 1, false, 0.92},
      {staggered_hop, half, 12, 1, false, 0.85},
      {staggered_hop, half, 8, 1, false, 0.55},
      {staggered_hop, single, 18, 1, false, 0.99},
      {staggered_hop, single, 12, 1, false, 0.98},
      {staggered_hop, single, 8, 1, false, 0.92},
      {staggered_hop, both, 18, 1, false, 0.99},
      {staggered_hop, both, 12, 1, false, 0.98},
      {staggered_hop, both, 8, 1, false, 0.79},
      {improved_hop, half, 18, 1, false, 0.93},
      {improved_hop, half, 12, 1, false, 0.89},
      {improved_hop, half, 8, 1, false, 0.76},
      {improved_hop, single, 18, 1, false, 0.98},
      {improved_hop, single, 12, 1, false, 0.98},
      {improved_hop, single, 8, 1, false, 0.98},
      {improved_hop, both, 18, 1, false, 0.99},
      {improved_hop, both, 12, 1, false, 0.98},
      {improved_hop, both, 8, 1, false, 0.95},
      {fifth_dimension, half, 0, 12, false, 0.61},
      {fifth_dimension, single, 0, 12, false, 0.9},
      {fifth_dimension, both, 0, 12, false, 0.86},
      {gauge_fixing, single, 12, 1, false, 0.86},
      {gauge_fixing, both, 12, 1, false, 0.88},
      // Measured for a compound sweep of one heatbath (0.57) and four overrelaxation sweeps (0.71),
      // 32x32x32x64.
      {link_update, both, 18, 1, false, 0.64},
      {smearing, single, 18, 1, false, 0.25},
      {smearing, both, 18, 1, false, 0.26},
      // Assumed: of multigrid nothing was measured.
      {coarse_hop, half, 0, 1, false, 0.5},
      {coarse_hop, half, 0, 12, false, 0.3},
      {transfer, half, 0, 1, false, 0.5},
      {transfer, half, 0, 12, false, 0.3},
      {dense_product, half, 0, 1, false, 0.5},
      {dense_product, half, 0, 12, false, 0.5},
      // Assumed: a kernel that is small.
      {packing, half, 0, 1, false, 0.5},
      {packing, single, 0, 1, false, 0.5},
      {packing, both, 0, 1, false, 0.5},
  };
}

// Memory: what the driver offers. Memory bandwidth, near (transport peer in four steps, four GPUs), sum_wait:
// measured by `plaq bench network` on a host with four, docs/performance.md. Latency of an exchange in one
// launch: from exposed times of small lattices. Launch, costs of faces and sums that stay on GPUs: one fit to
// the hopping terms, even-odd operators, iterations and updates that one, two and four GPUs took there
// (docs/notes/speed-several-gpus.md). Those of launches of their own are from domain walls and, of 22
// November, from Wilson's hopping term and gauge fixing in four steps. Peaks: datasheet. Assumed: far, one
// InfiniBand NDR adapter of 400 Gbit/s a GPU; steps of sums of hosts; costs of faces in double precision in
// launches of their own, as in single.
MachineModel h200() {
  MachineModel m;
  m.name = "h200";
  m.origin = {
      "Rates of kernels, memory and sums are those measured on one H200 (docs/performance.md).",
      "NVLink within a node is that of a virtual machine with four; launches, faces and sums are those of "
      "operators and iterations on one, two and four.",
      "InfiniBand of 400 Gbit/s a GPU between nodes is assumed."};
  m.ranks_per_node = 8;
  m.memory = 139 * GiB;
  m.memory_bandwidth = 4260 * GB;
  m.peak_single = 67 * TFLOPS, m.peak_double = 34 * TFLOPS;
  m.shares = h200_shares();
  m.launch = 1.7 * us;
  m.near = {13.5 * us, 0, 390 * GB};
  m.fused = true;
  m.fused_latency = 9 * us;
  m.in_one_launch = {2.5 * us, 0, 0.16 * ns, 0.055 * ns, 0.055 * ns};
  m.in_launches = {14 * us, 10 * us, 0.08 * ns, 0.2 * ns, 0.2 * ns};
  m.far = {12 * us, 1 * us, 45 * GB};
  m.sum_wait = 16 * us;
  m.device_sum = 12 * us, m.device_sum_step = 3.5 * us;
  m.near_sum_step = 1 * us, m.far_sum_step = 4 * us;
  return m;
}

// A Cray XK7: one K20X a node, faces staged through host memory. Memory (some of it is taken by ECC), peaks:
// datasheet. Memory bandwidth: of 250 GB/s by the datasheet, with ECC on. Assumed: shares as of one H200;
// launch; latency of two copies over PCIe and 1 to 1.5 us of Gemini; bandwidth of copies at 6 GB/s over PCIe
// 2.0 (Clark et al. 2010), then Gemini at 6.9 GB/s at most (Vishnu, ten Bruggencate, Olson, HOTI 2011);
// sum_wait, sum step; sites with faces as on an H200, by the bandwidth of the memory. An exchange starts with
// its latency.
MachineModel titan() {
  MachineModel m;
  m.name = "titan";
  m.origin = {"A Cray XK7: one K20X a node with 180 of its 250 GB/s, shares of kernels as on an H200.",
              "The Gemini network with copies over PCIe 2.0: published figures (Clark et al. 2010; Vishnu et "
              "al., HOTI 2011), latencies of copies, launches and sums assumed."};
  m.ranks_per_node = 1;
  m.memory = 6 * GB;
  m.memory_bandwidth = 180 * GB;
  m.peak_single = 3.95 * TFLOPS, m.peak_double = 1.31 * TFLOPS;
  m.shares = h200_shares();
  m.launch = 5 * us;
  m.in_launches = {0, 0, 1.9 * ns, 4.7 * ns, 4.7 * ns};
  m.far = {25 * us, 5 * us, 4 * GB};
  m.near = m.far;  // ranks that share a node's one adapter
  m.sum_wait = 30 * us;
  m.near_sum_step = m.far_sum_step = 3 * us;
  return m;
}

// Constants that nobody has published for a machine are those of an H200: shares, launches, latencies, sums,
// and costs of faces, whose sites take longer as the memory is slower.
MachineModel like_h200(std::string name, double memory_bandwidth) {
  MachineModel m = h200();
  m.name = std::move(name);
  const double slower = m.memory_bandwidth / memory_bandwidth;
  for (FaceCosts* costs : {&m.in_one_launch, &m.in_launches})
    for (double* site : {&costs->half_site, &costs->single_site, &costs->double_site}) *site *= slower;
  m.memory_bandwidth = memory_bandwidth;
  m.ranks_per_node = 4;
  return m;
}

// JUWELS Booster: four A100 of 40 GB and four HDR200 adapters a node (JSC, "JUWELS Booster Overview").
// Memory bandwidth, near, far: benchmarks of Grid there (systems/Booster/benchmarks/Benchmark_usqcd.csv and
// comms.4node.perf: 4978, 328 and 92.7 GB/s a node with messages of 25 MB). Peaks: datasheet.
MachineModel booster() {
  MachineModel m = like_h200("booster", 4978 * GB / 4);
  m.origin = {"JUWELS Booster: four A100 and four HDR200 adapters a node (JSC).",
              "Bandwidths of memory, NVLink and InfiniBand are those that Grid measured there "
              "(systems/Booster of its repository), all else is assumed to be as on an H200."};
  m.memory = 42505273344;
  m.peak_single = 19.5 * TFLOPS, m.peak_double = 9.7 * TFLOPS;
  m.near.bandwidth = 328 * GB / 4;
  m.far.bandwidth = 92.7 * GB / 4;
  return m;
}

// JUPITER Booster: four GH200 with 4 TB/s of memory, 150 GB/s of NVLink to each of the others, and one NDR200
// adapter each (JSC, "JUPITER Configuration"). A program is taken to get the shares of these that it gets on
// an H200: 89% of 4.8 TB/s, 87% of 450 GB/s, and 90% of the assumed 50 GB/s. NVLink: that to two neighbours.
MachineModel jupiter() {
  MachineModel m = like_h200("jupiter", 0.89 * 4000 * GB);
  m.origin = {
      "JUPITER: four GH200 and four NDR200 adapters a node.",
      "Bandwidths of memory, NVLink and InfiniBand are those of JSC's description, times the share that "
      "an H200 gives of its own; all else is assumed to be as on an H200."};
  m.memory = 102005473280;
  m.near.bandwidth = 0.87 * 300 * GB;
  m.far.bandwidth = 0.9 * 25 * GB;
  return m;
}

}  // namespace

const std::vector<std::string>& machine_names() {
  static const std::vector<std::string> names = {"h200", "titan", "booster", "jupiter"};
  return names;
}

MachineModel machine_named(std::string_view name) {
  if (name == "h200") return h200();
  if (name == "titan") return titan();
  if (name == "booster") return booster();
  if (name == "jupiter") return jupiter();
  throw Error(ErrorKind::usage, fmt::format("no machine '{}' is known; {}", name,
                                            nearest_hint(std::string(name), machine_names())));
}

}  // namespace plaq::jobs
