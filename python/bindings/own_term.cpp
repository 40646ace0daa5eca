#include "python/bindings/own_term.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <bit>
#include <cstdint>
#include <exception>
#include <string>

#include "comms/communicator/collective.hpp"
#include "core/system/error.hpp"
#include "python/bindings/arguments.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/fields.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

// "ValueError: text"
std::string text_of_error(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const nb::python_error& raised) {
    const nb::gil_scoped_acquire held;
    return fmt::format("{}: {}", nb::cast<std::string>(raised.type().attr("__name__")),
                       nb::cast<std::string>(nb::str(raised.value())));
  } catch (const std::exception& raised) {
    return raised.what();
  }
}

class PythonTerm final : public ActionTerm {
 public:
  PythonTerm(nb::object object, std::string name)
      : object_(std::move(object)), name_(std::move(name)), draws_(nb::hasattr(object_, "draw")) {}

  std::string name() const override { return name_; }

  void draw(const GaugeField& links, std::uint64_t seed, std::uint32_t trajectory) override {
    if (!draws_) return;
    on_all_ranks(links, "draw", [&] { object_.attr("draw")(links, seed, trajectory); });
  }

  double value(const GaugeField& links) override {
    const Communicator& ranks = python_lattice(links.lattice()).ranks();
    std::vector<double> numbers;
    bool is_sum = false;  // over all ranks already
    on_all_ranks(links, "action", [&] {
      const nb::object found = object_.attr("action")(links);
      is_sum = is_number(found);
      numbers = is_sum ? std::vector<double>{number_of(found)} : real_numbers_of(found, queue_of(links));
    });
    if (ranks.any(is_sum) != ranks.all(is_sum))
      refuse("action", "a number on some ranks and an array on others");
    if (!is_sum) return exact_sum(links.lattice(), numbers);
    const auto bits = std::bit_cast<std::uint64_t>(numbers.front());
    if (ranks.min(bits) != ranks.max(bits))
      refuse(
          "action",
          "numbers that differ between ranks; return an array of the numbers of this rank, which plaq adds "
          "up, or the sum over all ranks");
    return numbers.front();
  }

  void force(GaugeField& force, const GaugeField& links) override {
    on_all_ranks(links, "force", [&] {
      const nb::object found = object_.attr("force")(links);
      if (nb::isinstance<GaugeField>(found)) {
        const auto& matrices = nb::cast<const GaugeField&>(found);
        expect_same_lattice(matrices, links);
        force = matrices;
        return;
      }
      if (!nb::hasattr(found, "ndim"))
        refuse("force", "expected an array or a GaugeField, found " + found_text(found));
      // mu, t, z, y, x, row, column; one more axis in even-odd order.
      const bool lexicographic = nb::cast<int>(found.attr("ndim")) == 7;
      set_array(force.field(), found, lexicographic ? PackedOrder::lexicographic : PackedOrder::checkerboard,
                queue_of(links));
      force.field().touch();
    });
  }

 private:
  [[noreturn]] void refuse(const std::string& function, const std::string& what) const {
    throw Error(ErrorKind::usage, fmt::format("{}() of the term {}: {}", function, name_, what));
  }

  static bool is_number(const nb::object& found) {
    if (nb::hasattr(found, "ndim")) return nb::cast<int>(found.attr("ndim")) == 0;
    return nb::hasattr(found, "__float__");
  }
  // float() of numpy would drop an imaginary part.
  static double number_of(const nb::object& found) {
    const nb::object type = nb::getattr(found, "dtype", nb::none());
    const nb::object kind = nb::getattr(type, "kind", nb::none());
    if (kind.equal(nb::str("c")))
      throw Error(ErrorKind::usage, "expected a real number, found " + found_text(found));
    return nb::cast<double>(nb::module_::import_("builtins").attr("float")(found));
  }

  // Calls Python. An exception of this rank comes out as it is; one of another rank as an Error.
  template <class Use>
  void on_all_ranks(const GaugeField& links, const char* function, const Use& use) const {
    const Communicator& ranks = python_lattice(links.lattice()).ranks();
    std::exception_ptr failure;
    try {
      const nb::gil_scoped_acquire held;
      try {
        use();
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::usage) throw;
        refuse(function, error.what());
      }
    } catch (...) {
      failure = std::current_exception();
    }
    const int first = ranks.min(failure ? ranks.rank() : ranks.size());
    if (first == ranks.size()) return;
    const std::string text = broadcast(ranks, failure ? text_of_error(failure) : std::string(), first);
    if (failure) std::rethrow_exception(failure);
    refuse(function, fmt::format("rank {} raised {}", first, text));
  }

  nb::object object_;
  std::string name_;
  bool draws_;
};

bool is_term(nb::handle object) {
  return nb::hasattr(object, "name") && nb::isinstance<nb::str>(object.attr("name")) &&
         nb::hasattr(object, "action") && nb::hasattr(object, "force");
}

}  // namespace

std::vector<ActionTermPtr> terms_of(nb::handle objects) {
  constexpr const char* wanted = "a list of objects with name, action(links) and force(links)";
  if (PySequence_Check(objects.ptr()) == 0) refuse_argument("terms", wanted, objects);
  std::vector<ActionTermPtr> terms;
  for (nb::handle object : nb::list(objects)) {
    if (!is_term(object)) refuse_argument("terms", wanted, object);
    terms.push_back(
        std::make_shared<PythonTerm>(nb::borrow(object), nb::cast<std::string>(object.attr("name"))));
  }
  return terms;
}

}  // namespace plaq::python
