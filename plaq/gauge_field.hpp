// Gauge fields: files, starts and what is measured on them.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plaq/host_field.hpp"
#include "plaq/lattice_field.hpp"
#include "plaq/matrix.hpp"

namespace plaq {

/// File that a gauge field was read from, as stored propagators and correlators name it.
struct GaugeFileIdentity {
  std::string file, format, checksum;  ///< path, name of the format, and checksum
};

/// Links U_mu(x) of SU(3) in double precision, mu = 0..3 for x, y, z, t. A copy is independent.
class GaugeField : public LatticeField {
 public:
  /// All links are 1.
  explicit GaugeField(const Lattice& lattice);
  /// For the classes of plaq: links without halo or with one.
  GaugeField(const Lattice& lattice, const Field& links);
  GaugeField(const GaugeField& other);
  GaugeField(GaugeField&&) = default;
  GaugeField& operator=(const GaugeField& other);
  GaugeField& operator=(GaugeField&&) = default;

  /// Copy of this rank's links, links(mu, site). Not collective.
  HostField<ColorMatrix> on_host() const;
  /// Overwrites this rank's links. Not collective. Nothing checks that they are in SU(3).
  void set(const HostField<ColorMatrix>& links);

  /// File that it was read from; empty if the links were changed since, or never read.
  GaugeFileIdentity file() const;
  /// Path of the file that it was read from, which stays if the links are changed; empty: none.
  const std::string& path() const { return path_; }
  /// Says that the links are those of a file.
  void set_file(const GaugeFileIdentity& file, const std::string& path);

 private:
  GaugeFileIdentity file_;
  std::string path_;
  std::uint64_t read_version_ = 0;
};

/// Settings of read_gauge().
struct ReadGaugeSettings {
  bool antiperiodic = false;  ///< takes a factor -1 off the last links in time, else refuses such a file
  std::vector<std::string> accept_checksums = {};  ///< of links whose file states another checksum
};

/// Reads a gauge field from a file of any known format (NERSC, ILDG, SciDAC, MILC, openQCD, DDalphaAMG),
/// recognised by its bytes. Checksum, plaquette and link trace are compared with the header. Throws
/// Error(input_file) if anything is wrong with the file.
GaugeField read_gauge(const std::string& path, const Lattice& lattice,
                      const ReadGaugeSettings& settings = {});
/// Reads a gauge field and makes a lattice of its extents.
GaugeField read_gauge(const std::string& path, const Session& session,
                      const ReadGaugeSettings& settings = {});
/// Extents that the header of a gauge file states. Not collective.
Extents gauge_extents(const std::string& path);

/// Settings of write_gauge().
struct WriteGaugeSettings {
  std::string format = "ildg";              ///< "nersc", "ildg", "scidac", "milc", "openqcd", "ddalphaamg"
  std::optional<Precision> precision = {};  ///< none: double, or what the format has
  std::string lfn = {};                     ///< logical file name that an ILDG file states
  bool overwrite = false;                   ///< replaces an older file, whole or not at all
};
/// Writes a gauge field, and returns the checksum that the format has. The bytes do not depend on the
/// process grid.
std::string write_gauge(const GaugeField& gauge, const std::string& path,
                        const WriteGaugeSettings& settings = {});

/// Gauge field with all links 1.
GaugeField unit_gauge(const Lattice& lattice);
/// Gauge field whose links are drawn from the Haar measure, the same on any process grid.
GaugeField random_gauge(const Lattice& lattice, std::uint64_t seed);

/// Average of Re tr P / 3 over all plaquettes, in [-1/3, 1]. This and the functions below give the same bits
/// on any process grid.
double plaquette(const GaugeField& gauge);
/// Averages over all plaquettes, over those in space and over those with time.
std::array<double, 3> plaquettes(const GaugeField& gauge);
/// Average of Re tr U / 3 over all links.
double link_trace(const GaugeField& gauge);
/// Average over space of (1/3) tr prod_t U_t.
std::complex<double> polyakov_loop(const GaugeField& gauge);
/// The largest |U U^dagger - 1| (Frobenius norm) or |det U - 1| of any link.
double unitarity_violation(const GaugeField& gauge);
/// E = -(1/2) sum_mu,nu tr F_mu,nu F_mu,nu, average over sites; F from clover leaves (Luescher, JHEP 08
/// (2010) 071).
double clover_energy(const GaugeField& gauge);
/// Sum over sites of -(1/32 pi^2) eps tr F F, with the F of clover_energy(): positive if F_xy = F_zt.
double topological_charge(const GaugeField& gauge);

/// Links with a filled halo of depth 1, for the classes of plaq.
Field with_halo(const GaugeField& gauge);

}  // namespace plaq
