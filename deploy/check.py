"""The parts of deploy/check that are easier in Python."""

import json
import os
import re
import sys
import time
import urllib.request
from pathlib import Path

import yaml

ENDS = ("_bucket", "_sum", "_count")


def parse(root):
    """Parses every YAML and JSON file."""
    for path in sorted(Path(root).rglob("*")):
        text = path.read_text() if path.is_file() and path.suffix in (".yaml", ".yml", ".json") else None
        if text is None:
            continue
        if path.suffix == ".json":
            json.loads(text)
        else:
            list(yaml.safe_load_all(text))
        print("  ", path)


def config(manifest):
    """Prints the service's configuration out of a Kubernetes manifest."""
    for item in yaml.safe_load_all(Path(manifest).read_text()):
        if item["kind"] == "ConfigMap":
            print(item["data"]["chickenfoot.toml"])


def expressions(root):
    """All PromQL in dashboards and rules, with the file."""
    for path in Path(root).rglob("dashboards/*.json"):
        for panel in json.loads(path.read_text())["panels"]:
            for target in panel["targets"]:
                yield path, target["expr"]
    for path in Path(root).rglob("rules.yml"):
        for group in yaml.safe_load(path.read_text())["groups"]:
            for rule in group["rules"]:
                yield path, rule["expr"]


def recorded(root):
    """The names that the rules make."""
    for path in Path(root).rglob("rules.yml"):
        for group in yaml.safe_load(path.read_text())["groups"]:
            yield from (rule["record"] for rule in group["rules"] if "record" in rule)


def admin_address(log, pid):
    """Where the service's operator's port is, as its log tells within half a minute."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        # What stands behind the last end of a line may not be whole yet.
        for line in Path(log).read_text().split("\n")[:-1]:
            event = json.loads(line)
            if event.get("message") == "metrics, liveness and readiness":
                return event["address"]
        os.kill(int(pid), 0)
        time.sleep(0.05)
    sys.exit("the service does not say where its operator's port is:\n" + Path(log).read_text())


def metrics(root, log, pid):
    """Every metric that is used must be one that a running service has, or that the rules make."""
    with urllib.request.urlopen(f"http://{admin_address(log, pid)}/metrics", timeout=10) as page:
        kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", page.read().decode(), re.MULTILINE))
    known = set(recorded(root)) | {"up"}
    for name, kind in kinds.items():
        known |= {name + end for end in ENDS} if kind == "histogram" else {name}
    used = 0
    for path, expression in expressions(root):
        # Names outside of strings; all metrics but `up` have these beginnings.
        bare = re.sub(r'"[^"]*"', '""', expression)
        for name in re.findall(r"\b(?:chickenfoot|process)[_:][\w:]*", bare):
            used += 1
            if name not in known:
                sys.exit(f"{path}: no metric {name}, in {expression}")
    print(f"   {used} uses of {len(known)} names")


if __name__ == "__main__":
    {"parse": parse, "config": config, "metrics": metrics}[sys.argv[1]](*sys.argv[2:])
