#!/usr/bin/awk -f
# Lays the tile with the most pips. Run it by: chickenfoot agent exec NAME -- awk -f highest.awk
# (mawk holds its input back unless it is told not to: mawk -W interactive -f highest.awk)
#
# POSIX awk and nothing else: no JSON parser. The keys of a line always come in the same order, so what is wanted stands
# between two known texts.

# What stands behind `start`, up to `end`.
function between(start, end, rest) {
    rest = substr($0, index($0, start) + length(start))
    return substr(rest, 1, index(rest, end) - 1)
}

# 1 and the pips of the tile for a play, as in "play 4-9 9"; 0 for anything else.
function pips(option, words, numbers) {
    split(option, words, " ")
    if (words[1] != "play") return 0
    split(words[2], numbers, "-")
    return 1 + numbers[1] + numbers[2]
}

index($0, "{\"type\":\"decision\",") == 1 {
    count = split(between("\"options\":[\"", "\"]"), options, "\",\"")
    best = 1
    # The first of equals, in the order of the list.
    for (at = 2; at <= count; at++) if (pips(options[at]) > pips(options[best])) best = at
    match_id = between("\"match\":\"", "\"")
    printf "{\"match\":\"%s\",\"decision\":%d,\"option\":%d}\n", match_id, between("\"decision\":", ","), best - 1
    # A line waits in a buffer otherwise.
    fflush()
}

index($0, "{\"type\":\"refused\",") == 1 || index($0, "{\"type\":\"error\",") == 1 { print > "/dev/stderr" }

index($0, "{\"type\":\"stop\"") == 1 { exit }
