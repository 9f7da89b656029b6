#!/usr/bin/env python3
"""Tidy a CSV file without guessing: headers, spaces, empty and repeated rows, dates, decimals.

Values stay text unless a column is named, so 007 remains 007. The result is UTF-8, comma-separated, with LF.
The report is one JSON object on stdout; messages for people go to stderr.
"""

import argparse
import csv
import io
import json
import os
import re
import sys
from datetime import datetime

EXIT_OK = 0
EXIT_PROBLEMS = 1
EXIT_USAGE = 2

DELIMITERS = ",;\t|"
EMPTY_WORDS = {"na", "n/a", "null", "none", "-"}
MAX_LISTED = 20

EPILOG = """\
exit codes:
  0  done; with --check: the file is tidy already
  1  rows or values need a decision, nothing was written; with --check also: the file would change
  2  wrong use: bad option, unreadable file, unknown column, output exists

examples:
  tidy.py bookings.csv --check
  tidy.py bookings.csv --out clean.csv --date departs=%d.%m.%Y --decimal price
"""


class UsageError(Exception):
    pass


def parse_args(argv):
    parser = argparse.ArgumentParser(
        prog="tidy.py",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("input", help="CSV file to read; it is never changed")
    parser.add_argument("--out", metavar="FILE", help="write the tidy file here")
    parser.add_argument("--check", action="store_true", help="only report; write nothing")
    parser.add_argument("--force", action="store_true", help="replace the output file if it exists")
    parser.add_argument("--delimiter", metavar="CHAR", help="delimiter of the input (default: found in the header)")
    parser.add_argument("--encoding", default="utf-8-sig", help="encoding of the input (default: UTF-8)")
    parser.add_argument("--drop-repeated", action="store_true", help="drop rows that repeat an earlier row exactly")
    parser.add_argument("--empty-words", action="store_true", help="turn NA, N/A, null, none and - into empty cells")
    parser.add_argument(
        "--date",
        action="append",
        default=[],
        metavar="COLUMN=FORMAT",
        help="read COLUMN in a strptime FORMAT, write it as YYYY-MM-DD (repeatable)",
    )
    parser.add_argument(
        "--decimal",
        action="append",
        default=[],
        metavar="COLUMN",
        help="read COLUMN with a decimal comma, write it with a point (repeatable)",
    )
    args = parser.parse_args(argv)
    if args.check == bool(args.out):
        parser.error("give either --check or --out FILE")
    if args.delimiter is not None and len(args.delimiter) != 1:
        parser.error("--delimiter must be one character")
    return args


def read(path, encoding):
    """Return the bytes, to tell later whether the file would change, and the text."""
    try:
        with open(path, "rb") as handle:
            raw = handle.read()
        return raw, raw.decode(encoding)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not {encoding} (byte {error.start}); try --encoding cp1252") from error
    except LookupError as error:
        raise UsageError(f"unknown encoding: {encoding}") from error


def find_delimiter(text):
    header = next((line for line in text.splitlines() if line.strip()), "")
    best = max(DELIMITERS, key=header.count)
    return best if header.count(best) else ","


def tidy_header(cells):
    names = []
    for position, cell in enumerate(cells, start=1):
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cell.strip())
        name = re.sub(r"\W+", "_", name.lower()).strip("_") or f"column_{position}"
        unique, number = name, 2
        while unique in names:
            unique, number = f"{name}_{number}", number + 1
        names.append(unique)
    return names


def parse_dates(specs, header):
    dates = {}
    for spec in specs:
        column, separator, form = spec.partition("=")
        if not separator or not form:
            raise UsageError(f"--date needs COLUMN=FORMAT, got {spec!r}")
        dates[column_index(column, header)] = form
    return dates


def column_index(column, header):
    if column not in header:
        raise UsageError(f"no column {column!r}; the columns are: {', '.join(header)}")
    return header.index(column)


