// Keys of vertices jobs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "jobs/schema/job_file.hpp"
#include "kernels/gluon/lattice_momenta.hpp"

namespace plaq::jobs {

/// The table [vertices].
struct VertexKeys {
  std::vector<std::string> momenta;  // "n_x,n_y,n_z,n_t", or two with -> between them
  double max_theta = 1e-10;          // gauge precision of Landau gauge above which a gauge field is refused
  bool four_quark = false;           // also vertices of four-quark operators
};

/// Momenta of the quarks of a vertex.
struct VertexMomenta {
  Momentum4 in{}, out{};
  bool operator==(const VertexMomenta&) const = default;
};

/// Momenta of a text such as "1,1,0,0 -> 0,1,1,0", or of one momentum for both quarks; none if the text is
/// something else.
std::optional<VertexMomenta> vertex_momenta(const std::string& text);
/// Momenta of a job whose texts are right, in their order.
std::vector<VertexMomenta> vertex_momenta(const Settings& job);

/// True if a vertex behind number `k` takes a quark of this momentum.
bool is_used_after(const std::vector<VertexMomenta>& vertices, std::size_t k, const Momentum4& n);
/// The most quark fields that are held together while vertices are made in their order: those of a vertex,
/// and those that later ones take.
int most_quarks(const std::vector<VertexMomenta>& vertices);
/// Number of different momenta.
int count_momenta(const std::vector<VertexMomenta>& vertices);

/// The schema of vertices jobs.
const Schema& vertices_schema();

}  // namespace plaq::jobs
