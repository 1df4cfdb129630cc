"""Recomputes the figures of an exported tournament from its matches: python recompute_tournament.py REPORT.json

Needs the standard library and nothing of this repository. It reads what `chickenfoot tournament export ID --format json` writes,
computes points, places, margins and the pairwise matrix anew, and compares them with the figures in the file. Exits 1 at the
first difference.
"""
import json
import math
import sys
from collections import defaultdict
from itertools import combinations


class Difference(Exception):
    """A figure in the file is not what its matches add up to."""


def same(what, file, own):
    """Compares a figure of the file with one's own; numbers that are no counts may differ in their last digits."""
    rounded = isinstance(file, float) and isinstance(own, (int, float))
    if not (math.isclose(file, own, rel_tol=1e-9, abs_tol=1e-7) if rounded else file == own):
        raise Difference(f"{what} is {file!r} in the file, and {own!r} by its matches")


def mean(values):
    return math.fsum(values) / len(values) if values else None


def margins(match, entrant):
    """For each seat of an entrant the mean points of the others' seats less its own."""
    others = [seat["points"] for seat in match["seats"] if seat["entrant"] != entrant]
    own = [seat["points"] for seat in match["seats"] if seat["entrant"] == entrant]
    return [mean(others) - points for points in own] if others else []


def live_interval(values):
    """The confidence sequence of the t-test with a prior as heavy as four blocks, at 5 %."""
    n, prior = len(values), 4
    if n == 0:
        return None
    middle, shrink = mean(values), n / (n + prior)
    bound = -math.expm1(math.log(0.05**2 * prior / (n + prior)) / n)
    if shrink <= bound:
        return None
    variance = mean([(value - middle) ** 2 for value in values])
    reach = math.sqrt(bound * variance / (shrink - bound))
    return middle - reach, middle + reach


def additive_margins(blocks):
    """The margins of the additive model: points of a seat = effect of the match - effect of the entrant, by least squares, among
    entrants that matches join. The margin is an entrant's effect less the mean effect of the others."""
    rows, sums, groups = defaultdict(lambda: defaultdict(float)), defaultdict(float), {}
    for match in (match for block in blocks for match in block["matches"]):
        seats = [(seat["entrant"], seat["points"]) for seat in match["seats"]]
        joined = set().union(*(groups.get(who, {who}) for who, _ in seats))
        groups.update((who, joined) for who in joined)
        for one, points in seats:
            sums[one] += mean([points for _, points in seats]) - points
            rows[one][one] += 1
            for other, _ in seats:
                rows[one][other] -= 1 / len(seats)
    found = {}
    for group in {id(group): sorted(group) for group in groups.values() if len(group) > 1}.values():
        # The same added to all cells fixes the sum of the effects at 0 and changes nothing else.
        system = [[rows[one][other] + 1 for other in group] + [sums[one]] for one in group]
        scale = len(group) / (len(group) - 1)
        found.update((who, scale * effect) for who, effect in zip(group, solve(system)))
    return found


def solve(system):
    """Gauss and Jordan's elimination, of rows that end in the right-hand side."""
    for column in range(len(system)):
        best = max(range(column, len(system)), key=lambda row: abs(system[row][column]))
        system[column], system[best] = system[best], system[column]
        pivot = [cell / system[column][column] for cell in system[column]]
        system = [
            pivot if number == column else [cell - row[column] * part for cell, part in zip(row, pivot)]
            for number, row in enumerate(system)
        ]
    return [row[-1] for row in system]


def check_places(matches):
    """A place is one more than the number of seats that did better, by points and by the tie-breaks of a match. A seat that was
    taken out ranks last whatever it has, so matches with such a seat are passed over. Returns how many were not."""
    count = 0
    for block, record, seats in matches:
        if any(seat["out"] for seat in record):
            continue
        keys = [(seat["points"], -seat["clean_rounds"], seat["lowest_round"] or math.inf) for seat in seats]
        for number, (seat, key) in enumerate(zip(seats, keys)):
            same(f"the place of seat {number} in block {block}", seat["place"], 1 + sum(other < key for other in keys))
        count += 1
    return count


