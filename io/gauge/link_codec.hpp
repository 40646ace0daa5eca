// Between the bytes of link records and a gauge field in host memory, with all host threads. Records come in
// rows of this rank (io/bytes/site_runs.hpp): at LinkOrder::sites and ddalphaamg the four links of a site (or
// its one matrix of a gauge transformation), x fastest; at LinkOrder::openqcd the eight
// links of an odd site, z fastest.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "comms/grid/process_grid.hpp"
#include "io/bytes/site_runs.hpp"
#include "io/gauge/gauge_links.hpp"
#include "io/gauge/link_faces.hpp"
#include "io/gauge/link_format.hpp"
#include "io/gauge/link_survey.hpp"

namespace plaq {

SiteOrder site_order(LinkOrder order);
int record_bytes(const LinkFormat& format);

// Base class of decoder and encoder.
class LinkCodec {
 public:
  const LinkSurvey& survey() const { return survey_; }  // of this rank's records: the links as in the file

 protected:
  LinkCodec(const ProcessGrid& grid, const Field& gauge, const LinkFormat& format);

  struct Place {
    Coordinates site;  // of the link itself
    int mu;
    std::size_t number;         // of the link in the rows
    Link* neighbors = nullptr;  // where it is when another rank may own it
    std::int64_t in_survey;     // for LinkSurvey
    bool last_time_slice;
  };
  // Calls visit(survey, place) for all links of the rows.
  template <class Visit>
  void for_links(std::int64_t first_row, std::int64_t rows, const Visit& visit);

  GaugeLinks gauge_;
  LinkFormat format_;
  std::optional<LinkFaces> faces_;
  LinkSurvey survey_;
};

class LinkDecoder : public LinkCodec {
 public:
  // Collective. strip_antiperiodic: links U_t of the last time slice with a negative determinant are
  // multiplied by -1; of 3x2 links, where it does not show, all U_t of that slice.
  LinkDecoder(const ProcessGrid& grid, Field& gauge, const LinkFormat& format, bool strip_antiperiodic);
  // This rank's rows from `first_row` on. The third row of 3x2 links is the conjugate of the cross product
  // of the others.
  void decode(std::int64_t first_row, std::int64_t rows, std::span<const std::byte> bytes);
  void finish();                                             // collective, after the last row
  std::int64_t stripped() const { return stripped_; }        // links of this rank's records
  double stripped_trace() const { return stripped_trace_; }  // sum of their Re tr, now

 private:
  bool strip_;
  std::int64_t stripped_ = 0;
  double stripped_trace_ = 0;
};

class LinkEncoder : public LinkCodec {
 public:
  LinkEncoder(const ProcessGrid& grid, const Field& gauge, const LinkFormat& format);  // collective
  void encode(std::int64_t first_row, std::int64_t rows, std::span<std::byte> bytes);
};

}  // namespace plaq
