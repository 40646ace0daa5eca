// Progress of long work with the time left: a bar on a terminal, now and then a line elsewhere.
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>

namespace plaq {

class Progress {
 public:
  struct Settings {
    std::ostream* stream = nullptr;   // null: prints nothing, as on ranks other than 0
    bool terminal = false;            // a bar that redraws itself
    std::function<double()> seconds;  // a clock; empty: the steady clock of the machine
    // Standard error, and a bar when that is a terminal; nothing on ranks other than 0,
    // nor where only warnings are logged.
    static Settings standard(int rank);
  };

  // `total` > 0 in steps of any size: sweeps, fields, or decades of a residual.
  Progress(std::string title, double total, Settings settings);
  ~Progress();  // ends the line of the bar
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Work done so far; never goes back. `note` is shown behind it ("plaquette 0.5937").
  void advance_to(double done, const std::string& note = "");
  void advance(double step = 1, const std::string& note = "") { advance_to(done_ + step, note); }
  // All is done: prints the last line with the time taken.
  void finish(const std::string& note = "");
  // Wipes the bar so that another message can be printed; the next step draws it again.
  void clear();

 private:
  void draw_bar(double now, const std::string& note);
  void print_line(double now, const std::string& note);
  std::string left(double now) const;

  std::string title_;
  double total_, done_ = 0;
  Settings settings_;
  double start_, last_;  // seconds
  double printed_ = 0;   // fraction of the last line
  bool drawn_ = false, finished_ = false;
};

// "0.4 s", "12 s", "3 min 20 s", "1 h 02 min", "2 d 03 h".
std::string duration_text(double seconds);

}  // namespace plaq
