#!/bin/sh
# Lays the tile with the most pips. Run it by: chickenfoot agent exec NAME -- sh highest.sh
#
# POSIX sh and nothing else: no JSON parser. The keys of a line always come in the same order, so what is wanted stands
# between two known texts.
set -u

while IFS= read -r line; do
    case $line in
    '{"type":"decision",'*)
        match=${line#*'"match":"'}
        match=${match%%'"'*}
        decision=${line#*'"decision":'}
        decision=${decision%%,*}
        # As in: play 2-9 9","play 3-9 9","keep
        rest=${line#*'"options":["'}
        rest=${rest%%'"]'*}
        at=0 best=0 most=-1
        while :; do
            option=${rest%%'","'*}
            pips=0
            case $option in
            'play '*)
                tile=${option#play }
                tile=${tile% *}
                pips=$((1 + ${tile%-*} + ${tile#*-}))
                ;;
            esac
            # The first of equals, in the order of the list.
            if [ "$pips" -gt "$most" ]; then
                most=$pips best=$at
            fi
            at=$((at + 1))
            [ "$option" != "$rest" ] || break
            rest=${rest#*'","'}
        done
        printf '{"match":"%s","decision":%s,"option":%s}\n' "$match" "$decision" "$best"
        ;;
    '{"type":"refused",'* | '{"type":"error",'*) printf '%s\n' "$line" >&2 ;;
    '{"type":"stop"'*) exit 0 ;;
    esac
done
