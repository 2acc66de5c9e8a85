#include "sources/parse_csv.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "resp/command_table.h"
#include "sources/read_unix_time.h"

namespace hotkeyd {
namespace {

enum Column : std::size_t { time_column, key_column, op_column, bytes_column, column_count };

struct Record {
  std::array<std::string_view, column_count>
      fields;  // A quoted one without its quotes, which are still doubled.
  std::size_t size = 0;
  bool has_quoted_key = false;
};

// The length of the field at the start of `text`, with its quotes; nullopt: its quote is not closed, or
// something follows it.
std::optional<std::size_t> field_length(std::string_view text) {
  if (!text.starts_with('"')) return std::min(text.find(','), text.size());
  std::size_t quote = text.find('"', 1);
  while (quote != std::string_view::npos && text.substr(quote + 1).starts_with('"'))
    quote = text.find('"', quote + 2);
  if (quote == std::string_view::npos) return std::nullopt;
  if (quote + 1 < text.size() && text[quote + 1] != ',') return std::nullopt;
  return quote + 1;
}

Result<Record> split_record(std::string_view text) {
  Record record;
  for (bool has_more = true; has_more;) {
    const auto length = field_length(text);
    if (!length) return Error{"a quote is not closed, or not followed by a comma"};
    if (record.size == column_count) return Error{"more than the four fields time,key,op,bytes"};
    const bool is_quoted = text.starts_with('"');
    if (is_quoted && record.size == key_column) record.has_quoted_key = true;
    record.fields[record.size++] = is_quoted ? text.substr(1, *length - 2) : text.substr(0, *length);
    has_more = *length < text.size();
    text.remove_prefix(*length + (has_more ? 1 : 0));
  }
  if (record.size <= key_column) return Error{"fewer than the two fields time,key"};
  return record;
}

// "" in a quoted field stands for a quote.
std::string_view undouble_quotes(std::string_view field, std::string& out) {
  if (field.find('"') == std::string_view::npos) return field;
  out.clear();
  for (std::size_t i = 0; i < field.size(); ++i) {
    out.push_back(field[i]);
    if (field[i] == '"') ++i;
  }
  return out;
}

std::optional<AccessKind> parse_op(std::string_view op) {
  if (op.empty() || equals_ignore_case(op, "read")) return AccessKind::read;
  if (equals_ignore_case(op, "write")) return AccessKind::write;
  if (equals_ignore_case(op, "miss")) return AccessKind::miss;
  const auto use = use_of(op);
  if (!use) return std::nullopt;
  return *use == KeyUse::read ? AccessKind::read : AccessKind::write;
}

}  // namespace

Result<ParsedAccess> CsvParser::parse(const Line& line) {
  if (line.cut > 0) return Error{"it is too long for a record of a trace"};
  const auto record = split_record(line.text);
  if (!record) return Error{record.error()};
  const auto& fields = record->fields;
  const auto time = read_unix_time(fields[time_column]);
  if (!time) return Error{"the time (first field) is no number of Unix seconds"};
  const auto kind = parse_op(fields[op_column]);
  if (!kind) return Error{"the op (third field) is none of read, write, miss and no command with a key"};
  const auto bytes = fields[bytes_column].empty() ? std::uint64_t{0} : parse_unsigned(fields[bytes_column]);
  if (!bytes) return Error{"the bytes (fourth field) are no number"};
  const std::string_view key =
      record->has_quoted_key ? undouble_quotes(fields[key_column], unquoted_) : fields[key_column];
  return ParsedAccess{*time, key, *kind, *bytes};
}

}  // namespace hotkeyd