def to_iso(value, form):
    try:
        return datetime.strptime(value, "%Y-%m-%d").date().isoformat()
    except ValueError:
        return datetime.strptime(value, form).date().isoformat()


def to_point(value):
    if re.fullmatch(r"[+-]?\d+(\.\d{1,2})?", value):
        return value
    if re.fullmatch(r"[+-]?(\d+|\d{1,3}(\.\d{3})+),\d+", value):
        return value.replace(".", "").replace(",", ".")
    raise ValueError(value)


def tidy(text, args):
    delimiter = args.delimiter or find_delimiter(text)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        raise UsageError(f"not readable as CSV near line {reader.line_num}: {error}") from error

    counts = {"empty_rows": 0, "repeated_rows": 0, "padded_rows": 0, "trimmed_cells": 0, "converted_cells": 0}
    rows_with_text = [(line, row) for line, row in rows if any(cell.strip() for cell in row)]
    counts["empty_rows"] = len(rows) - len(rows_with_text)
    if not rows_with_text:
        raise UsageError("the file has no header")

    header = tidy_header(rows_with_text[0][1])
    dates = parse_dates(args.date, header)
    decimals = {column_index(column, header) for column in args.decimal}
    problems, repeated, seen, kept = [], [], set(), []

    for line, row in rows_with_text[1:]:
        if len(row) > len(header):
            problems.append({"line": line, "column": None, "problem": f"{len(row)} cells, expected {len(header)}"})
            continue
        if len(row) < len(header):
            counts["padded_rows"] += 1
            row = row + [""] * (len(header) - len(row))
        clean = []
        for index, cell in enumerate(row):
            value = " ".join(cell.split())
            counts["trimmed_cells"] += value != cell
            before = value
            if args.empty_words and value.lower() in EMPTY_WORDS:
                value = ""
            try:
                if value and index in dates:
                    value = to_iso(value, dates[index])
                if value and index in decimals:
                    value = to_point(value)
            except ValueError:
                problems.append({"line": line, "column": header[index], "problem": f"cannot convert {value!r}"})
            counts["converted_cells"] += value != before
            clean.append(value)
        if tuple(clean) in seen:
            repeated.append(line)
            if args.drop_repeated:
                counts["repeated_rows"] += 1
                continue
        seen.add(tuple(clean))
        kept.append(clean)

    output = io.StringIO(newline="")
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(kept)
    report = {
        "input": args.input,
        "delimiter": delimiter,
        "columns": header,
        "rows_read": len(rows) - 1,
        "rows": len(kept),
        "changes": counts,
        "repeated_lines": repeated[:MAX_LISTED],
        "problems": problems[:MAX_LISTED],
        "problem_count": len(problems),
    }
    return output.getvalue(), report


def write_atomically(path, text, force, source):
    if os.path.realpath(path) == os.path.realpath(source):
        raise UsageError("the output is the input; give another name")
    if os.path.exists(path) and not force:
        raise UsageError(f"{path} exists; use --force to replace it")
    temporary = f"{path}.tmp"
    try:
        with open(temporary, "w", encoding="utf-8", newline="") as handle:
            handle.write(text)
        os.replace(temporary, path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def main(argv=None):
    args = parse_args(argv)
    try:
        raw, text = read(args.input, args.encoding)
        tidied, report = tidy(text, args)
        report["would_change"] = tidied.encode("utf-8") != raw
        report["written"] = None
        failed = bool(report["problem_count"])
        if args.out and not failed:
            write_atomically(args.out, tidied, args.force, args.input)
            report["written"] = args.out
    except UsageError as error:
        print(f"tidy.py: {error}", file=sys.stderr)
        return EXIT_USAGE
    print(json.dumps(report, ensure_ascii=False, indent=2))
    if failed:
        print(f"tidy.py: {report['problem_count']} problem(s), nothing written", file=sys.stderr)
    return EXIT_PROBLEMS if failed or (args.check and report["would_change"]) else EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
