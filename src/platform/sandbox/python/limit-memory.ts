const PAGE = 64 * 1024;
/** Bytes per program, Python itself included. */
const MOST = 1024 ** 3;

/**
 * Limits the memory of the Python in this thread. Python asks for more through this method alone. WebAssembly's own limit is
 * 4 GB, more than a tab or a small machine has; a refusal below it raises `MemoryError` in the program.
 */
export const limitMemory = (): void => {
  const { prototype } = WebAssembly.Memory;
  const grow = Reflect.get(prototype, 'grow');
  Object.defineProperty(prototype, 'grow', {
    value(this: WebAssembly.Memory, pages: number): number {
      if (this.buffer.byteLength + pages * PAGE > MOST) throw new RangeError('the sandbox gives Python no more memory');
      return Reflect.apply(grow, this, [pages]);
    },
    writable: false,
    configurable: false,
  });
};
