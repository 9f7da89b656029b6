/** The keys of VS Code's debugger, each with a second one: in full screen the browser keeps F11, and some keyboards have no F keys. */

export type DebugAct = 'start' | 'startPaused' | 'pause' | 'continue' | 'stepOver' | 'stepIn' | 'stepOut' | 'stop';

export const KEY_HELP = {
  run: 'F5 or Alt+R',
  pause: 'Alt+P',
  stop: 'Shift+F5 or Alt+X',
  stepOver: 'F10 or Alt+O',
  stepIn: 'F11 or Alt+I',
  stepOut: 'Shift+F11 or Alt+U',
  breakpoint: 'F9 or Alt+B',
} as const;

const SECOND: Readonly<Record<string, DebugAct | 'run'>> = {
  KeyR: 'run',
  KeyP: 'pause',
  KeyX: 'stop',
  KeyO: 'stepOver',
  KeyI: 'stepIn',
  KeyU: 'stepOut',
};

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

const wanted = ({ key, code, altKey, ctrlKey, metaKey, shiftKey }: Press): DebugAct | 'run' | undefined => {
  if (ctrlKey || metaKey) return undefined;
  if (altKey) return shiftKey ? undefined : SECOND[code];
  if (key === 'F5') return shiftKey ? 'stop' : 'run';
  if (key === 'F10') return shiftKey ? undefined : 'stepOver';
  return key === 'F11' ? (shiftKey ? 'stepOut' : 'stepIn') : undefined;
};

/** What a press does now; nothing where it is not the debugger's. A step where nothing runs starts the program and stops before its first line. */
export const debugKey = (press: Press, isBusy: boolean, isPaused: boolean): DebugAct | 'nothing' | undefined => {
  const act = wanted(press);
  // The browser would load the page again, and the run would be lost.
  if (act === 'run') return isPaused ? 'continue' : isBusy ? 'nothing' : 'start';
  if (act === 'stepOver' || act === 'stepIn') return isPaused ? act : isBusy ? undefined : 'startPaused';
  if (act === 'stepOut') return isPaused ? act : undefined;
  if (act === 'pause') return isBusy && !isPaused ? act : undefined;
  return act === 'stop' && isBusy ? act : undefined;
};
