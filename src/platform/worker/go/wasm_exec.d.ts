// The types of Go's glue, which is a plain script that adds a class to the global scope.
declare var Go: new () => {
  argv: string[];
  env: Record<string, string>;
  exit: (code: number) => void;
  importObject: WebAssembly.Imports;
  run: (instance: WebAssembly.Instance) => Promise<void>;
};
