/**
 * The Python file of an executor, from one fixed template. It checks the arguments, runs the skill's script in the same interpreter with
 * `sys.argv` set, and gives one JSON object. Protocol: one JSON object on standard input (`args`, `credentials`, `nonce`); the answer is the
 * last line that starts with the nonce.
 */
import type { CredentialNeed, ExecutorPlan } from './types.ts';

interface Spec {
  readonly name: string;
  readonly script: string;
  readonly command: readonly string[];
  readonly args: readonly SpecArgument[];
  readonly requires_one_of: readonly (readonly string[])[];
  readonly output: string;
  readonly record_kind: string;
  readonly credentials: readonly { readonly binding: string; readonly fields: readonly SpecField[] }[];
}

interface SpecArgument {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly flag: string | null;
  readonly positional: boolean;
  readonly id: boolean;
  readonly choices: readonly string[] | null;
  readonly default: string | number | boolean | null;
  readonly list: string | null;
  readonly first?: true;
}

interface SpecField {
  readonly name: string;
  readonly kind: string;
  readonly prompt: string;
}

const specOf = (plan: ExecutorPlan, credentials: readonly CredentialNeed[]): Spec => ({
  name: plan.name,
  script: plan.source.script,
  command: plan.source.command ?? [plan.source.domain, plan.source.action],
  args: plan.args.map((arg) => ({
    name: arg.name,
    type: arg.type,
    required: arg.required,
    flag: arg.flag ?? null,
    positional: arg.kind === 'positional',
    id: arg.isId === true,
    choices: arg.choices ?? null,
    default: arg.default ?? null,
    list: arg.list ?? null,
    ...(arg.isFirst === true && { first: true }),
  })),
  requires_one_of: plan.requiresOneOf,
  output: plan.output,
  record_kind: plan.recordKind,
  credentials: credentials.map(({ binding, fields }) => ({
    binding,
    fields: fields.map(({ name, kind, prompt }) => ({ name, kind, prompt })),
  })),
});

