#!/bin/sh
# Installs Linkbower: downloads the program of a release, checks its SHA-256, and puts it where programs are.
#
#   sh install.sh [--version VERSION] [--to FOLDER] [--systemd[=user|system]] [--dry-run]
#
# Without options it installs the latest release in /usr/local/bin for root, else in ~/.local/bin, and starts nothing.
# The whole script is one function, called in its last line: a download that was cut off runs nothing.

main() {
  set -eu
  umask 022

  # The release that this script belongs to fills in the address.
  releases=${LINKBOWER_RELEASES:-@RELEASES@}
  version=latest
  folder=
  systemd=
  dry=

  while [ $# -gt 0 ]; do
    case $1 in
    --version) [ $# -gt 1 ] || fail "--version needs a version, such as 0.2.0" && version=$2 && shift ;;
    --version=*) version=${1#*=} ;;
    --to) [ $# -gt 1 ] || fail "--to needs a folder" && folder=$2 && shift ;;
    --to=*) folder=${1#*=} ;;
    --systemd) systemd=auto ;;
    --systemd=user | --systemd=system) systemd=${1#*=} ;;
    --dry-run) dry=yes ;;
    -h | --help) usage && return ;;
    *) fail "unknown option $1; see --help" ;;
    esac
    shift
  done

  case $releases in
  https://*) protocol='=https' ;;
  # For a mirror on this machine.
  http://127.0.0.1:* | http://localhost:*) protocol='=http' ;;
  *) fail "set LINKBOWER_RELEASES to the https address of the releases: this copy of the script belongs to none" ;;
  esac
  releases=${releases%/}
  version=${version#v}
  case $version in
  latest) list=$releases/latest/download/SHA256SUMS ;;
  *[!0-9A-Za-z.-]* | '' | .* | *..*) fail "$version is not a version" ;;
  *) list=$releases/download/v$version/SHA256SUMS ;;
  esac

  target=$(target_of_this_machine)
  sum_tool=$(first_of sha256sum shasum openssl) || fail "install sha256sum, shasum or openssl"
  fetch_tool=$(first_of curl wget) || fail "install curl or wget"
  choose_places

  work=$(mktemp -d "${TMPDIR:-/tmp}/linkbower-install.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM

  fetch "$list" "$work/SHA256SUMS" || fail "there is no list of checksums at $list"
  # A line is a sum, two characters and a name without folders.
  line=$(grep -E "^[0-9a-f]{64} [ *]linkbower-[0-9][0-9A-Za-z.-]*-$target\\.tar\\.gz\$" "$work/SHA256SUMS" || true)
  [ "$(printf '%s\n' "$line" | grep -c .)" = 1 ] || fail "this release has no file for $target"
  sum=${line%% *}
  file=${line##*[ *]}
  found=${file#linkbower-}
  found=${found%"-$target.tar.gz"}
  [ "$version" = latest ] || [ "$version" = "$found" ] || fail "the release $version holds version $found"

  if [ -n "$dry" ]; then
    say "would download $releases/download/v$found/$file"
    say "would check that its SHA-256 is $sum"
    say "would install $folder/linkbower"
    [ -z "$systemd" ] || say "would install and start $unit ($systemd)"
    return
  fi

  say "Downloading Linkbower $found for $target …"
  fetch "$releases/download/v$found/$file" "$work/$file" || fail "$file could not be downloaded whole"
  [ "$(sum_of "$work/$file")" = "$sum" ] || fail "$file does not have the SHA-256 that the release names; nothing was installed"

  tar -xzf "$work/$file" -C "$work" || fail "$file cannot be unpacked"
  unpacked=$work/linkbower-$found-$target
  [ -f "$unpacked/linkbower" ] || fail "$file does not contain the program"
  if ! "$unpacked/linkbower" --version >"$work/output" 2>&1; then
    cat "$work/output" >&2
    case $target in
    *-musl) fail "the program does not run here; on Alpine, install its library first: apk add libstdc++" ;;
    *) fail "the program does not run here; nothing was installed" ;;
    esac
  fi

  mkdir -p "$folder"
  # Beside the old program first, so that it is replaced in one step.
  if ! cp "$unpacked/linkbower" "$folder/.linkbower.new"; then
    rm -f "$folder/.linkbower.new"
    fail "$folder cannot be written; choose another with --to, or run this as root"
  fi
  chmod 0755 "$folder/.linkbower.new"
  mv -f "$folder/.linkbower.new" "$folder/linkbower"
  say "Installed $folder/linkbower, version $found."

  case $systemd in
  user) start_for_user ;;
  system) start_for_system ;;
  *)
    case :$PATH: in
    *:"$folder":*) command=linkbower ;;
    *) command=$folder/linkbower && say "$folder is not in your PATH." ;;
    esac
    say "Start it in a folder of its own, where it keeps its library:  $command serve"
    ;;
  esac
}

usage() {
  cat <<'END'
Usage: install.sh [options]

Installs the program of the latest release in /usr/local/bin for root, else in ~/.local/bin.

  --version VERSION   another release, such as 0.2.0
  --to FOLDER         another folder for the program
  --systemd           also install a systemd unit and start the service: for the whole machine
                      as root, else for you; --systemd=user and --systemd=system choose
  --dry-run           say what would be done, and change nothing
END
}

