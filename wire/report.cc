#include "wire/report.h"

#include <array>
#include <utility>

#include "base/text.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kHeadWords = 5;  // ns producer epoch seq n

using Words = std::span<const std::string_view>;

// Most numbers are one digit; 18 digits cannot overflow.
bool read_number(std::string_view digits, std::uint64_t& value) {
  if (digits.size() == 1) {
    value = static_cast<std::uint64_t>(static_cast<unsigned char>(digits[0])) - '0';
    return value <= 9;
  }
  if (digits.empty() || digits.size() > 18) {
    const auto parsed = parse_unsigned(digits);
    value = parsed.value_or(0);
    return parsed.has_value();
  }
  std::uint64_t sum = 0;
  for (const char c : digits) {
    const std::uint64_t digit = static_cast<std::uint64_t>(static_cast<unsigned char>(c)) - '0';
    if (digit > 9) return false;
    sum = sum * 10 + digit;
  }
  value = sum;
  return true;
}

bool read_row(const std::string_view* words, ReportRow& row) {
  row.key = words[0];
  return read_number(words[1], row.reads) && read_number(words[2], row.writes) &&
         read_number(words[3], row.misses) && read_number(words[4], row.local_hits) &&
         read_number(words[5], row.bytes) && row.misses <= row.reads && row.local_hits <= row.reads;
}

Error row_error(std::size_t number, const std::string_view* words) {
  constexpr std::array<std::string_view, kReportRowWords> kNames{"key",    "reads",      "writes",
                                                                 "misses", "local_hits", "bytes"};
  const std::string row = "row " + std::to_string(number) + ": ";
  for (std::size_t i = 1; i < kReportRowWords; ++i) {
    if (!parse_unsigned(words[i]))
      return Error{row + std::string(kNames[i]) + " is not an integer from 0 to 2^63-1"};
  }
  const bool misses = *parse_unsigned(words[3]) > *parse_unsigned(words[1]);
  return Error{row + (misses ? "misses" : "local_hits") + " are more than reads"};
}

Result<void> read_rows(Words words, Report& report) {
  const std::string_view* row = words.data();
  for (std::size_t i = 0; i < report.rows.size(); ++i, row += kReportRowWords) {
    if (!read_row(row, report.rows[i])) return row_error(i + 1, row);
  }
  return {};
}

Result<std::size_t> read_head(Words words, Report& report) {
  if (words.size() < kHeadWords) return Error{"wrong number of arguments for 'hotkey report' command"};
  std::uint64_t rows = 0;
  report.ns = words[0];
  report.producer = words[1];
  if (!is_valid_producer(report.producer)) return Error{"producer must be 1 to 128 of A-Z a-z 0-9 _ . - : /"};
  if (!read_number(words[2], report.epoch)) return Error{"epoch is not an integer from 0 to 2^63-1"};
  if (!read_number(words[3], report.seq)) return Error{"seq is not an integer from 0 to 2^63-1"};
  if (!read_number(words[4], rows)) return Error{"n is not an integer from 0 to 2^63-1"};
  if (rows > (words.size() - kHeadWords) / kReportRowWords) return Error{"n does not match the rows"};
  return rows;
}

// The numbers behind an option's name; how many depends on the name.
using Numbers = std::array<std::uint64_t, 5>;

struct Option {
  std::string_view name;
  std::size_t numbers;
};
constexpr std::array<Option, 4> kOptions{{{"AGE", 1}, {"SAMPLE", 1}, {"TOTALS", 2}, {"NEAR", 5}}};

Result<void> set_option(std::string_view name, const Numbers& numbers, Report& report) {
  if (name == "AGE") report.age_ms = numbers[0];
  if (name == "SAMPLE") report.sample = numbers[0];
  if (name == "TOTALS") report.totals = ReportTotals{numbers[0], numbers[1]};
  if (name == "NEAR")
    report.near = NearCacheFigures{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
  if (report.sample == 0) return Error{"SAMPLE must be at least 1"};
  if (report.totals && report.totals->dropped > report.totals->recorded) {
    return Error{"TOTALS: dropped are more than recorded"};
  }
  return {};
}

const Option* find_option(std::string_view word) {
  for (const Option& option : kOptions) {
    if (equals_ignore_case(word, option.name)) return &option;
  }
  return nullptr;
}

Result<Numbers> read_numbers(const Option& option, Words words) {
  Numbers numbers{};
  if (words.size() < option.numbers) return Error{std::string(option.name) + " is unfinished"};
  for (std::size_t i = 0; i < option.numbers; ++i) {
    if (read_number(words[i], numbers[i])) continue;
    return Error{std::string(option.name) + " takes integers from 0 to 2^63-1"};
  }
  return numbers;
}

Result<void> read_options(Words words, Report& report) {
  std::array<bool, kOptions.size()> given{};
  while (!words.empty()) {
    const Option* option = find_option(words[0]);
    if (option == nullptr) return Error{"unknown option '" + redis_escape(words[0], 64) + "' (is n right?)"};
    bool& is_given = given[static_cast<std::size_t>(option - kOptions.data())];
    if (std::exchange(is_given, true)) return Error{std::string(option->name) + " is given twice"};
    const auto numbers = read_numbers(*option, words.subspan(1));
    if (!numbers) return Error{numbers.error()};
    if (auto set = set_option(option->name, *numbers, report); !set) return set;
    words = words.subspan(option->numbers + 1);
  }
  return {};
}

Result<void> read_report(Words words, Report& report) {
  const auto rows = read_head(words, report);
  if (!rows) return Error{rows.error()};
  report.rows.resize(*rows);
  if (auto read = read_rows(words.subspan(kHeadWords), report); !read) return read;
  return read_options(words.subspan(kHeadWords + *rows * kReportRowWords), report);
}

}  // namespace

Result<void> decode_report(std::span<const std::string_view> arguments, Report& report) {
  report.age_ms = 100;
  report.sample = 1;
  report.totals.reset();
  report.near.reset();
  auto read = read_report(arguments, report);
  if (!read) report.rows.clear();
  return read;
}

}  // namespace hotkeyd
