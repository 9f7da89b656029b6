// What browsers have and TypeScript's DOM library does not: the parts of File System Access that are Chromium's, and
// FileSystemObserver. Members that older or other browsers lack are optional.

interface FileSystemPermissionDescriptor {
  mode?: 'read' | 'readwrite';
}

interface FileSystemHandle {
  queryPermission?(descriptor?: FileSystemPermissionDescriptor): Promise<PermissionState>;
  /** Only inside a click. */
  requestPermission?(descriptor?: FileSystemPermissionDescriptor): Promise<PermissionState>;
  move?(name: string): Promise<void>;
  move?(parent: FileSystemDirectoryHandle, name?: string): Promise<void>;
}

interface DirectoryPickerOptions {
  /** Remembers the last folder per id: at most 32 letters, digits, `_` and `-`. */
  id?: string;
  mode?: 'read' | 'readwrite';
  startIn?: FileSystemHandle | 'desktop' | 'documents' | 'downloads';
}

interface Window {
  /** Only inside a click. */
  showDirectoryPicker?(options?: DirectoryPickerOptions): Promise<FileSystemDirectoryHandle>;
}

interface DataTransferItem {
  /** Has to be called before the drop handler's first `await`. */
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}

interface FileSystemChangeRecord {
  readonly root: FileSystemHandle;
  readonly changedHandle: FileSystemHandle | null;
  readonly relativePathComponents: readonly string[];
  readonly relativePathMovedFrom: readonly string[] | null;
  readonly type: 'appeared' | 'disappeared' | 'modified' | 'moved' | 'unknown' | 'errored';
}

declare class FileSystemObserver {
  constructor(callback: (records: readonly FileSystemChangeRecord[], observer: FileSystemObserver) => void);
  observe(handle: FileSystemHandle, options?: { recursive?: boolean }): Promise<void>;
  unobserve(handle: FileSystemHandle): void;
  disconnect(): void;
}
