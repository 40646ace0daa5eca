// Keys as members of structs: a key is bound once to the member that has its value.
//
//   struct StudyKeys {
//     int sources = 1;
//     std::optional<int> batch;
//   };
//   field(&StudyKeys::sources, "sources", "Random sources.").within(1, 256)
//   field(&StudyKeys::batch, "batch", "Sources that are solved together.").within(1, 256).without("all")
//
// The type of a key is that of its member: bool, an integer, double, std::string, a std::vector of these, a
// std::array of numbers, or std::optional of one of these. Its default is what the member is initialised
// with, unless otherwise(), need() or without() says something else. An optional and an empty string have none.
// JobFile::get() makes the struct.
#pragma once

#include <array>
#include <concepts>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "jobs/schema/schema.hpp"

namespace plaq::jobs {

// What a job file calls the values of a type.
template <class T>
class Names {
 public:
  struct Named {
    const char* name;
    T value;
  };
  Names() = default;
  Names(std::initializer_list<Named> all) {
    for (const Named& one : all) add(one.name, one.value);
  }
  // Of an enumeration from 0, in its order.
  template <std::size_t n>
  explicit Names(const std::string_view (&names)[n]) {
    for (std::size_t i = 0; i < n; ++i) add(std::string(names[i]), static_cast<T>(i));
  }
  void add(std::string name, const T& value) {
    texts_.push_back(std::move(name));
    values_.push_back(value);
  }

  const std::vector<std::string>& texts() const { return texts_; }
  std::string of(const T& value) const { return write(value).value(); }

  using InFile = std::string;
  std::optional<T> read(const std::string& text) const {
    for (std::size_t i = 0; i < texts_.size(); ++i)
      if (texts_[i] == text) return values_[i];
    return std::nullopt;
  }
  std::optional<std::string> write(const T& value) const {
    for (std::size_t i = 0; i < texts_.size(); ++i)
      if (values_[i] == value) return texts_[i];
    return std::nullopt;
  }

 private:
  std::vector<std::string> texts_;
  std::vector<T> values_;
};
template <>
class Names<bool> : public Names<char> {  // no vector of bits
 public:
  Names(std::initializer_list<Named> all) : Names<char>(all) {}
};

namespace binding {

// The elements of a member as a file has them: `read` has none where a number does not fit, `write` where
// there is no default.
template <class T>
struct Plain {
  static constexpr bool is_integer = std::integral<T> && !std::same_as<T, bool>;
  using InFile = std::conditional_t<is_integer, std::int64_t, T>;
  static std::optional<T> read(const InFile& x) {
    if constexpr (is_integer)
      if (!std::in_range<T>(x)) return std::nullopt;
    return static_cast<T>(x);
  }
  static std::optional<InFile> write(const T& x) {
    if constexpr (std::same_as<T, std::string>)
      if (x.empty()) return std::nullopt;
    return static_cast<InFile>(x);
  }
};

template <class T>
struct Shape {
  using Element = T;
  static constexpr bool list = false, optional = false;
  static constexpr std::size_t length = 0;
};
template <class T>
struct Shape<std::vector<T>> : Shape<T> {
  static constexpr bool list = true;
};
template <class T, std::size_t n>
struct Shape<std::array<T, n>> : Shape<std::vector<T>> {
  static constexpr std::size_t length = n;
};
template <class T>
struct Shape<std::optional<T>> : Shape<T> {
  static constexpr bool optional = true;
};
template <class Member>
using ElementOf = typename Shape<Member>::Element;
template <class Member, class Elements>
using InFile = std::conditional_t<Shape<Member>::list, std::vector<typename Elements::InFile>,
                                  typename Elements::InFile>;

// False where a number does not fit.
template <class Member, class Elements>
bool read(Member& to, const InFile<Member, Elements>& from, const Elements& elements) {
  if constexpr (Shape<Member>::optional) {
    return read(to.emplace(), from, elements);
  } else if constexpr (Shape<Member>::list) {
    if constexpr (Shape<Member>::length == 0) to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
      if (!read(to[i], from[i], elements)) return false;
    return true;
  } else {
    const auto value = elements.read(from);
    if (value) to = static_cast<Member>(*value);
    return value.has_value();
  }
}

template <class Member, class Elements>
std::optional<Value> default_of(const Member& member, const Elements& elements) {
  if constexpr (Shape<Member>::optional) {
    return std::nullopt;
  } else if constexpr (Shape<Member>::list) {
    InFile<Member, Elements> list;
    for (const auto& element : member) list.push_back(elements.write(element).value());
    return Value(std::move(list));
  } else {
    const auto value = elements.write(member);
    return value ? std::optional<Value>(*value) : std::nullopt;
  }
}

// Of all of the same type; null: a member of none.
template <class Member, class Elements>
bool store(void* member, const Value& value, const void* elements) {
  Member unused{};
  return read(member ? *static_cast<Member*>(member) : unused, std::get<InFile<Member, Elements>>(value),
              *static_cast<const Elements*>(elements));
}

template <class Keys>
const Keys& initial() {
  static const Keys keys{};
  return keys;
}

// `member`: of the struct at `keys`.
template <class Member, class Elements>
Key bind(std::type_index type, const void* keys, const Member& member, const Elements& elements,
         std::string_view name, std::string_view meaning) {
  Key key;
  key.name = name;
  key.meaning = meaning;
  key.type = static_cast<Type>(Value(InFile<Member, Elements>{}).index());
  key.length = Shape<Member>::length;
  key.fallback = default_of(member, elements);
  key.member = {type, reinterpret_cast<const char*>(&member) - static_cast<const char*>(keys),
                store<Member, Elements>, std::make_shared<Elements>(elements)};
  return key;
}

}  // namespace binding

template <class Keys, class Member>
Key field(Member Keys::*member, std::string_view name, std::string_view meaning) {
  const Keys& keys = binding::initial<Keys>();
  return binding::bind(typeid(Keys), &keys, keys.*member, binding::Plain<binding::ElementOf<Member>>{}, name,
                       meaning);
}
// Of a struct within the struct.
template <class Keys, class Outer, class Member>
Key field(Outer Keys::*outer, Member Outer::*member, std::string_view name, std::string_view meaning) {
  const Keys& keys = binding::initial<Keys>();
  return binding::bind(typeid(Keys), &keys, keys.*outer.*member, binding::Plain<binding::ElementOf<Member>>{},
                       name, meaning);
}

// A key of few values, each with a name: the member, or the elements of a list, are of any type.
template <class Keys, class Member>
Key choice(Member Keys::*member, std::string_view name, std::string_view meaning,
           const Names<binding::ElementOf<Member>>& names) {
  const Keys& keys = binding::initial<Keys>();
  return binding::bind(typeid(Keys), &keys, keys.*member, names, name, meaning).one_of(names.texts());
}
template <class Keys, class Outer, class Member>
Key choice(Outer Keys::*outer, Member Outer::*member, std::string_view name, std::string_view meaning,
           const Names<binding::ElementOf<Member>>& names) {
  const Keys& keys = binding::initial<Keys>();
  return binding::bind(typeid(Keys), &keys, keys.*outer.*member, names, name, meaning).one_of(names.texts());
}

}  // namespace plaq::jobs
