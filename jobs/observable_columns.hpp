// Observables of gauge fields as they are kept: one row a field or a sweep, one HDF5 dataset an observable.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "jobs/output_file.hpp"
#include "kernels/gauge/observables.hpp"

namespace plaq::jobs {

class ObservableColumns {
 public:
  void add(const GaugeObservables& row) { rows_.push_back(row); }
  std::size_t size() const { return rows_.size(); }

  // Datasets plaquette, plaquette_spatial, plaquette_temporal, link_trace, polyakov_loop (real, imaginary)
  // and unitarity_violation under `group`, as far as `wanted` (names as in the key `observables`) says yes;
  // `axis` names the rows. None without rows.
  void write(OutputFile& out, const std::string& group, const std::string& axis,
             const std::function<bool(const char*)>& wanted) const;

 private:
  using Value = std::function<double(const GaugeObservables&)>;
  void write_one(OutputFile& out, const std::string& where, const std::string& axis,
                 const std::string& meaning, const Value& value) const;

  std::vector<GaugeObservables> rows_;
};

}  // namespace plaq::jobs
