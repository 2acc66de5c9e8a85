# Shared by the scripts of tools/: sourced, not run.
# shellcheck shell=bash disable=SC2034

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# What a build needs, and what tests and lint need besides.
build_packages="build-essential cmake ninja-build pkg-config libboost1.81-dev libhiredis-dev librdkafka-dev prometheus-cpp-dev
  libyaml-cpp-dev libgtest-dev libgmock-dev libbenchmark-dev libcli11-dev libre2-dev libfmt-dev libspdlog-dev
  nlohmann-json3-dev libxxhash-dev libssl-dev libsystemd-dev redis-server redis-tools"
test_packages="clang clang-format clang-tidy libclang-rt-14-dev shellcheck python3 python3-redis curl systemd faketime
  openjdk-17-jre-headless maven kcat lintian dpkg-dev chromium"

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else
    fail "packages must be installed and this is neither root nor a user with sudo; as root, run: apt-get install $missing"
  fi
}

# Installs what is missing of the packages named, and leaves no service running that did not run before.
install_packages() {
  missing=""
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=" $package"
  done
  [ -z "$missing" ] && return 0
  command -v apt-get >/dev/null || fail "this script installs packages with apt-get (Debian 12); please install:$missing"
  say "Installing:$missing"
  # Debian starts a service on installation unless this file says no.
  local policy=/usr/sbin/policy-rc.d ours=""
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
    ours=yes
  fi
  local log
  log=$(mktemp)
  local status=0
  { as_root apt-get update && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } \
    >"$log" 2>&1 || status=$?
  [ -z "$ours" ] || as_root rm -f "$policy"
  if [ "$status" != 0 ]; then
    tail -n 20 "$log" >&2
    fail "apt-get could not install:$missing (whole output: $log)"
  fi
  rm -f "$log"
  # Nor may it start by itself at the next boot.
  case "$missing" in
    *redis-server*) if [ -d /run/systemd/system ]; then as_root systemctl disable redis-server >/dev/null 2>&1 || true; fi ;;
  esac
}

# build PRESET [target...]: configures when needed, then builds with progress.
build() {
  local preset=$1
  shift
  say "Building $preset"
  (cd "$root" && cmake --preset "$preset" >"/tmp/hotkeyd-configure.$$" 2>&1) || {
    tail -n 20 "/tmp/hotkeyd-configure.$$" >&2
    rm -f "/tmp/hotkeyd-configure.$$"
    fail "cmake could not configure preset $preset"
  }
  rm -f "/tmp/hotkeyd-configure.$$"
  cmake --build "$root/build/$preset" ${1:+--target "$@"}
}

# A TCP port of the loopback address that nobody listens on.
free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 12000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}

# wait_for SECONDS COMMAND...: until the command succeeds.
wait_for() {
  local tries=$(($1 * 20))
  shift
  until "$@" >/dev/null 2>&1; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || return 1
    sleep 0.05
  done
}
