#include "io/gauge/gauge_file_info.hpp"

#include <cstring>
#include <type_traits>

#include "core/system/error.hpp"
#include "io/transformation/transformation_info.hpp"

namespace plaq {
namespace {

// Both go through the members in the same order.
struct Writer {
  std::string text;

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void operator()(const T& value) { text.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void operator()(const std::string& value) {
    (*this)(value.size());
    text += value;
  }
  std::size_t length(std::size_t size) {
    (*this)(size);
    return size;
  }
};

struct Reader {
  const std::string& text;
  std::size_t at = 0;

  const char* take(std::size_t bytes) {
    require(bytes <= text.size() - at, "the description of a gauge file is cut off");
    at += bytes;
    return text.data() + at - bytes;
  }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void operator()(T& value) { std::memcpy(&value, take(sizeof value), sizeof value); }
  void operator()(std::string& value) {
    const std::size_t size = length(0);
    value.assign(take(size), size);
  }
  std::size_t length(std::size_t) {
    std::size_t size = 0;
    (*this)(size);
    return size;
  }
};

template <class Archive, class List, class Visit>
void visit_each(Archive& archive, List& list, const Visit& visit) {
  const std::size_t size = archive.length(list.size());
  if constexpr (!std::is_const_v<List>) list.resize(size);
  for (auto& element : list) visit(element);
}

template <class Archive, class Info>
void visit_texts(Archive& archive, Info& info) {
  archive(info.path);
  visit_each(archive, info.entries, [&](auto& entry) {
    archive(entry.key);
    archive(entry.value);
    archive(entry.line);
  });
  visit_each(archive, info.warnings, [&](auto& warning) { archive(warning); });
}

template <class Archive, class Info>
requires std::is_same_v<std::remove_const_t<Info>, GaugeFileInfo>
void visit_members(Archive& archive, Info& info) {
  archive(info.format);
  archive(info.extents);
  archive(info.links);
  archive(info.data_offset);
  archive(info.data_bytes);
  archive(info.file_bytes);
  archive(info.plaquette);
  archive(info.link_trace);
  archive(info.plaquette_within);
  archive(info.link_trace_within);
  archive(info.checksum);
  archive(info.boundary);
  archive(info.checksum_kind);
  visit_texts(archive, info);
}

template <class Archive, class Info>
requires std::is_same_v<std::remove_const_t<Info>, TransformationFileInfo>
void visit_members(Archive& archive, Info& info) {
  archive(info.extents);
  archive(info.precision);
  archive(info.data_offset);
  archive(info.data_bytes);
  archive(info.checksum);
  visit_texts(archive, info);
}

template <class Info>
std::string written(const Info& info) {
  Writer writer;
  visit_members(writer, info);
  return std::move(writer.text);
}

template <class Info>
Info read(const std::string& text) {
  Info info;
  Reader reader{text};
  visit_members(reader, info);
  require(reader.at == text.size(), "the description of a gauge file has bytes too many");
  return info;
}

}  // namespace

std::string to_text(const GaugeFileInfo& info) { return written(info); }
GaugeFileInfo info_from_text(const std::string& text) { return read<GaugeFileInfo>(text); }

std::string to_text(const TransformationFileInfo& info) { return written(info); }
TransformationFileInfo transformation_info_from_text(const std::string& text) {
  return read<TransformationFileInfo>(text);
}

}  // namespace plaq