say() { printf '%s\n' "$*"; }

fail() {
  printf 'linkbower: %s\n' "$*" >&2
  exit 1
}

first_of() {
  for tool in "$@"; do
    if command -v "$tool" >/dev/null 2>&1; then
      say "$tool"
      return
    fi
  done
  return 1
}

# Where the program goes, and which unit starts it.
choose_places() {
  root=${DESTDIR:-}
  user_id=$(id -u)
  [ "$systemd" != auto ] || { [ "$user_id" = 0 ] && systemd=system || systemd=user; }
  if [ -z "$folder" ]; then
    if [ "$user_id" = 0 ] || [ "$systemd" = system ]; then
      folder=$root/usr/local/bin
    else
      folder=${HOME:?}/.local/bin
    fi
  fi
  case $folder in
  /*) ;;
  *) folder=$PWD/$folder ;;
  esac
  unit=
  case $systemd in
  system) unit=$root/etc/systemd/system/linkbower.service ;;
  user) unit=${HOME:?}/.config/systemd/user/linkbower.service ;;
  *) return 0 ;;
  esac
  case $folder in
  *[!A-Za-z0-9/._@+-]*) fail "a systemd unit cannot name the folder $folder" ;;
  esac
  command -v systemctl >/dev/null 2>&1 || fail "this machine has no systemd; leave out --systemd"
  [ "$systemd" = user ] || [ "$user_id" = 0 ] || fail "--systemd=system must run as root"
}

target_of_this_machine() {
  system=$(uname -s)
  machine=$(uname -m)
  case $system/$machine in
  Linux/x86_64 | Linux/amd64) say "linux-x64$(libc_suffix)" ;;
  Linux/aarch64 | Linux/arm64) say "linux-arm64$(libc_suffix)" ;;
  Darwin/arm64) say darwin-arm64 ;;
  Darwin/x86_64)
    # A terminal may run under Rosetta on Apple's processors.
    [ "$(sysctl -n hw.optional.arm64 2>/dev/null)" = 1 ] || fail "there is no program for Macs with Intel processors; use a container"
    say darwin-arm64
    ;;
  *) fail "there is no program for $system on $machine; use a container, or build it from the source" ;;
  esac
}

libc_suffix() {
  if command -v ldd >/dev/null 2>&1; then
    case $(ldd --version 2>&1 || true) in
    *musl*) say -musl ;;
    esac
  elif ls /lib/ld-musl-* >/dev/null 2>&1; then
    say -musl
  fi
}

# Downloads an address to a file, which exists only if it arrived whole.
fetch() {
  case $fetch_tool in
  curl)
    curl --proto "$protocol" --proto-redir "$protocol" --fail --silent --show-error --location \
      --connect-timeout 20 --max-time 900 --max-filesize 400000000 --retry 2 --output "$2.part" "$1"
    ;;
  wget) wget -q -T 60 -O "$2.part" "$1" ;;
  esac && mv "$2.part" "$2"
}

sum_of() {
  case $sum_tool in
  sha256sum) sha256sum "$1" | cut -d ' ' -f 1 ;;
  shasum) shasum -a 256 "$1" | cut -d ' ' -f 1 ;;
  openssl) openssl dgst -sha256 -r "$1" | cut -d ' ' -f 1 ;;
  esac
}

# Installs a unit of the release, with the program's folder in it.
install_unit() {
  mkdir -p "${unit%/*}"
  sed "s|^ExecStart=.*linkbower serve|ExecStart=${folder#"$root"}/linkbower serve|" "$unpacked/deploy/$1" >"$unit.new"
  chmod 0644 "$unit.new"
  mv -f "$unit.new" "$unit"
}

start_for_user() {
  mkdir -p "$HOME/.config/linkbower" "$HOME/.local/share/linkbower"
  chmod 0700 "$HOME/.config/linkbower" "$HOME/.local/share/linkbower"
  install_unit linkbower-user.service
  systemctl --user daemon-reload
  systemctl --user enable linkbower
  systemctl --user restart linkbower
  # Without this, the service ends when you sign out.
  loginctl enable-linger 2>/dev/null || say "To let it run while you are signed out:  sudo loginctl enable-linger $(id -un)"
  say "The service runs. Its address and the code to sign in with:  journalctl --user -u linkbower -n 20"
}

start_for_system() {
  id -u linkbower >/dev/null 2>&1 ||
    useradd --system --home-dir /var/lib/linkbower --shell /usr/sbin/nologin linkbower
  mkdir -p "$root/etc/linkbower/secrets"
  chmod 0700 "$root/etc/linkbower" "$root/etc/linkbower/secrets"
  chown -R linkbower:linkbower "$root/etc/linkbower"
  install_unit linkbower.service
  # Runs commands with the service's settings.
  if [ -f "$unpacked/deploy/lb" ]; then
    cp "$unpacked/deploy/lb" "$folder/lb" && chmod 0755 "$folder/lb"
  fi
  systemctl daemon-reload
  systemctl enable linkbower
  systemctl restart linkbower
  say "The service runs. Its address and the code to sign in with:  journalctl -u linkbower -n 20"
}

{ main "$@"; }
