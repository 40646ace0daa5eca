#include "python/bindings/call.hpp"

#include <csignal>
#include <exception>
#include <thread>

namespace plaq::python {
namespace {

std::thread::id main_thread;
std::recursive_mutex turns;
int depth = 0;  // of calls within callbacks of calls

bool is_main_thread() { return std::this_thread::get_id() == main_thread; }

}  // namespace

void remember_main_thread() { main_thread = std::this_thread::get_id(); }

Call::Call(const Communicator& ranks) : exceptions_(std::uncaught_exceptions()), turn_(turns) {
  if (is_main_thread()) signals_.emplace();
  if (depth++ == 0) part_.emplace(ranks);
}

Call::~Call() {
  const int signal = signals_ ? signals_->here() : 0;
  signals_.reset();
  // To whom it would have come: Python raises KeyboardInterrupt when this thread has it again.
  if (--depth == 0 && signal != 0 && std::uncaught_exceptions() == exceptions_) std::raise(signal);
}

}  // namespace plaq::python
