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
// with, unless otherwise(), need() or without() says something else. An optional and an empty string have
// none. Settings::get() makes the struct.
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

#include "settings/schema/key.hpp"

namespace plaq::settings {

/// The names that settings have for the values of a type.
template <class T>
class Names {
 public:
  using Element = T;
  struct Named {
    const char* name;
    T value;
  };
  Names() = default;
  Names(std::initializer_list<Named> all) {
    for (const Named& one : all) add(one.name, one.value);
  }
  // Names of an enumeration that counts from 0, in its order.
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
  using Element = bool;
  Names(std::initializer_list<Named> all) : Names<char>(all) {}
};

namespace binding {

// Elements of members as a file has them. `read` gives none where a number does not fit,
// `write` where there is no value.
template <class T>
struct Plain {
  static constexpr bool is_integer = std::integral<T> && !std::same_as<T, bool>;
  using Element = T;
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
struct Innermost {
  using Element = T;
};
template <class T>
struct Innermost<std::vector<T>> : Innermost<T> {};
template <class T, std::size_t n>
struct Innermost<std::array<T, n>> : Innermost<T> {};
template <class T>
struct Innermost<std::optional<T>> : Innermost<T> {};
template <class Member>
using ElementOf = typename Innermost<Member>::Element;

// Elements of a member: one, a list, or an optional one.
template <class Member, class Element>
struct Shape {
  static constexpr bool list = false, optional = false;
  static constexpr std::size_t length = 0;
};
template <class T, class Element>
requires(!std::same_as<std::vector<T>, Element>) struct Shape<std::vector<T>, Element> : Shape<T, Element> {
  static constexpr bool list = true;
};
template <class T, std::size_t n, class Element>
requires(!std::same_as<std::array<T, n>, Element>) struct Shape<std::array<T, n>, Element>
    : Shape<std::vector<T>, Element> {
  static constexpr std::size_t length = n;
};
template <class T, class Element>
requires(!std::same_as<std::optional<T>, Element>) struct Shape<std::optional<T>, Element>
    : Shape<T, Element> {
  static constexpr bool optional = true;
};
template <class Member, class Elements>
using ShapeOf = Shape<Member, typename Elements::Element>;
template <class Member, class Elements>
using InFile = std::conditional_t<ShapeOf<Member, Elements>::list, std::vector<typename Elements::InFile>,
                                  typename Elements::InFile>;

// The first element that does not fit; null: all do.
template <class Member, class Elements>
const typename Elements::InFile* read(Member& to, const InFile<Member, Elements>& from,
                                      const Elements& elements) {
  if constexpr (ShapeOf<Member, Elements>::optional) {
    return read(to.emplace(), from, elements);
  } else if constexpr (ShapeOf<Member, Elements>::list) {
    if constexpr (ShapeOf<Member, Elements>::length == 0) to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
      if (const auto* refused = read(to[i], from[i], elements)) return refused;
    return nullptr;
  } else {
    const auto value = elements.read(from);
    if (!value) return &from;
    to = static_cast<Member>(*value);
    return nullptr;
  }
}

// The value of a member as a file has it; none of an optional one without a value, and of an empty string.
template <class Member, class Elements>
std::optional<InFile<Member, Elements>> write(const Member& member, const Elements& elements) {
  if constexpr (ShapeOf<Member, Elements>::optional) {
    if (!member) return std::nullopt;
    return write(*member, elements);
  } else if constexpr (ShapeOf<Member, Elements>::list) {
    InFile<Member, Elements> list;
    for (const auto& element : member)
      list.push_back(write(static_cast<const typename Elements::Element&>(element), elements)
                         .value_or(typename Elements::InFile{}));
    return list;
  } else {
    return elements.write(member);
  }
}

template <class Member, class Elements>
std::optional<Value> load(const void* member, const void* pointer) {
  const Elements& elements = *static_cast<const Elements*>(pointer);
  auto value = write(*static_cast<const Member*>(member), elements);
  if (value) return Value(std::move(*value));
  if constexpr (!ShapeOf<Member, Elements>::optional && requires { elements.texts(); })
    return Value(std::string("a value without a name"));  // which find_fault() refuses
  else
    return std::nullopt;
}

// Sets the member if it is not null. Returns why the value does not fit; none: it does.
template <class Member, class Elements>
std::optional<std::string> store(void* member, const Value& value, const void* pointer) {
  const Elements& elements = *static_cast<const Elements*>(pointer);
  Member unused{};
  const auto* refused = read(member ? *static_cast<Member*>(member) : unused,
                             std::get<InFile<Member, Elements>>(value), elements);
  if (refused == nullptr) return std::nullopt;
  if constexpr (requires { elements.fault(*refused); })
    return elements.fault(*refused);
  else
    return "found " + value_text(value) + ", a number that plaq has no room for";
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
  key.length = ShapeOf<Member, Elements>::length;
  if (auto value = write(member, elements)) key.fallback = Value(std::move(*value));
  key.member = {type, reinterpret_cast<const char*>(&member) - static_cast<const char*>(keys),
                store<Member, Elements>, load<Member, Elements>, std::make_shared<Elements>(elements)};
  return key;
}

}  // namespace binding

template <class Keys, class Member>
Key field(Member Keys::*member, std::string_view name, std::string_view meaning) {
  const Keys& keys = binding::initial<Keys>();
  return binding::bind(typeid(Keys), &keys, keys.*member, binding::Plain<binding::ElementOf<Member>>{}, name,
                       meaning);
}
// Binds a member of a struct within the struct.
template <class Keys, class Outer, class Member>
Key field(Outer Keys::*outer, Member Outer::*member, std::string_view name, std::string_view meaning) {
  const Keys& keys = binding::initial<Keys>();
  return binding::bind(typeid(Keys), &keys, keys.*outer.*member, binding::Plain<binding::ElementOf<Member>>{},
                       name, meaning);
}

// A key whose elements are texts in a file, such as "4x4x4x4". `Elements` has Element, InFile, read() and
// write() as binding::Plain, and fault(), which says what is wrong with a text that it does not read.
template <class Keys, class Member, class Elements>
Key field(Member Keys::*member, std::string_view name, std::string_view meaning, const Elements& elements) {
  const Keys& keys = binding::initial<Keys>();
  return binding::bind(typeid(Keys), &keys, keys.*member, elements, name, meaning);
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

// A choice one of whose names, such as "auto", stands for no value.
template <class Keys, class T>
Key optional_choice(std::optional<T> Keys::*member, std::string_view name, std::string_view meaning,
                    const Names<std::optional<T>>& names) {
  const Keys& keys = binding::initial<Keys>();
  return binding::bind(typeid(Keys), &keys, keys.*member, names, name, meaning).one_of(names.texts());
}
template <class Keys, class Outer, class T>
Key optional_choice(Outer Keys::*outer, std::optional<T> Outer::*member, std::string_view name,
                    std::string_view meaning, const Names<std::optional<T>>& names) {
  const Keys& keys = binding::initial<Keys>();
  return binding::bind(typeid(Keys), &keys, keys.*outer.*member, names, name, meaning).one_of(names.texts());
}

}  // namespace plaq::settings
