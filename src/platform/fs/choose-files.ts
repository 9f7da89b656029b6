/** The browser's own dialog for files: every browser has it, also those that can't open a folder in place. */

/** Empty if the user chose nothing. Call it inside a click. */
const chooseFiles = (setUp: (input: HTMLInputElement) => void): Promise<readonly File[]> =>
  new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    setUp(input);
    input.addEventListener('change', () => resolve([...(input.files ?? [])]), { once: true });
    input.addEventListener('cancel', () => resolve([]), { once: true });
    input.click();
  });

/** All files of a folder, with their paths in `webkitRelativePath`. */
export const chooseFolderFiles = (): Promise<readonly File[]> =>
  chooseFiles((input) => {
    input.webkitdirectory = true;
  });

/** One file. `accept` is as in HTML. */
export const chooseFile = (accept: string): Promise<readonly File[]> =>
  chooseFiles((input) => {
    input.accept = accept;
  });
