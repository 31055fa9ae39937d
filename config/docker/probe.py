"""`python probe.py ADDRESS [NAME=VALUE]`: is the answer 200, and does its JSON say so? For health checks."""

import json
import sys
from urllib.request import urlopen

address, *wanted = sys.argv[1:]
with urlopen(address, timeout=5) as answer:
    told = json.load(answer)
for name, value in (want.split("=") for want in wanted):
    if told.get(name) != value:
        sys.exit(f"{name} is {told.get(name)}")
