#include "core/system/error.hpp"
#include "quarks/source/source.hpp"

namespace plaq {
namespace {

class FileSource final : public Source {
 public:
  FileSource(const Extents& position, const Field& columns) : Source(position), columns_(columns) {}
  std::string type() const override { return "file"; }
  void fill(Field& b, int first_column) const override {
    require(static_cast<bool>(columns_), "a source from a file was not read");
    if (b.subfields() == columns_.subfields()) return copy(b, columns_);
    FieldSpec spec = b.spec();
    spec.location = Location::host;
    Field part(b.geometry_ptr(), spec);
    for (int subfield = 0; subfield < b.subfields(); ++subfield)
      copy_subfield(part, subfield, columns_, first_column + subfield);
    copy(b, part);
  }
  std::string summed() const override {
    return "over pairs of points of the source with their numbers in the source's file";
  }

 private:
  Field columns_;
};

}  // namespace

SourcePtr file_source(const Extents& position, const Field& columns) {
  return std::make_shared<FileSource>(position, columns);
}

}  // namespace plaq
