#include "jobs/propagator/source_columns.hpp"

#include "core/system/dry_run.hpp"
#include "kernels/quark/gaussian_smearing.hpp"

namespace plaq::jobs {

void SourceColumns::fill_made(Field& b, int first) const {
  const int stride = source_.column_stride();
  if (stride == 1) return source_.fill(b, first);
  FieldSpec spec = b.spec();
  spec.subfields = 1;
  Field column(b.geometry_ptr(), spec);
  for (int i = 0; i < b.subfields(); ++i) {
    source_.fill(column, stride * (first + i));
    copy_subfield(b, i, column, 0);
  }
}

void SourceColumns::fill(Field& b, int first_column, Field* seen) const {
  const Phase phase("making the source");
  fill_made(b, first_column);
  if (smearing_ != nullptr) smearing_->apply(b);
  if (derivative_ != nullptr) derivative_->apply(b);
  if (seen == nullptr) return;
  for (int subfield = 0; subfield < b.subfields(); ++subfield)
    copy_subfield(*seen, first_column + subfield, b, subfield);
}

}  // namespace plaq::jobs
