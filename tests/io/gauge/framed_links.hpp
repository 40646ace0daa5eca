// Sound gauge files around links that need not be: bytes, put together by plain loops.
#pragma once

#include <span>
#include <string>

#include "io/gauge/gauge_file.hpp"
#include "io/gauge/link_codec.hpp"
#include "io/gauge/link_sum.hpp"
#include "tests/reference/ddalphaamg.hpp"
#include "tests/reference/openqcd.hpp"

namespace plaq::test {

// The links as a file has them.
inline std::string link_bytes(const reference::GaugeField& links, const LinkFormat& format) {
  if (format.sequence == LinkOrder::openqcd) return reference::openqcd_bytes(links).substr(24);
  if (format.sequence == LinkOrder::ddalphaamg)
    return reference::ddalphaamg_bytes(links, format.order == ByteOrder::big).substr(24);
  std::string data;
  for (const auto& site : links.link)
    for (const auto& link : site)
      for (int r = 0; r < format.reals_per_link(); ++r) {
        const auto& z = link(r / 6, r / 2 % 3);
        const double real = r % 2 == 0 ? z.real() : z.imag();
        std::byte bytes[8];
        format.precision == Precision::double_precision
            ? store(bytes, format.order, real)
            : store(bytes, format.order, static_cast<float>(real));
        data.append(reinterpret_cast<const char*>(bytes),
                    static_cast<std::size_t>(bytes_of(format.precision)));
      }
  return data;
}

// With the checksum of the links, or with none.
inline std::string framed_links(const GaugeWriteRequest& request, const reference::GaugeField& links,
                                bool with_checksum) {
  const GaugeFormat& format = gauge_format(request.format);
  const std::string data = link_bytes(links, request.links);
  LinkSum sum(format.checksum, request.links.order, record_bytes(request.links));
  sum.add(0, std::as_bytes(std::span(data)));
  const auto frame =
      format.frame(request, with_checksum ? sum.of_this_rank() : LinkChecksum{format.checksum});
  return frame.head + data + frame.tail;
}

}  // namespace plaq::test
