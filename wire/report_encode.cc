#include <array>
#include <charconv>
#include <initializer_list>

#include "resp/writer.h"
#include "wire/report.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kCommandHeadWords = 7;  // HOTKEY REPORT ns producer epoch seq n

// Bulk strings of one command; their number must be said before them.
class CommandWriter {
 public:
  CommandWriter(std::string& out, std::size_t words) : resp_(out, RespVersion::resp2) { resp_.array(words); }

  void word(std::string_view bytes) { resp_.bulk(bytes); }
  void number(std::uint64_t value) {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    word({digits.data(), end});
  }
  void numbers(std::initializer_list<std::uint64_t> values) {
    for (const std::uint64_t value : values) number(value);
  }

 private:
  RespWriter resp_;
};

std::size_t count_words(const Report& report) {
  const std::size_t options =
      2U + (report.sample == 1 ? 0U : 2U) + (report.totals ? 3U : 0U) + (report.near ? 6U : 0U);
  return kCommandHeadWords + report.rows.size() * kReportRowWords + options;
}

void write_options(CommandWriter& command, const Report& report) {
  command.word("AGE");
  command.number(report.age_ms);
  if (report.sample != 1) {
    command.word("SAMPLE");
    command.number(report.sample);
  }
  if (report.totals) {
    command.word("TOTALS");
    command.numbers({report.totals->recorded, report.totals->dropped});
  }
  if (report.near) {
    command.word("NEAR");
    command.numbers({report.near->hits, report.near->loads, report.near->entries, report.near->bytes,
                     report.near->oldest_ms});
  }
}

}  // namespace

void append_report(std::string& out, const Report& report) {
  CommandWriter command(out, count_words(report));
  for (const std::string_view word :
       {std::string_view("HOTKEY"), std::string_view("REPORT"), report.ns, report.producer}) {
    command.word(word);
  }
  command.numbers({report.epoch, report.seq, report.rows.size()});
  for (const ReportRow& row : report.rows) {
    command.word(row.key);
    command.numbers({row.reads, row.writes, row.misses, row.local_hits, row.bytes});
  }
  write_options(command, report);
}

}  // namespace hotkeyd
