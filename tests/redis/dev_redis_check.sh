#!/usr/bin/env bash
# tools/dev/redis: starts one server however often it is asked, ends exactly that one, and says what it needs.
set -euo pipefail
tool=$1
HOTKEYD_DEV_REDIS_DIR=$(mktemp -d)/server
export HOTKEYD_DEV_REDIS_DIR
trap '"$tool" stop; rm -rf "$(dirname "$HOTKEYD_DEV_REDIS_DIR")"' EXIT

fail() {
  echo "$*" >&2
  exit 1
}

first=$("$tool" start)
[[ $first =~ ^redis://127\.0\.0\.1:[0-9]+$ ]] || fail "start printed '$first'"
[[ $("$tool" start) == "$first" ]] || fail "a second start made another server"
HOTKEYD_DEV_REDIS_DIR=$HOTKEYD_DEV_REDIS_DIR-other "$tool" stop
pid=$(cat "$HOTKEYD_DEV_REDIS_DIR/redis.pid")
kill -0 "$pid" || fail "stop of another server ended this one"
"$tool" stop
kill -0 "$pid" 2>/dev/null && [[ $(cut -d' ' -f3 "/proc/$pid/stat") != Z ]] && fail "the server still runs"
[[ ! -e $HOTKEYD_DEV_REDIS_DIR ]] || fail "stop left $HOTKEYD_DEV_REDIS_DIR"
"$tool" stop || fail "a second stop failed"

empty=$(mktemp -d "$(dirname "$HOTKEYD_DEV_REDIS_DIR")/bin-XXXX")
for program in bash id cat readlink; do ln -s "$(command -v $program)" "$empty/$program"; done
if said=$(PATH=$empty "$tool" start 2>&1); then fail "start worked without redis-server"; fi
[[ $said == *"redis-server is not installed"* ]] || fail "without redis-server it said '$said'"
