/**
 * The Python side of a run. `SETUP` is executed once, before the memory is kept for later starts; `LAUNCH` once per program
 * and gives the function that runs it. Its first act is to put JavaScript out of reach.
 */

/** What most programs import; it is in memory from the start. */
export const SETUP = `
import asyncio, ast, argparse, atexit, collections, contextlib, csv, dataclasses, datetime, difflib, enum, functools, io
import inspect, itertools, json, linecache, math, os, pathlib, random, re, runpy, shutil, socket, string, sys, tempfile, textwrap
import time, traceback, types, typing, unittest, unittest.main, unittest.mock
`;

export const LAUNCH = `
def __lathe_main__(orders):
    import asyncio, atexit, errno, io, json, linecache, os, random, sys, time, traceback, types
    orders = json.loads(orders)

    # Nothing of the page may be reached from here on.
    gone = ('js', 'pyodide_js', 'pyodide', '_pyodide', '_pyodide_core', 'pyodide_fatal_error', 'pyodide_http')
    hidden = [sys.modules.pop(name) for name in list(sys.modules) if name.split('.')[0] in gone]

    # What was deleted still hangs together, and gc finds it, with the copy that the interpreter keeps of each built-in module: there
    # must be no object of JavaScript in it, and nothing that makes one.
    import gc
    # The encoder's own fallback: it compares values with the null of JavaScript, which is about to go.
    json.encoder._JSNULL = None
    core = '_pyodide_core'
    def reaches_out(value):
        kind = type(value)
        return (type(kind).__name__ == '_JsProxyMetaClass'
            or (kind is type(len) and value.__module__ == core)
            or (kind.__name__.startswith(('Js', 'Py2Js')) and kind.__module__.split('.')[0] in ('builtins',) + gone))
    for finder in sys.meta_path:
        getattr(finder, 'jsproxies', {}).clear()
    for item in gc.get_objects():
        # What loads a proxy as a module holds it; so does a class that was made for one.
        if type(item).__name__ == 'JsLoader': vars(item).clear()
        if type(item) is not dict: continue
        if item.get('__name__') == core:
            item.clear()
            continue
        for name in [name for name, value in item.items() if reaches_out(value)]: del item[name]
    hidden.clear()
    value = item = finder = name = None
    gc.collect()

    class NotHere:
        def find_spec(self, name, path=None, target=None):
            if name.split('.')[0] in gone:
                raise ModuleNotFoundError("No module named %r (the sandbox has no JavaScript)" % name, name=name)
            return None
    sys.meta_path[:] = [NotHere()] + [
        finder for finder in sys.meta_path
        if (getattr(finder, '__module__', '') or type(finder).__module__).split('.')[0] not in gone
        and type(finder).__module__.split('.')[0] not in gone
    ]

    # The sockets of this platform pretend to connect. There is no network, and it says so.
    import socket
    def no_network(*args, **kwargs):
        raise OSError(101, 'Network is unreachable: the sandbox has no network')
    for name in ('connect', 'bind', 'listen', 'send', 'sendall', 'sendto'):
        setattr(socket.socket, name, no_network)
    socket.socket.connect_ex = lambda *args: 101
    for name in ('getaddrinfo', 'gethostbyname', 'gethostbyname_ex', 'create_connection', 'create_server'):
        setattr(socket, name, no_network)

    # A call of the system's own would end the interpreter here.
    def no_processes(*args, **kwargs):
        raise OSError(errno.ENOTSUP, 'the sandbox has no processes')
    os.system = os.popen = sys.modules['posix'].system = no_processes

    # An event loop that waits by sleeping: there is nothing to wait for but time.
    class Sleeper:
        def select(self, timeout=None):
            if timeout: time.sleep(min(timeout, 3600))
            return []
        def close(self): pass
    class Loop(asyncio.BaseEventLoop):
        def __init__(self):
            super().__init__()
            self._selector = Sleeper()
        def _process_events(self, events): pass
        def _write_to_self(self): pass
        # There are no threads: what would be done in one is done at once.
        def run_in_executor(self, executor, func, *args):
            future = self.create_future()
            try:
                future.set_result(func(*args))
            except (SystemExit, KeyboardInterrupt):
                raise
            except BaseException as problem:
                future.set_exception(problem)
            return future
    class LoopPolicy(asyncio.events._BaseDefaultEventLoopPolicy):
        _loop_factory = Loop
    asyncio.events._set_event_loop_policy(LoopPolicy())
    asyncio.events._set_running_loop(None)
    # Pyodide has put its own in front of these.
    asyncio.run = getattr(asyncio.run, '__wrapped__', asyncio.run)
    time.sleep = getattr(time.sleep, '__wrapped__', time.sleep)

    random.seed()
    os.environ.clear()
    os.environ.update(orders['env'])
    os.chdir(orders['cwd'])
    for path in orders['wheels']:
        sys.path.append(path)
    sys.dont_write_bytecode = True
    sys.executable = sys._base_executable = '/usr/bin/python3'
    sys.orig_argv = orders['argv']
    if orders['optimize'] > 0:
        import importlib.machinery
        importlib.machinery.SourceFileLoader.source_to_code.__kwdefaults__['_optimize'] = orders['optimize']
    if orders['warnings']:
        import warnings
        sys.warnoptions[:] = orders['warnings']
        warnings._processoptions(sys.warnoptions)
    for name, number in (('stdin', 0), ('stdout', 1), ('stderr', 2)):
        raw = io.FileIO(number, 'rb' if number == 0 else 'wb', closefd=False)
        buffer = io.BufferedReader(raw) if number == 0 else io.BufferedWriter(raw)
        stream = io.TextIOWrapper(
            buffer, encoding='utf-8', errors='surrogateescape' if number < 2 else 'backslashreplace',
            newline=None if number == 0 else '\\n', line_buffering=number == 2 or orders['unbuffered'],
            write_through=orders['unbuffered'])
        stream.mode = 'r' if number == 0 else 'w'
        setattr(sys, name, stream)
        setattr(sys, '__%s__' % name, stream)

    main = types.ModuleType('__main__')
    main.__builtins__ = __builtins__
    main.__annotations__ = {}
    sys.modules['__main__'] = main
    here = __lathe_main__.__code__.co_filename

    def run():
        kind = orders['kind']
        sys.argv = orders['args']
        if kind == 'module':
            sys.path.insert(0, orders['cwd'])
            import runpy
            runpy._run_module_as_main(orders['what'])
            return
        if kind == 'code':
            sys.path.insert(0, '')
            source, name = orders['what'], '<string>'
            linecache.cache[name] = (len(source), None, [line + '\\n' for line in source.split('\\n')], name)
            if not source.endswith('\\n'): source += '\\n'
        elif kind == 'stdin':
            sys.path.insert(0, '')
            source, name = sys.stdin.read(), '<stdin>'
        else:
            given = orders['what']
            name = os.path.abspath(given)
            # A folder or an archive with a program in it.
            isFolder = os.path.isdir(name)
            if isFolder or (name.endswith(('.pyz', '.zip')) and __import__('zipfile').is_zipfile(name)):
                if isFolder and not os.path.exists(os.path.join(name, '__main__.py')):
                    sys.stderr.write("%s: can't find '__main__' module in %r\\n" % (sys.executable, name))
                    sys.exit(1)
                sys.path.insert(0, name)
                import runpy
                runpy._run_module_as_main('__main__', False)
                return
            try:
                with open(name, 'rb') as file: source = file.read()
            except OSError as problem:
                # The numbers of this platform are not the usual ones.
                number = {'ENOENT': 2, 'EISDIR': 21, 'ENOTDIR': 20}.get(errno.errorcode.get(problem.errno), problem.errno)
                sys.stderr.write("%s: can't open file %r: [Errno %d] %s\\n" % (
                    sys.executable, name, number, problem.strerror))
                sys.exit(2)
            sys.path.insert(0, os.path.dirname(name))
            main.__file__ = name
            main.__cached__ = None
        exec(compile(source, name, 'exec', dont_inherit=True, optimize=orders['optimize'] or -1), main.__dict__)

    def shown(kind, problem):
        trace = problem.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename == here:
            trace = trace.tb_next
        problem.__traceback__ = trace
        try:
            sys.excepthook(kind, problem, trace)
        except BaseException:
            traceback.print_exception(problem)

    def code_of(exit):
        code = exit.code
        if code is None: return 0
        if isinstance(code, int): return code & 0xff
        sys.stdout.flush()
        print(code, file=sys.stderr)
        return 1

    status = 0
    try:
        run()
    except SystemExit as exit:
        status = code_of(exit)
    except KeyboardInterrupt as problem:
        shown(KeyboardInterrupt, problem)
        status = 130
    except BaseException as problem:
        try: sys.stdout.flush()
        except Exception: pass
        shown(type(problem), problem)
        status = 1
    try:
        atexit._run_exitfuncs()
    except SystemExit as exit:
        status = code_of(exit)
    except BaseException:
        pass
    for stream in (sys.stdout, sys.stderr):
        try: stream.flush()
        except Exception: pass
    return status
__lathe_main__
`;
