#!/usr/bin/env bash
# The command line against a real service, end to end. Both binaries come by environment:
#   CHICKENFOOT_BIN=target/debug/chickenfoot CHICKENFOOT_SERVER_BIN=target/debug/chickenfoot-server clients/cli/tests/session.sh
set -euo pipefail

cli=${CHICKENFOOT_BIN:?the path of the binary chickenfoot}
server=${CHICKENFOOT_SERVER_BIN:?the path of the binary chickenfoot-server}
unset CHICKENFOOT_SERVER CHICKENFOOT_TOKEN
work=$(mktemp -d)
pid=

clean_up() {
    # The server, and an agent that would come back to it for ever.
    jobs -p | xargs -r kill 2>/dev/null || true
    wait
    rm -rf "$work"
}
trap clean_up EXIT

fail() {
    echo "FAILED: $*" >&2
    for log in "$work"/*.log; do
        echo "--- ${log##*/}" >&2
        tail -n 20 "$log" >&2
    done
    exit 1
}

# expect CODE COMMAND...: runs the command with a bound of a minute and checks its exit code.
expect() {
    local wanted=$1 found=0
    shift
    timeout 60 "$@" >"$work/stdout.log" 2>"$work/stderr.log" || found=$?
    [ "$found" = "$wanted" ] || fail "exit code $found instead of $wanted: $*"
}

# has FILE TEXT: checks that the text is in what the last command wrote.
has() {
    grep -qF -- "$2" "$work/$1.log" || fail "$1 lacks: $2"
}

# until_true COMMAND...: asks again for up to 20 seconds.
until_true() {
    local end=$((SECONDS + 20))
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$end" ] || fail "never true: $*"
        read -r -t 0.05 <>"$work/tick" || true
    done
}
mkfifo "$work/tick"

RUST_LOG=info "$server" --listen 127.0.0.1:0 --store memory 2>"$work/server.log" &
pid=$!
until_true grep -q '"message":"serving"' "$work/server.log"
address=$(sed -n 's/.*"message":"serving".*"address":"\([^"]*\)".*/\1/p' "$work/server.log" | head -n 1)
[ -n "$address" ] || fail "the server did not tell its address"
export CHICKENFOOT_SERVER=http://$address

# Agents: the token alone on stdout; a name only once.
CHICKENFOOT_TOKEN=$("$cli" agent register tester)
export CHICKENFOOT_TOKEN
[[ $CHICKENFOOT_TOKEN =~ ^[0-9a-f]+$ ]] || fail "not a token alone: $CHICKENFOOT_TOKEN"
expect 1 "$cli" --json agent register tester
has stderr '"reason":"AGENT_EXISTS"'
expect 0 "$cli" agent list
has stdout tester

# What the service refuses is a failure, and without a token nothing is made.
expect 1 "$cli" match create --seats greedy,greedy --players 3
has stderr SEAT_COUNT
expect 1 env -u CHICKENFOOT_TOKEN "$cli" match create --seats greedy,greedy
has stderr TOKEN_MISSING
expect 1 "$cli" match show 00000000000000000000000000000000
has stderr MATCH_NOT_FOUND
expect 64 "$cli" match create

