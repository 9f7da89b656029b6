import { type ESTree, parseSync, Visitor } from 'vite';

/** The value of a string or of a template without holes; undefined for anything else. */
const literal = (node: ESTree.Node | null | undefined): string | undefined => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
};

const isImportMeta = (node: ESTree.Node | undefined, property: string): boolean =>
  node?.type === 'MemberExpression' &&
  node.object.type === 'MetaProperty' &&
  node.property.type === 'Identifier' &&
  node.property.name === property;

/** Every module that a file names, in all forms; undefined stands for one that cannot be read from the text. */
export const importsOf = (path: string, text: string): (string | undefined)[] => {
  const { program, module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const found: (string | undefined)[] = [
    ...module.staticImports.map((item) => item.moduleRequest.value),
    ...module.staticExports.flatMap((item) => item.entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
  ];
  new Visitor({
    ImportExpression: (node) => void found.push(literal(node.source)),
    TSImportType: (node) => void found.push(literal(node.source)),
    NewExpression: (node) => {
      const isUrl = node.callee.type === 'Identifier' && node.callee.name === 'URL';
      if (isUrl && isImportMeta(node.arguments[1], 'url')) found.push(literal(node.arguments[0]));
    },
    CallExpression: (node) => {
      if (!isImportMeta(node.callee, 'glob')) return;
      // All files of a folder of data can be told from the text; modules cannot.
      const pattern = literal(node.arguments[0]);
      found.push(pattern?.endsWith('/*.md') === true ? pattern : undefined);
    },
  }).visit(program);
  return found;
};
