#!/bin/sh
# The multimed command of a distribution: runs io.multimed.cli.Main on the runtime beside it. See multimed help.
#
# Environment:
#   MULTIMED_JAVA_OPTS    further options for the JVM (last, so they win)

set -eu

# Without a locale in UTF-8, or with one that is not installed, the JVM does not find files whose names have letters
# beyond ASCII, its own included.
if [ "$(locale charmap 2>&1)" != UTF-8 ]; then
    unset LC_ALL LANG LANGUAGE LC_COLLATE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME
    LC_CTYPE=C.UTF-8
    export LC_CTYPE
fi

installation=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
case $installation in
    *:*)
        printf 'multimed: cannot run in %s: Java takes a name with a colon for two\n' "$installation" >&2
        exit 1
        ;;
esac

# Fewer malloc arenas: the middleware's threads would otherwise keep tens of megabytes of their own.
MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-2}
export MALLOC_ARENA_MAX
# The class cache is only valid for the flags and the class path that it was made with.
# shellcheck disable=SC2086
exec "$installation/runtime/bin/java" "-XX:AOTCache=$installation/lib/classes.aot" \
    @JVM_FLAGS@ ${MULTIMED_JAVA_OPTS:-} \
    "-Dmultimed.installation=$installation" -cp "@CLASS_PATH@" \
    io.multimed.cli.Main "$@"