def check_standing(line, name, blocks, margin):
    who = line["entrant"]
    seats, shares, by_seat, by_block, absences = [], [], [], [], 0
    for block in blocks:
        absences += who in block["absent"]
        before = len(by_seat)
        for match in block["matches"]:
            winners = sum(seat["place"] == 1 for seat in match["seats"])
            own = [seat for seat in match["seats"] if seat["entrant"] == who]
            seats += own
            shares += [1 / winners if seat["place"] == 1 else 0 for seat in own]
            by_seat += margins(match, who)
        if by_seat[before:]:
            by_block.append(mean(by_seat[before:]))
    lowest = [seat["lowest_round"] for seat in seats if seat["lowest_round"] is not None]
    own = {
        "blocks": sum(any(s["entrant"] == who for m in block["matches"] for s in m["seats"]) for block in blocks),
        "matches": len(seats),
        "points": sum(seat["points"] for seat in seats),
        "mean_points": mean([seat["points"] for seat in seats]),
        "places": [sum(seat["place"] == place for seat in seats) for place in range(1, len(line["places"]) + 1)],
        "mean_place": mean([seat["place"] for seat in seats]),
        "clean_rounds": sum(seat["clean_rounds"] for seat in seats),
        "lowest_round": min(lowest, default=None),
        "raw_margin": mean(by_seat),
        "absences": absences,
    }
    for figure, value in own.items():
        same(f"{figure} of {name}", line[figure], value)
    same(f"first_share of {name}", (line["first_share"] or {}).get("estimate"), mean(shares))
    same(f"margin of {name}", (line["margin"] or {}).get("estimate"), margin)
    interval = live_interval(by_block)
    same(f"whether {name} has a live_interval", line["live_interval"] is not None, interval is not None)
    for end, value in zip(("low", "high"), interval or ()):
        same(f"{end} of the live_interval of {name}", line["live_interval"][end], value)


def pairwise(blocks):
    """Wins, ties, losses, margins and blocks of each pair that met, the one that is lower in the order of the schedule first."""
    pairs = defaultdict(lambda: {"wins": 0, "ties": 0, "losses": 0, "margins": [], "blocks": set()})
    for block in blocks:
        for match in block["matches"]:
            for one, other in combinations(match["seats"], 2):
                if one["entrant"] == other["entrant"]:
                    continue
                for a, b in ((one, other), (other, one)):
                    pair = pairs[a["entrant"], b["entrant"]]
                    pair["wins"] += a["place"] < b["place"]
                    pair["ties"] += a["place"] == b["place"]
                    pair["losses"] += a["place"] > b["place"]
                    pair["margins"].append(b["points"] - a["points"])
                    pair["blocks"].add(block["number"])
    return pairs


def check_pairings(lines, names, blocks):
    pairs = pairwise(blocks)
    same("the number of pairs", len(lines), len(pairs) // 2)
    for line in lines:
        one, other = line["entrant"], line["opponent"]
        what = f"{names[one]} against {names[other]}"
        if (one, other) not in pairs:
            raise Difference(f"{what} is in the file, and they never met")
        pair = pairs[one, other]
        meetings = pair["wins"] + pair["ties"] + pair["losses"]
        for figure in ("wins", "ties", "losses"):
            same(f"{figure} of {what}", line[figure], pair[figure])
        same(f"meetings of {what}", line["meetings"], meetings)
        same(f"blocks of {what}", line["blocks"], len(pair["blocks"]))
        superiority = (pair["wins"] + pair["ties"] / 2) / meetings
        same(f"superiority of {what}", line["superiority"]["estimate"], superiority)
        same(f"margin of {what}", line["margin"]["estimate"], mean(pair["margins"]))


def check(report):
    """Compares everything and returns what was compared, in words."""
    form = report["format"]
    if (form["name"], form["version"]) != ("chickenfoot-tournament-report", 1):
        raise Difference(f"the file is of the form {form}, which this program does not know")
    if "standings" not in report:
        return ["the tournament has not begun: there is nothing to compare"]
    blocks = report["blocks"]
    names = {entrant["number"]: entrant["name"] for entrant in report["entrants"]}
    records = {record["block"]: record["matches"] for record in report["records"]}
    matches = [
        (block["number"], record["seats"], match["seats"])
        for block in blocks
        for match, record in zip(block["matches"], records[block["number"]], strict=True)
    ]
    placed = check_places(matches)
    same("the number of standings", len(report["standings"]), sum(e["position"] is not None for e in report["entrants"]))
    same("the ranks", [line["rank"] for line in report["standings"]], list(range(1, len(report["standings"]) + 1)))
    fitted = additive_margins(blocks)
    for line in report["standings"]:
        check_standing(line, names[line["entrant"]], blocks, fitted.get(line["entrant"]))
    check_pairings(report["pairings"], names, blocks)
    return [
        f"places of all seats in {placed} of {len(matches)} matches, by points and tie-breaks",
        f"points, places, first places, margins and live intervals of {len(report['standings'])} entrants",
        f"wins, ties, losses, superiority and margin of {len(report['pairings'])} pairs",
    ]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python recompute_tournament.py REPORT.json")
    with open(sys.argv[1], encoding="utf-8") as file:
        exported = json.load(file)
    try:
        for compared in check(exported):
            print(f"agrees: {compared}")
    except Difference as difference:
        sys.exit(f"differs: {difference}")
