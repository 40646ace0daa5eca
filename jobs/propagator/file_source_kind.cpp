// Sources from files of propagators: column k of a file is the source of column k.
#include "jobs/propagator/source_files.hpp"

namespace plaq::jobs {
namespace {

class FileSourceKind final : public SourceKind {
 public:
  std::string name() const override { return "file"; }
  std::string meaning() const override { return "the columns of a file"; }
  std::vector<Key> keys() const override {
    return {
        field(&FileSourceKeys::files, "files",
              "Type file: one file for each source, in any propagator format, with twelve spinors or, for "
              "staggered quarks, three color vectors. Column k of the file is the source of column k. With "
              "{column}, which counts from 0, each column has its own file with a single field. {field} is "
              "the name of the gauge file; {trajectory} and {replica} are its numbers. Without them, one "
              "file serves all fields. Each name stands for one file; * and ? stand for any characters.")
            .not_empty()
            .such_as("[\"source.{trajectory}.h5\"]")
            .without("needed for file"),
        choice(&FileSourceKeys::slice, "slice",
               "Type file: time slice from which correlators count. position: t of position; file: the time "
               "slice of the source in the file.",
               {{"position", SourceSlice::position}, {"file", SourceSlice::file}})};
  }
  std::vector<Rule> rules() const override {
    return {{{"source.type", "source.files", "source.slice", "source.count", "source.positions"},
             "A source from a file needs files, whose number is the number of sources. No other source has "
             "files or slice.",
             check}};
  }
  int count(const Settings& job) const override {
    return static_cast<int>(job.get<FileSourceKeys>().files.value().size());
  }
  SourcePtr source(const Settings&, const Extents& position, int, const FieldNumbers&) const override {
    return file_source(position, {});
  }
  Attributes attributes(const Settings& job) const override {
    const auto keys = job.get<FileSourceKeys>();
    return {{"files", keys.files.value()},
            {"slice", std::string(keys.slice == SourceSlice::file ? "file" : "position")}};
  }

 private:
  static void check(Problems& problems, const FileSourceKeys& keys, const SourceKeys& source,
                    const Settings& job) {
    check_own_key(problems, job, {"file"}, "files", keys.files.has_value(), "[\"source.{trajectory}.h5\"]");
    check_own_key(problems, job, {"file"}, "slice", keys.slice != SourceSlice::position);
    const bool of_files = source.type->name() == "file";
    if (of_files && source.sites.count != 1)
      problems.add("source.count",
                   "is of sources that are made; there are as many as [source] files has names");
    if (of_files && (source.sites.order != PositionOrder::shift || source.sites.random_origin))
      problems.add("source.positions", "sources from files are at their positions; leave the key out");
    for (const std::string& name : keys.files.value_or(std::vector<std::string>()))
      if (const auto wrong = validate_source_name(name)) problems.add("source.files", *wrong);
  }
};

}  // namespace

const SourceKinds& all_source_kinds() {
  static const FileSourceKind file;
  static const SourceKinds all = joined<const SourceKind*>({made_source_kinds(), {&file}});
  return all;
}

}  // namespace plaq::jobs
