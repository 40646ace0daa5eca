#include "jobs/run/saved_fields.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

void check_format(const JobFile& job, std::vector<Problem>& problems) {
  try {
    links_to_write(saved_field_options(job));
  } catch (const Error& error) {
    problems.push_back({{"output", "format"}, fmt::format("'format' in [output]: {}", error.what())});
  }
}

}  // namespace

std::vector<Key> saved_field_keys() {
  return {
      key::string("format", "Format of the saved fields; also the end of their names.")
          .one_of({"nersc", "ildg", "scidac", "milc", "openqcd"})
          .otherwise("nersc"),
      key::string("precision", "Numbers in the file.").one_of({"double", "single"}).otherwise("double"),
      key::string("rows", "Stored rows and columns of a link; the third row of 3x2 is rebuilt on reading.")
          .one_of({"3x3", "3x2"})
          .otherwise("3x3"),
      key::string("byte_order", "Byte order of the numbers.").one_of({"big", "little"}).otherwise("big")};
}

Rule saved_field_rule() {
  return {{{"output", "format"}, {"output", "precision"}, {"output", "rows"}, {"output", "byte_order"}},
          "The format must have the precision, rows and byte order: MILC v5 is single and 3x3, openQCD "
          "double, 3x3 and little-endian, ILDG and SciDAC 3x3 and big-endian.",
          check_format};
}

GaugeWriteOptions saved_field_options(const JobFile& job) {
  GaugeWriteOptions options;
  for (const GaugeFormat* format : gauge_formats())
    if (short_name(format->format) == job.string("output", "format")) options.format = format->format;
  options.rows = job.string("output", "rows") == "3x3" ? 3 : 2;
  options.precision = job.string("output", "precision") == "double" ? Precision::double_precision
                                                                    : Precision::single_precision;
  options.order = job.string("output", "byte_order") == "big" ? ByteOrder::big : ByteOrder::little;
  return options;
}

}  // namespace plaq::jobs
