"""The closed days of events, by python-dateutil: JSON from stdin to stdout."""
import json
import sys
from datetime import datetime, timedelta

from dateutil.rrule import rrulestr


def day(text):
    return datetime.strptime(text, "%Y%m%d")


def closed(sample):
    start, _, first, last = map(day, sample["texts"])
    # RFC 5545: the start is the first recurrence, even if the rule does not have it.
    begins = [start, *rrulestr(sample["rule"], dtstart=start).between(start, last, inc=True)]
    days = (each + timedelta(days=index) for each in begins for index in range(sample["days"]))
    return sorted({each.strftime("%Y%m%d") for each in days if first <= each <= last})


print(json.dumps([closed(sample) for sample in json.load(sys.stdin)]))