/** A JSON text as a Python literal: JSON escapes are Python escapes, and everything else is kept out. */
const asPythonText = (value: unknown): string =>
  JSON.stringify(JSON.stringify(value)).replace(
    /[\u007F-\uFFFF]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const RUNTIME = `
TYPES = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "date": str,
    "datetime": str,
}
DATE = re.compile(r"^\\d{4}-\\d{2}-\\d{2}$")
DATETIME = re.compile(r"^\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:?\\d{2})$")


def status(codes, words):
    """A code counts only where it is said to be one: ids have digits too."""
    said = r"(?:\\bhttp(?:/\\d(?:\\.\\d)?)?(?:\\s?error)?(?:\\s?status)?|\\bstatus(?:[ _]?code)?|\\berror code|\\berror[\\"']: ?\\{[\\"']code)[\\"']?\\s*[:=]?\\s*(?:%s)\\b" % codes
    named = r"(?:^|[:>(\\[{\\"']\\s*|\\b(?:error|got|with|returned|response|answered|received)\\s+)(?:%s)\\s*:?\\s+(?:client error|server error|%s)" % (codes, words)
    return said + "|" + named


ERRORS = tuple(
    (error_class, re.compile(pattern, re.M))
    for error_class, pattern in (
        ("auth_required", status("401", "unauthorized") + r"|\\binvalid_grant\\b|\\binvalid_token\\b|\\bexpired token\\b|\\btoken (?:is |has )?expired\\b|\\bnot authenticated\\b|\\bunauthenticated\\b|\\bauthenticationerror\\b|\\bmissing credentials?\\b|(?:^|: )unauthorized\\.?$"),
        ("rate_limited", status("429", "too many requests") + r"|\\brate limit(?:ed| exceeded| reached)|\\bratelimitexceeded\\b|\\bquotaexceeded\\b|\\bquota (?:has been )?(?:exceeded|exhausted)|\\bexceeded your [a-z ]*quota"),
        ("not_found", status("404|410", "not found") + r"|\\bnot found\\b|\\bno such (?:file|record|message|event|task|item|entry|user|contact)\\b"),
        ("capability_missing", r"urlopen error|name resolution|connection refused|network is unreachable|not permitted in the sandbox|cannot start a process"),
        ("missing_dependency", r"no module named|modulenotfounderror|command not found"),
        ("invalid_args", r"^usage:|invalid choice|unrecognized arguments|the following arguments are required"),
        ("server_error", status("50[0-9]", "internal server error|bad gateway|service unavailable|gateway timeout") + r"|\\binternal server error\\b|\\bservice unavailable\\b"),
    )
)


def failure(error_class, message):
    return {"ok": False, SPEC["output"]: [], "error_class": error_class, "error": message[:2000]}


def needs_inputs(need):
    dialog = [
        {"var": field["name"], "prompt": field["prompt"], "schema": {"kind": field["kind"]}}
        for field in need["fields"]
    ]
    return {
        "ok": True,
        "decision": "needs_inputs",
        "needs_inputs": {"title": need["binding"], "binding": need["binding"], "dialog": dialog},
        SPEC["output"]: [],
        "error_class": "auth_required",
    }


def check_type(arg, value):
    kind = arg["type"]
    if isinstance(value, bool) and kind != "boolean":
        return "must be of type " + kind
    if not isinstance(value, TYPES[kind]):
        return "must be of type " + kind
    if kind == "date" and not DATE.match(value):
        return "must be a date such as 2026-01-31"
    if kind == "datetime" and not (DATETIME.match(value) or DATE.match(value)):
        return "must be a date, or a time with its offset such as 2026-01-31T09:00:00+01:00"
    if arg["list"] == "words" and not arg["positional"] and any(str(item).startswith("-") for item in value):
        return "must have no value that begins with a dash: the command would take it for an option"
    if arg["choices"] and any(item not in arg["choices"] for item in (value if isinstance(value, list) else [value])):
        return "must be one of " + ", ".join(arg["choices"])
    return None


def check(args):
    if not isinstance(args, dict):
        return "the arguments must be an object"
    known = {arg["name"]: arg for arg in SPEC["args"]}
    for name, value in args.items():
        if name not in known:
            return "unknown argument: " + str(name)
        problem = check_type(known[name], value)
        if problem:
            return name + " " + problem
    for arg in SPEC["args"]:
        if arg["required"] and arg["name"] not in args:
            return "missing argument: " + arg["name"]
    for group in SPEC["requires_one_of"]:
        if not any(args.get(name) for name in group):
            return "one of these is needed: " + ", ".join(group)
    return None


def text_of(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(text_of(item) for item in value)
    return str(value)


def ids_of(args):
    arg = next((item for item in SPEC["args"] if item["id"]), None)
    if arg is None or not SPEC["requires_one_of"]:
        return None, [None]
    one, many, entries = SPEC["requires_one_of"][0]
    if args.get(one):
        return arg, [args[one]]
    if args.get(many):
        return arg, [text_of(item) for item in args[many]]
    found = [entry.get("id") for entry in args.get(entries, []) if isinstance(entry, dict) and entry.get("id")]
    return arg, found


def option_of(flag, value):
    """A value with a dash in front stays a value: it is joined to its flag."""
    if not value.startswith("-"):
        return [flag, value]
    return [flag + value] if len(flag) == 2 else [flag + "=" + value]


def argv_of(args, id_arg, identifier):
    first = []
    rest = []
    positionals = []
    swallows = False
    for arg in SPEC["args"]:
        name = arg["name"]
        if id_arg is not None and name == id_arg["name"]:
            value = identifier
        else:
            value = args.get(name, arg["default"])
        if value is None or (arg["flag"] is None and not arg["positional"]):
            continue
        # Options of the program itself stand in front of its command.
        flags = first if arg.get("first") else rest
        if arg["list"] and isinstance(value, list):
            items = [text_of(item) for item in value]
            if arg["positional"]:
                positionals.extend(items)
            elif arg["list"] == "repeat":
                for item in items:
                    flags.extend(option_of(arg["flag"], item))
            else:
                swallows = True
                flags.extend([arg["flag"]] + items)
        elif arg["positional"]:
            positionals.append(text_of(value))
        elif arg["type"] == "boolean":
            if value:
                flags.append(arg["flag"])
        else:
            flags.extend(option_of(arg["flag"], text_of(value)))
    # A value that looks like an option must not become one, and a list must not take the values behind it.
    guarded = ["--"] if any(item.startswith("-") for item in positionals) or (swallows and positionals) else []
    return first + SPEC["command"] + rest + guarded + positionals


def classify(text, argv):
    """By what the script says, without what it was told."""
    for word in sorted(argv, key=len, reverse=True):
        if len(word) > 2:
            text = text.replace(word, " ")
    low = text.lower()
    for error_class, pattern in ERRORS:
        if pattern.search(low):
            return error_class
    return "unknown"


def hide(text, *given):
    """Before a text is cut: half of a value is no longer found afterwards."""
    for value in sorted((item for group in given for item in group.values()), key=len, reverse=True):
        if len(value) >= 4:
            text = text.replace(value, "\\u2022\\u2022\\u2022")
    return text


def is_verdict(out, err):
    """A check that says what it found, and ends with another number than zero for it, has done its work."""
    if SPEC["name"].split("_")[0] not in ("describe", "compare", "find", "filter", "classify", "compute") or err.strip():
        return False
    lines = out.strip().splitlines()
    ends = lines[:1] + lines[-1:]
    fault = r"\\W*(?:error|fatal|usage|traceback|exception|failed to|cannot|could not)\\b"
    return bool(ends) and classify("\\n".join(ends), []) == "unknown" and not any(re.match(fault, line, re.I) for line in ends)


def place(files, roots):
    """Puts credential files where a script looks for them. What is there already stays as it is."""
    made = []
    for name, content in files.items():
        path = os.path.normpath(re.sub(r"^(?:~|\\$HOME)/", "", name))
        if os.path.isabs(path) or path.startswith(".."):
            path = os.path.basename(path)
        for root in roots:
            target = os.path.join(root, path)
            if os.path.lexists(target):
                continue
            folders = []
            parent = os.path.dirname(target)
            while not os.path.isdir(parent):
                folders.append(parent)
                parent = os.path.dirname(parent)
            for folder in reversed(folders):
                os.mkdir(folder)
                made.append(folder)
            with open(target, "w", encoding="utf-8") as file:
                made.append(target)
                file.write(content)
    return made


def clear(made, home):
    for path in reversed(made):
        try:
            os.rmdir(path) if os.path.isdir(path) else os.remove(path)
        except OSError:
            pass
    shutil.rmtree(home, ignore_errors=True)


MOST_TEXT = 200000
MOST_FILES = 2000
MOST_SHOWN = 20


def state_of(path):
    try:
        found = os.stat(path)
        return (found.st_size, found.st_mtime_ns) if os.path.isfile(path) else None
    except (OSError, ValueError):
        return None


def states(args):
    """Files of the working folder, and those that the arguments name, as they are now."""
    own = {"source", SPEC["name"]}
    found = {}
    for folder, folders, names in os.walk("."):
        folders[:] = sorted(name for name in folders if name != "__pycache__" and not (folder == "." and name in own))
        for name in sorted(names):
            if len(found) < MOST_FILES:
                path = os.path.normpath(os.path.join(folder, name))
                found[path] = state_of(path)
    for value in args.values():
        for name in value if isinstance(value, list) else [value]:
            if isinstance(name, str) and 0 < len(name) < 400 and os.path.normpath(name) not in found:
                found[name] = state_of(name)
    return found


def made_files(before, after):
    """What the script made or changed, as text: nothing of it goes to the folder by itself."""
    changed = [path for path, state in after.items() if state is not None and state != before.get(path)]
    made = []
    for path in changed[:MOST_SHOWN]:
        try:
            with open(path, "rb") as file:
                content = file.read(MOST_TEXT + 1)
            text = content.decode("utf-8") if len(content) <= MOST_TEXT else None
        except (OSError, UnicodeDecodeError):
            text = None
        made.append({"path": path, "text": text} if text is not None else {"path": path, "note": "not shown: no text, or too long"})
    return made


def run_script(argv, credentials, files):
    here = os.path.dirname(os.path.abspath(__file__))
    script = os.path.join(os.path.dirname(here), "source", SPEC["script"])
    out, err = io.StringIO(), io.StringIO()
    before = (sys.argv, sys.path[:], dict(os.environ))
    code = 0
    home, made = None, []
    try:
        if files:
            home = tempfile.mkdtemp(prefix="executor-")
            made = place(files, [home, os.getcwd(), os.path.dirname(script), os.path.join(os.path.dirname(here), "source")])
            os.environ["HOME"] = home
        sys.argv = [script] + argv
        sys.path.insert(0, os.path.dirname(script))
        os.environ.update(credentials)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                runpy.run_path(script, run_name="__main__")
            except SystemExit as stop:
                code = stop.code if isinstance(stop.code, int) else (0 if stop.code is None else 1)
                if isinstance(stop.code, str):
                    err.write(stop.code)
            except BaseException as problem:
                code = 1
                err.write(type(problem).__name__ + ": " + str(problem))
    finally:
        sys.argv, sys.path[:] = before[0], before[1]
        os.environ.clear()
        os.environ.update(before[2])
        if home is not None:
            clear(made, home)
    return code, out.getvalue(), err.getvalue()


def snake(name):
    return re.sub(r"([a-z0-9])([A-Z])", r"\\1_\\2", str(name)).lower()


def records_of(text):
    try:
        value = json.loads(text)
    except ValueError:
        return [{"kind": SPEC["record_kind"], "text": text.strip()}] if text.strip() else []
    if isinstance(value, dict):
        lists = [item for item in value.values() if isinstance(item, list)]
        # What stands beside a list of entries is lost with it: numbers of pages may be, findings may not.
        beside = [item for item in value.values() if not isinstance(item, list)]
        is_page = len(lists) == 1 and all(isinstance(item, dict) for item in lists[0]) and not any(isinstance(item, dict) for item in beside)
        value = lists[0] if is_page and (lists[0] or len(beside) <= 1) else [value]
    if not isinstance(value, list):
        value = [{"value": value}]
    return [
        {"kind": SPEC["record_kind"], **{snake(key): item for key, item in record.items()}}
        if isinstance(record, dict)
        else {"kind": SPEC["record_kind"], "value": record}
        for record in value
    ]


def invoke(args, credentials=None):
    problem = check(args)
    if problem:
        return failure("invalid_args", problem)
    values, files = {}, {}
    for need in SPEC["credentials"]:
        given = (credentials or {}).get(need["binding"]) or {}
        if any(not given.get(field["name"]) for field in need["fields"]):
            return needs_inputs(need)
        for field in need["fields"]:
            (files if field["kind"] == "file" else values)[field["name"]] = str(given[field["name"]])
    id_arg, identifiers = ids_of(args)
    before = states(args)
    records, failures, exit_code = [], [], 0
    for identifier in identifiers:
        argv = argv_of(args, id_arg, identifier)
        code, out, err = run_script(argv, values, files)
        if code == 0 or is_verdict(out, err):
            records.extend(records_of(out))
            exit_code = exit_code or code
        else:
            failures.append({"id": identifier, "error_class": classify(err.strip() or out, [word for word in argv if word not in SPEC["command"]]), "error": hide(err or out, values, files).strip()[:500]})
    if failures and not records:
        return failure(failures[0]["error_class"], failures[0]["error"])
    limit = args.get("top_k", next((arg["default"] for arg in SPEC["args"] if arg["name"] == "top_k"), None))
    result = {"ok": True, SPEC["output"]: records, "count": len(records)}
    if isinstance(limit, int) and len(records) > limit:
        result.update({SPEC["output"]: records[:limit], "count": limit, "truncated": True, "available_total": len(records)})
    if exit_code:
        result["exit_code"] = exit_code
    made = made_files(before, states(args))
    if made:
        result["files"] = made
    if failures:
        result.update({"partial": True, "failures": failures})
    return result


def main():
    request = json.loads(sys.stdin.read() or "{}")
    result = invoke(request.get("args", {}), request.get("credentials"))
    sys.stdout.write("\\n" + str(request.get("nonce", "")) + json.dumps(result, sort_keys=True) + "\\n")


if __name__ == "__main__":
    main()
`;

export const executorPython = (plan: ExecutorPlan, skill: string, credentials: readonly CredentialNeed[]): string =>
  [
    `"""${plan.name}: ${plan.source.domain} ${plan.source.action} of the skill ${skill}. Made by Lathe; the signature covers this file."""`,
    'import contextlib',
    'import io',
    'import json',
    'import os',
    'import re',
    'import runpy',
    'import shutil',
    'import sys',
    'import tempfile',
    '',
    `SPEC = json.loads(${asPythonText(specOf(plan, credentials))})`,
    RUNTIME,
  ].join('\n');
