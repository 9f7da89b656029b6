/** Whether a folder may be read and written, and asking for it. Browsers ask a person only inside a click. */

export type AccessMode = 'read' | 'readwrite';

/** Where a browser knows no permissions, a handle is good as it is. */
export const permissionOf = async (handle: FileSystemHandle, mode: AccessMode): Promise<PermissionState> =>
  (await handle.queryPermission?.({ mode })) ?? 'granted';

/** Call it inside a click: outside of one the browser refuses without asking. */
export const requestAccess = async (handle: FileSystemHandle, mode: AccessMode): Promise<boolean> => {
  if ((await permissionOf(handle, mode)) === 'granted') return true;
  try {
    return (await handle.requestPermission?.({ mode })) === 'granted';
  } catch (thrown) {
    // No click, or a page that may not ask: the same as a no.
    if (thrown instanceof DOMException && (thrown.name === 'SecurityError' || thrown.name === 'NotAllowedError')) {
      return false;
    }
    throw thrown;
  }
};
