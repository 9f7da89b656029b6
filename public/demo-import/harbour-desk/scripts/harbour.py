"""The harbour desk. Prints JSON; needs HARBOUR_TOKEN."""
import argparse
import json
import os
import sys

EVENTS = [
    {"id": "b1", "title": "Arrival, Skua", "startTime": "2026-06-01T07:30:00+02:00", "berth": 2},
    {"id": "b2", "title": "Departure, Petrel", "startTime": "2026-06-01T16:00:00+02:00", "berth": 5},
    {"id": "b3", "title": "Survey, north pier", "startTime": "2026-06-02T10:00:00+02:00", "berth": 1},
]
CREW = [
    {"id": "c1", "name": "Ada Finn", "role": "pilot", "onDuty": True},
    {"id": "c2", "name": "Bo Lind", "role": "pilot", "onDuty": False},
    {"id": "c3", "name": "Cai Rees", "role": "berthing master", "onDuty": True},
]
TASKS = [
    {"id": "t1", "title": "Check the leading lights", "status": "open"},
    {"id": "t2", "title": "Tide tables for June", "status": "done"},
]


def show(value):
    print(json.dumps(value))


def parse(argv):
    parser = argparse.ArgumentParser(prog="harbour")
    domains = parser.add_subparsers(dest="domain", required=True)
    calendar = domains.add_parser("calendar").add_subparsers(dest="action", required=True)
    listing = calendar.add_parser("list")
    listing.add_argument("--day")
    listing.add_argument("--max", type=int, default=10)
    create = calendar.add_parser("create")
    create.add_argument("--title", required=True)
    create.add_argument("--start", required=True)
    create.add_argument("--berth", type=int, required=True)
    calendar.add_parser("delete").add_argument("event_id")
    contacts = domains.add_parser("contacts").add_subparsers(dest="action", required=True)
    contacts.add_parser("search").add_argument("query")
    tasks = domains.add_parser("tasks").add_subparsers(dest="action", required=True)
    tasks.add_parser("list").add_argument("--status", choices=["open", "done"])
    mail = domains.add_parser("mail").add_subparsers(dest="action", required=True)
    send = mail.add_parser("send")
    send.add_argument("--to", required=True)
    send.add_argument("--subject", required=True)
    send.add_argument("--body", required=True)
    return parser.parse_args(argv)


def main(argv):
    if os.environ.get("HARBOUR_TOKEN", "") == "expired":
        sys.exit("401 unauthorized: the harbour token has expired")
    args = parse(argv)
    if (args.domain, args.action) == ("calendar", "list"):
        found = [event for event in EVENTS if not args.day or event["startTime"].startswith(args.day[:10])]
        show(found[: args.max])
    elif (args.domain, args.action) == ("calendar", "create"):
        show({"id": "b4", "title": args.title, "startTime": args.start, "berth": args.berth})
    elif (args.domain, args.action) == ("calendar", "delete"):
        if args.event_id not in [event["id"] for event in EVENTS]:
            sys.exit("not found: " + args.event_id)
        show({"id": args.event_id, "deleted": True})
    elif args.domain == "contacts":
        word = args.query.lower()
        show([person for person in CREW if word in json.dumps(person).lower()])
    elif args.domain == "tasks":
        show([task for task in TASKS if not args.status or task["status"] == args.status])
    else:
        show({"id": "n1", "to": args.to, "subject": args.subject, "sent": True})


main(sys.argv[1:])
