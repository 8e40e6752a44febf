# Sourced by the scripts of the examples that are not built for the host.
#
# `toolchain TARGET [CRATES]` sets the array `cargo` to a command that builds for the target, or returns 1 and says what
# is missing. In the order of preference: a compiler that has the target; rustup, which fetches it; Debian's compiler,
# with which the standard library's crates, `core` unless others are named, are built from their sources.
# `tools PACKAGE…` installs what is missing of Debian's packages.

toolchain() {
    local target=$1 crates=${2:-core}
    cargo=(cargo)
    if [ "${MASKWRIGHT_TOOLCHAIN:-}" != debian ]; then
        [ -n "$(find "$(rustc --print target-libdir --target "$target" 2>/dev/null)" -name 'libcore-*' 2>/dev/null)" ] && return
        timeout 60 rustup target add "$target" >/dev/null 2>&1 && return
        echo "rustup cannot add $target: Debian's compiler is tried"
    fi
    tools rustc-web cargo-web rust-web-src || return 1
    # The linker of a toolchain of rustup's reads what Debian's compiler wrote, too.
    local lld
    lld=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin/rust-lld
    if [ ! -x "$lld" ]; then
        case $target in
            thumb*) tools binutils-arm-none-eabi && lld=arm-none-eabi-ld ;;
            wasm32*) tools lld && lld=wasm-ld ;;
        esac || return 1
    fi
    local name=CARGO_TARGET_$(echo "$target" | tr 'a-z-' 'A-Z_')_LINKER
    cargo=(env RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 "$name=$lld" /usr/bin/cargo "-Zbuild-std=$crates")
}

tools() {
    local missing=() package
    for package; do
        dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
    done
    [ ${#missing[@]} = 0 ] && return
    local sudo=
    [ "$(id -u)" = 0 ] || sudo="sudo -n"
    if command -v apt-get >/dev/null && { $sudo apt-get update && DEBIAN_FRONTEND=noninteractive timeout 300 \
        $sudo apt-get install -y --no-install-recommends "${missing[@]}"; } >/dev/null 2>&1; then
        return
    fi
    echo "not installed: ${missing[*]}"
    return 1
}
