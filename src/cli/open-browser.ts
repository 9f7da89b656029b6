import { spawn } from 'node:child_process';

/** Opens an address in the user's browser, if there is one. */
export const openBrowser = (url: string): void => {
  const [command, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
  const child = spawn(command ?? 'xdg-open', [...args, url], { stdio: 'ignore', detached: true });
  // The address is printed too.
  child.on('error', () => undefined);
  child.unref();
};
