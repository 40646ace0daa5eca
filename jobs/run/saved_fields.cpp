#include "jobs/run/saved_fields.hpp"

#include "core/system/error.hpp"
#include "jobs/schema/field.hpp"

namespace plaq::jobs {
namespace {

void check_format(Problems& problems, const GaugeWriteOptions& options) {
  try {
    links_to_write(options);
  } catch (const Error& error) {
    problems.add("output.format", error.what());
  }
}

Names<GaugeFileFormat> saved_field_formats() {
  Names<GaugeFileFormat> names;
  for (const auto format : {GaugeFileFormat::nersc, GaugeFileFormat::ildg, GaugeFileFormat::scidac,
                            GaugeFileFormat::milc, GaugeFileFormat::openqcd, GaugeFileFormat::ddalphaamg})
    names.add(std::string(short_name(format)), format);
  return names;
}

}  // namespace

std::vector<Key> saved_field_keys() {
  return {choice(&GaugeWriteOptions::format, "format",
                 "Format of the saved fields; also the end of their names.", saved_field_formats()),
          choice(&GaugeWriteOptions::precision, "precision", "Numbers in the file.",
                 {{"double", Precision::double_precision}, {"single", Precision::single_precision}})
              .otherwise("double"),
          choice(&GaugeWriteOptions::rows, "rows",
                 "Stored rows and columns of a link; the third row of 3x2 is rebuilt on reading.",
                 {{"3x3", 3}, {"3x2", 2}})
              .otherwise("3x3"),
          choice(&GaugeWriteOptions::order, "byte_order", "Byte order of the numbers.",
                 {{"big", ByteOrder::big}, {"little", ByteOrder::little}})
              .otherwise("big")};
}

Rule saved_field_rule() {
  return {{"output.format", "output.precision", "output.rows", "output.byte_order"},
          "The format must have the precision, rows and byte order: MILC v5 is single and 3x3, openQCD "
          "double, 3x3 and little-endian, DDalphaAMG double and 3x3, ILDG and SciDAC 3x3 and big-endian.",
          check_format};
}

}  // namespace plaq::jobs