# A match of the house, watched to its end; its record verifies, and one changed digit is found.
game=$("$cli" match create --rules trains --seats greedy,dead-foot,random --rounds 2)
expect 0 "$cli" match watch "$game"
has stdout 'round 2 ends: '
has stdout '[8|8]'
has stdout 'match ended: '
expect 0 "$cli" --json match watch "$game" --after 10
has stdout '"seq":11'
expect 0 "$cli" match list --state finished
has stdout "$game"
expect 0 "$cli" match list --agent tester
grep -q "$game" "$work/stdout.log" && fail "the tester has no seat in $game"
expect 1 "$cli" match list --agent 'no/name'
has stderr AGENT_NAME_INVALID
expect 1 "$cli" match list --tournament 17
has stderr TOURNAMENT_ID_INVALID
expect 0 "$cli" record get "$game"
cp "$work/stdout.log" "$work/record.json"
expect 0 "$cli" record verify "$work/record.json"
has stdout 'ok '
expect 0 "$cli" record show "$work/record.json"
has stdout 'round 1 on double-9'
expect 0 "$cli" replay "$work/record.json"
has stdout 'round 1 on double-9'
expect 0 "$cli" replay "$work/record.json" --html -o "$work/replay.html"
has stderr 'replay.html, '
sed '/"seed"/s/[0-8]",$/9",/;t;/"seed"/s/.",$/0",/' "$work/record.json" >"$work/tampered.json"
cmp -s "$work/record.json" "$work/tampered.json" && fail "nothing was tampered with"
expect 1 "$cli" record verify "$work/tampered.json"
has stderr 'commitment: '
expect 1 "$cli" replay "$work/tampered.json" --html
has stderr 'To see it as it is: --unverified'

# A person: always the first option, to the end.
game=$("$cli" match create --seats open,greedy,dead-foot --rounds 1)
printf '1\n%.0s' {1..1000} >"$work/answers"
expect 0 "$cli" match play "$game" <"$work/answers"
has stdout 'you have seat 0'
has stdout 'your hand: '
has stdout 'your move, 1 to '
has stdout 'match ended: '
expect 0 "$cli" --json match show "$game"
has stdout '"state":"finished"'
has stdout '"late":0'
expect 0 "$cli" match list --agent tester --state finished
has stdout "$game"

# A person without a token who answers once, mistypes, and leaves.
game=$("$cli" match create --seats open,greedy --rounds 1)
printf '1\nnonsense\nq\n' >"$work/answers"
expect 0 env -u CHICKENFOOT_TOKEN "$cli" match play "$game" --name guest <"$work/answers"
has stderr 'registered guest'
has stderr '"nonsense" is no option'
has stderr "left $game"
until_true sh -c "'$cli' --json match show $game | grep -q '\"out\":\"left\"'"

# An agent that plays one match; and one that is told to stop.
env -u CHICKENFOOT_TOKEN timeout 60 "$cli" agent run runner --strategy random --seed 1 --games 1 \
    >"$work/runner.log" 2>&1 &
runner=$!
until_true grep -q 'registered runner' "$work/runner.log"
game=$("$cli" match create --seats agent:runner,greedy --rounds 1)
wait "$runner" || fail "the agent did not end well"
grep -q '^matches 1,' "$work/runner.log" || fail "the agent does not tell what it played"
expect 1 "$cli" agent run stranger --strategy greedy
has stderr 'the token is that of agent "tester"'
"$cli" agent run tester --strategy greedy >"$work/stopped.log" 2>&1 &
runner=$!
until_true sh -c "'$cli' --json agent list | grep tester | grep -q '\"online\":true'"
kill -TERM "$runner"
wait "$runner" || fail "the agent did not stop cleanly"
grep -q '^matches 0,' "$work/stopped.log" || fail "the stopped agent does not tell what it played"

# A program that plays one match, told as JSON; its log is kept. And one that only dies.
env -u CHICKENFOOT_TOKEN timeout 60 "$cli" agent exec program --games 1 --json --per-match --logs "$work/logs" -- \
    sh -c 'echo "it plays" >&2; exec sh "$0"' "$(dirname "$0")/../../lines/highest.sh" >"$work/program.log" 2>"$work/program.err" &
runner=$!
until_true grep -q 'registered program' "$work/program.err"
game=$("$cli" match create --seats agent:program,greedy --rounds 1)
wait "$runner" || fail "the program did not end well"
grep -q '"died":0.*"games":1,' "$work/program.log" || fail "what the program played is not told: $(cat "$work/program.log")"
grep -q '^it plays$' "$work/logs/$game.stderr" || fail "the program's stderr is not kept"
expect 1 "$cli" agent exec tester --restarts 1 -- sh -c 'echo "broken, ${CHICKENFOOT_TOKEN-without a token}" >&2; exit 3'
has stderr 'program: died: exit status: 3; the last line on stderr: broken, without a token'
has stderr 'was given up after 2 runs in a row'
has stdout 'faults: died 2'

