/** Pickles that call a program when they are opened: the names are in them as plain text. */

/** How much of a file is looked at. */
export const PICKLE_BYTES = 65_536;

const MODULE = 'os|posix|nt|subprocess|builtins|__builtin__|commands|pty|runpy|socket|shutil|webbrowser|importlib';
const CALL =
  'system|popen|Popen|call|run|check_call|check_output|getoutput|eval|exec|compile|__import__|spawn\\w*|execv\\w*|run_path|import_module|rmtree';
/** `c` names a module and a name on two lines; later forms keep them as two short strings. */
const TEXT_FORM = new RegExp(`(?:^|[^a-z])c(${MODULE})\\n(${CALL})\\n`);
const BYTE_FORM = new RegExp(`\\x8c[\\s\\S](${MODULE})\\x94?\\x8c[\\s\\S](${CALL})`);

/** What it calls, as far as its first bytes say. */
export const pickledCall = (head: string): string | undefined => {
  const [, module, name] = TEXT_FORM.exec(head) ?? BYTE_FORM.exec(head) ?? [];
  return module === undefined || name === undefined ? undefined : `${module}.${name}`;
};
