// Sound gauge files of every format and of every way to store links in it.
#pragma once

#include <vector>

#include "tests/io/gauge/framed_links.hpp"
#include "tests/io/lime/lime_files.hpp"

namespace plaq::fuzz {

inline std::string gauge_seed(const GaugeFormat& format, const LinkFormat& links, const Extents& extents,
                              bool with_checksum) {
  reference::Generator generator(4);
  const auto gauge = reference::random_gauge({extents}, generator);
  GaugeWriteRequest request;
  request.format = format.format;
  request.extents = extents;
  request.links = links;
  request.plaquette = reference::average_plaquette(gauge).all;
  request.link_trace = reference::link_trace(gauge);
  if (format.format == GaugeFileFormat::ildg) request.metadata.ildg_lfn = std::string("lfn://plaq");
  if (format.format == GaugeFileFormat::nersc) request.metadata.ensemble_id = std::string("a");
  return test::framed_links(request, gauge, with_checksum);
}

// A LIME file without a checksum, so that damage reaches the links.
inline std::string unprotected_lime(bool ildg, Precision precision) {
  reference::Generator generator(5);
  const LinkFormat links{3, precision, ByteOrder::big, LinkOrder::sites};
  auto file = test::lime_example(ildg, 8 * bytes_of(precision),
                                 test::link_bytes(reference::random_gauge({{2, 2, 2, 2}}, generator), links),
                                 "2 2 2 2");
  file.remove("scidac-checksum");
  return file.bytes();
}

inline std::vector<std::string> gauge_seeds() {
  std::vector<std::string> seeds;
  for (const GaugeFormat* format : gauge_formats())
    for (const int rows : {3, 2})
      for (const Precision precision : {Precision::double_precision, Precision::single_precision})
        for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
          const LinkFormat links{rows, precision, order, link_order(format->format)};
          if (format->refuse(links)) continue;
          seeds.push_back(gauge_seed(*format, links, {2, 2, 2, 2}, true));
          const bool lime =
              format->format == GaugeFileFormat::ildg || format->format == GaugeFileFormat::scidac;
          if (order == ByteOrder::big) seeds.push_back(gauge_seed(*format, links, {2, 2, 2, 4}, lime));
        }
  for (const bool ildg : {true, false})
    for (const Precision precision : {Precision::double_precision, Precision::single_precision})
      seeds.push_back(unprotected_lime(ildg, precision));
  return seeds;
}

}  // namespace plaq::fuzz