# An open match: join, leave, abort. Who watches it is told whom it waits for.
game=$("$cli" match create --rules classic --seats open,open --decision-time 500ms)
expect 0 "$cli" match join "$game" --seat 1
has stdout 'seat 1'
timeout 60 "$cli" match watch "$game" >"$work/watched.log" 2>"$work/watched.err" &
watcher=$!
until_true grep -q '^waiting for seat 0, which anybody may take$' "$work/watched.err"
expect 0 "$cli" match leave "$game"
until_true grep -q 'seat 0, .*; seat 1, ' "$work/watched.err"
expect 0 "$cli" match abort "$game"
wait "$watcher" || fail "the watch of an open match does not end with it"
grep -q '^ended before its time by who made it$' "$work/watched.err" || fail "the watch does not tell of the end"
expect 1 "$cli" match join "$game"
has stderr MATCH_NOT_OPEN

# Tournaments: every example to its end, reports and all; the A/B test finds the better one.
cp "$(dirname "$0")"/../examples/*.toml "$work"
expect 0 "$cli" tournament run "$work"/*.toml --output "$work/reports/"
has stdout 'House round robin: finished'
has stdout 'A/B test: the candidate is better'
has stderr '"event":"progress"'
[ -f "$work/reports/swiss.html" ] || fail "a report is missing"
[ -z "$(find "$work" -name '*.run')" ] || fail "a run left its state behind"

# The same step by step, with an agent that has to be there.
cat >"$work/agents.toml" <<'TOML'
name = "With an agent"
table_size = 2
entry_check = true
[format]
kind = "round-robin"
cycles = 2
[rules]
rounds = 1
[[entrants]]
agent = "tester"
[[entrants]]
house = "greedy"
TOML
"$cli" agent run tester --strategy random >"$work/tester.log" 2>&1 &
runner=$!
until_true sh -c "'$cli' --json agent list | grep tester | grep -q '\"online\":true'"
expect 64 "$cli" tournament create <(sed 's/cycles/rounds/' "$work/agents.toml")
has stderr 'format.rounds: there is no such key here'
tournament=$("$cli" tournament create "$work/agents.toml")
expect 0 "$cli" tournament show "$tournament"
has stdout 'tester  invited'
expect 0 "$cli" tournament join "$tournament"
has stdout 'entrant 0, tester: '
until_true sh -c "'$cli' tournament show $tournament | grep tester | grep -q entered"
expect 0 "$cli" tournament start "$tournament"
expect 0 "$cli" --json tournament watch "$tournament"
has stdout '"event":"standings"'
expect 0 "$cli" tournament standings "$tournament" --pairings
has stdout 'before, %'
expect 0 "$cli" tournament list --state finished
has stdout "$tournament"
expect 0 "$cli" match list --tournament "$tournament" --agent tester
[[ -s $work/stdout.log ]] || fail "the tester played in the tournament"
expect 1 "$cli" tournament join "$tournament"
kill -TERM "$runner"
wait "$runner" || fail "the agent did not stop cleanly"

# A reader that stops early is no error.
game=$("$cli" match create --seats greedy,greedy)
"$cli" match watch "$game" | head -n 1 >/dev/null || fail "a closed pipe is an error"

kill "$pid"
wait "$pid" || fail "the server did not stop cleanly"
pid=
expect 1 "$cli" --json agent list
has stderr '"reason":"CONNECTION_FAILED"'

# The views that fill a terminal, on a pseudo terminal.
timeout 120 python3 "$(dirname "$0")/view.py" || fail "a view"
echo "all fine"
