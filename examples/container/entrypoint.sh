#!/bin/sh
# Entry point of the container. Before the first start it gives the superuser postgres the password in the file
# $MULTIMED_PASSWORD_FILE: the instance then listens on a loopback address only, so that nobody outside can come first.
set -eu

directory=${MULTIMED_DIRECTORY:-/var/lib/multimed}
done=$directory/.password-set

if [ "${1:-}" = up ] && [ ! -e "$done" ]; then
    password=$(cat "${MULTIMED_PASSWORD_FILE:?has to name a file with the password of the superuser postgres}" | sed "s/'/''/g")
    multimed up --dir "$directory" --config /dev/null --listen 127.0.0.1:0 --satellites 0 > /dev/null &
    until multimed status --dir "$directory" > /dev/null 2>&1; do
        kill -0 $! || exit 1
        sleep 0.2
    done
    multimed sql --dir "$directory" --built-in -c "ALTER ROLE postgres PASSWORD '$password'"
    multimed down --dir "$directory"
    wait
    : > "$done"
fi

exec multimed "$@"
