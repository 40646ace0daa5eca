// A 3x3 matrix at each site: gauge transformations and products of links.
#pragma once

#include <cstdint>
#include <string>

#include "plaq/gauge_field.hpp"
#include "plaq/host_field.hpp"
#include "plaq/lattice_field.hpp"

namespace plaq {

/// Color matrices W(x) in double precision, all 1 at first.
class ColorMatrixField : public LatticeField {
 public:
  /// 1 at each site.
  explicit ColorMatrixField(const Lattice& lattice);
  /// For the classes of plaq.
  ColorMatrixField(const Lattice& lattice, Field field) : LatticeField(lattice, std::move(field)) {}

  /// Copy of this rank's matrices. Not collective.
  HostField<ColorMatrix> on_host() const;
  /// Overwrites this rank's matrices. Not collective.
  void set(const HostField<ColorMatrix>& matrices);
};

/// Transformed links, g(x) U_mu(x) g(x + mu)^dagger.
GaugeField transformed(const GaugeField& gauge, const ColorMatrixField& g);

/// Reads a gauge transformation from a SciDAC file. Throws Error(input_file).
ColorMatrixField read_transformation(const std::string& path, const Lattice& lattice);
/// Writes a gauge transformation as a SciDAC file. Throws Error(output_file), also if the file exists and
/// `overwrite` is false.
void write_transformation(const ColorMatrixField& g, const std::string& path, bool overwrite = false);

}  // namespace plaq
