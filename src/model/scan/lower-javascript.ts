/** From Lezer's tree of JavaScript and TypeScript to the small form. What is not understood is walked through. */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/javascript';
import { javascriptText, unescapeText } from './literals.ts';
import type { Argument, Expr, Lowered, Parameter, Stmt } from './program.ts';
import { addends, createDescent, mix, parseWithin, splitAtCommas } from './syntax-tree.ts';

const children = (node: SyntaxNode): SyntaxNode[] => {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name !== 'LineComment' && child.name !== 'BlockComment') found.push(child);
  }
  return found;
};

const TOKENS =
  /^(?:Equals|UpdateOp|ArithOp|BitOp|CompareOp|LogicOp|Arrow|Star|Spread|InterpolationStart|InterpolationEnd|Label|Type.*|CaseLabel|DefaultLabel)$/;
const isToken = (node: SyntaxNode): boolean =>
  (!/^[A-Z]/.test(node.name) && node.name !== 'this') || TOKENS.test(node.name);

const dialects = parser.configure({ dialect: 'ts jsx' });
const plain = parser.configure({ dialect: 'jsx' });

export const lowerJavascript = (text: string, isTypescript: boolean): Lowered => {
  const slice = (node: SyntaxNode): string => text.slice(node.from, node.to);
  const descent = createDescent();

  const exprs = (nodes: readonly SyntaxNode[]): Expr[] => nodes.filter((node) => !isToken(node)).map(expr);
  const nameOf = (node: SyntaxNode): Expr => ({ kind: 'name', at: node.from, name: slice(node) });

  const inner = (node: SyntaxNode): SyntaxNode[] => children(node).slice(1, -1);

  const propertyName = (node: SyntaxNode): string =>
    node.name === 'String' ? javascriptText(slice(node)) : slice(node);

  /** What is bound: a name, or a pattern of them, as an object with the same keys. */
  const pattern = (node: SyntaxNode): Expr => {
    const at = node.from;
    if (node.name === 'ArrayPattern')
      return { kind: 'list', at, items: splitAtCommas(inner(node)).flatMap((group) => patternIn(group)) };
    if (node.name === 'ObjectPattern') {
      return {
        kind: 'dict',
        at,
        entries: children(node)
          .filter(({ name }) => name === 'PatternProperty')
          .flatMap((property) => {
            const parts = children(property);
            const [key] = parts;
            const colon = parts.findIndex(({ name }) => name === ':');
            const value = colon === -1 ? key : parts[colon + 1];
            if (!key || !value) return [];
            return [{ key: { kind: 'text', at: key.from, text: propertyName(key) } as const, value: pattern(value) }];
          }),
      };
    }
    return node.name === 'MemberExpression' ? expr(node) : nameOf(node);
  };
  const patternIn = (group: readonly SyntaxNode[]): Expr[] => {
    const found = group.find(({ name }) =>
      /^(?:VariableDefinition|VariableName|ArrayPattern|ObjectPattern|MemberExpression)$/.test(name),
    );
    return found ? [pattern(found)] : [];
  };

  const params = (node: SyntaxNode | undefined): Parameter[] => {
    if (!node) return [];
    const parts = children(node).filter(({ name }) => name !== '(' && name !== ')');
    return splitAtCommas(parts).flatMap((group) => {
      const [target] = patternIn(group);
      const at = group.findIndex(({ name }) => name === 'Equals');
      const fallback = at === -1 ? undefined : group[at + 1];
      return target ? [{ target, ...(fallback && { fallback: expr(fallback) }) }] : [];
    });
  };

  const functionOf = (node: SyntaxNode): Expr => {
    const parts = children(node);
    const name = parts.find((item) => item.name === 'VariableDefinition' || item.name === 'PropertyDefinition');
    const block = parts.find((item) => item.name === 'Block');
    const arrowAt = parts.findIndex((item) => item.name === 'Arrow');
    const value = !block && arrowAt !== -1 ? parts[arrowAt + 1] : undefined;
    const list = parts.find((item) => item.name === 'ParamList');
    return {
      kind: 'function',
      at: node.from,
      ...(name && arrowAt === -1 && { name: slice(name) }),
      params: params(list),
      body: block ? body(block) : value ? [{ kind: 'return', value: expr(value) }] : [],
    };
  };

  const template = (node: SyntaxNode): Expr => {
    const parts: Expr[] = [];
    let from = node.from + 1;
    for (const child of children(node)) {
      if (child.name !== 'Interpolation') continue;
      if (child.from > from) parts.push({ kind: 'text', at: from, text: unescapeText(text.slice(from, child.from)) });
      for (const part of exprs(children(child))) parts.push(part);
      from = child.to;
    }
    if (node.to - 1 > from) parts.push({ kind: 'text', at: from, text: unescapeText(text.slice(from, node.to - 1)) });
    return { kind: 'concat', at: node.from, parts };
  };

  const args = (node: SyntaxNode | undefined): Argument[] =>
    node ? splitAtCommas(inner(node)).flatMap((group) => exprs(group).map((value) => ({ value }))) : [];

  const property = (node: SyntaxNode): { readonly key?: Expr; readonly value: Expr }[] => {
    const parts = children(node);
    const list = parts.find(({ name }) => name === 'ParamList');
    const key = parts.find(({ name }) => name === 'PropertyDefinition' || name === 'String' || name === 'Number');
    const keyExpr: Expr | undefined = key && { kind: 'text', at: key.from, text: propertyName(key) };
    if (list) return [{ ...(keyExpr && { key: keyExpr }), value: functionOf(node) }];
    const colon = parts.findIndex(({ name }) => name === ':');
    const value = colon === -1 ? undefined : parts[colon + 1];
    if (value) {
      const computed = parts[0]?.name === '[' ? parts[1] : undefined;
      return [{ ...(computed ? { key: expr(computed) } : keyExpr && { key: keyExpr }), value: expr(value) }];
    }
    if (parts[0]?.name === 'Spread') return exprs(parts).map((item) => ({ value: item }));
    return key ? [{ ...(keyExpr && { key: keyExpr }), value: { kind: 'name', at: key.from, name: slice(key) } }] : [];
  };

  const expr = (node: SyntaxNode): Expr =>
    descent.into(
      () => mix(node.from, []),
      () => exprOf(node, node.from),
    );

  const member = (node: SyntaxNode, parts: readonly SyntaxNode[]): Expr => {
    const [object] = parts;
    if (!object) return mix(node.from, []);
    const name = parts.find((item) => item.name === 'PropertyName' || item.name === 'PrivatePropertyName');
    if (name) return { kind: 'member', at: node.from, object: expr(object), name: slice(name) };
    const bracket = parts.findIndex((item) => item.name === '[');
    const index = parts[bracket + 1];
    return bracket === -1 || !index
      ? mix(node.from, exprs(parts))
      : { kind: 'index', at: node.from, object: expr(object), index: expr(index) };
  };

  const exprOf = (node: SyntaxNode, at: number): Expr => {
    const parts = children(node);
    switch (node.name) {
      case 'VariableName':
      case 'VariableDefinition':
      case 'this':
        return nameOf(node);
      case 'String':
        return { kind: 'text', at, text: javascriptText(slice(node)) };
      case 'Number':
        return { kind: 'text', at, text: slice(node) };
      case 'TemplateString':
        return template(node);
      case 'MemberExpression':
        return member(node, parts);
      case 'DynamicImport':
        return {
          kind: 'call',
          at,
          callee: { kind: 'name', at, name: 'require' },
          args: exprs(parts).map((value) => ({ value })),
        };
      case 'CallExpression': {
        const [callee] = parts;
        const list = parts.find(({ name }) => name === 'ArgList');
        if (!callee) return mix(at, []);
        if (callee.name === 'import')
          return { kind: 'call', at, callee: { kind: 'name', at, name: 'require' }, args: args(list) };
        return { kind: 'call', at, callee: expr(callee), args: args(list) };
      }
      case 'NewExpression': {
        const callee = parts.find((item) => !isToken(item));
        return callee
          ? { kind: 'call', at, callee: expr(callee), args: args(parts.find(({ name }) => name === 'ArgList')) }
          : mix(at, []);
      }
      case 'TaggedTemplateExpression': {
        const [callee, quasi] = exprs(parts);
        return callee && quasi ? { kind: 'call', at, callee, args: [{ value: quasi }] } : mix(at, []);
      }
      case 'ParenthesizedExpression':
      case 'AwaitExpression':
      case 'YieldExpression':
        return exprs(parts)[0] ?? mix(at, []);
      case 'SequenceExpression':
        return { kind: 'sequence', at, parts: exprs(parts) };
      case 'BinaryExpression': {
        const op = parts.find(isToken);
        const kind = op ? slice(op) : '';
        if (kind === '+') return { kind: 'concat', at, parts: addends(node, { children, isToken, slice }).map(expr) };
        if (kind === '||' || kind === '??' || kind === '&&') return { kind: 'either', at, parts: exprs(parts) };
        if (kind === 'as' || kind === 'satisfies') return exprs(parts)[0] ?? mix(at, []);
        return mix(at, exprs(parts), kind);
      }
      case 'ConditionalExpression': {
        const [test, yes, no] = exprs(parts);
        return {
          kind: 'either',
          at,
          parts: [yes, no, test && mix(at, [test], 'test')].filter((item) => item !== undefined),
        };
      }
      case 'AssignmentExpression': {
        const [left] = parts;
        const right = parts.at(-1);
        if (!left || !right) return mix(at, []);
        const adds = parts.some(({ name }) => name === 'UpdateOp');
        return { kind: 'assign', at, target: pattern(left), value: expr(right), adds };
      }
      case 'ArrowFunction':
      case 'FunctionExpression':
        return functionOf(node);
      case 'ArrayExpression':
        return { kind: 'list', at, items: exprs(parts) };
      case 'ObjectExpression':
        return {
          kind: 'dict',
          at,
          entries: parts.filter(({ name }) => name === 'Property').flatMap(property),
        };
      default:
        return mix(at, exprs(parts), node.name === 'UnaryExpression' ? 'unary' : '');
    }
  };

  const body = (node: SyntaxNode): Stmt[] => children(node).flatMap(stmt);

  const declaration = (node: SyntaxNode): Stmt[] =>
    splitAtCommas(children(node)).flatMap((group): Stmt[] => {
      const [target] = patternIn(group);
      const equals = group.findIndex(({ name }) => name === 'Equals');
      const value = equals === -1 ? undefined : group[equals + 1];
      return target && value ? [{ kind: 'define', at: node.from, target, value: expr(value), isLocal: true }] : [];
    });

  const importDeclaration = (node: SyntaxNode): Stmt[] => {
    const parts = children(node);
    const from = parts.find(({ name }) => name === 'String');
    if (!from) return [];
    const names = parts.flatMap((item) => {
      if (item.name === 'VariableDefinition') return [{ name: '', as: slice(item) }];
      if (item.name !== 'ImportGroup') return [];
      return splitAtCommas(inner(item)).flatMap((group) => {
        const [name] = group;
        const as = group.at(-1);
        return name && as ? [{ name: slice(name), as: slice(as) }] : [];
      });
    });
    return [{ kind: 'import', at: node.from, path: javascriptText(slice(from)), names }];
  };

  const stmt = (node: SyntaxNode): Stmt[] => {
    if (isToken(node)) return [];
    return descent.into(
      () => [],
      () => stmtOf(node),
    );
  };

  const each = (node: SyntaxNode): Stmt[] => {
    const spec = node.firstChild?.nextSibling ?? undefined;
    const last = node.lastChild ?? undefined;
    const inside = last ? stmt(last) : [];
    if (spec?.name === 'ForOfSpec' || spec?.name === 'ForInSpec') {
      const parts = children(spec);
      const [target] = patternIn(parts);
      const value = parts.findLast((item) => !isToken(item));
      if (target && value) return [{ kind: 'each', at: node.from, target, value: expr(value), body: inside }];
    }
    return [...(spec ? children(spec).flatMap(stmt) : []), { kind: 'branch', tests: [], bodies: [inside] }];
  };

  const stmtOf = (node: SyntaxNode): Stmt[] => {
    const parts = children(node);
    switch (node.name) {
      case 'ImportDeclaration':
        return importDeclaration(node);
      case 'VariableDeclaration':
        return declaration(node);
      case 'FunctionDeclaration': {
        const value = functionOf(node);
        const name = value.kind === 'function' ? value.name : undefined;
        return name === undefined
          ? [{ kind: 'expr', expr: value }]
          : [{ kind: 'define', at: node.from, target: { kind: 'name', at: node.from, name }, value, isLocal: true }];
      }
      case 'ExportDeclaration':
      case 'LabeledStatement':
      case 'Block':
      case 'SwitchBody':
      case 'CatchClause':
      case 'FinallyClause':
        return parts.filter(({ name }) => name !== 'VariableDefinition').flatMap(stmt);
      case 'ClassDeclaration': {
        const name = parts.find((item) => item.name === 'VariableDefinition');
        const base = parts.find((item) => item.name === 'VariableName' || item.name === 'MemberExpression');
        const inside = parts.find((item) => item.name === 'ClassBody');
        return [
          {
            kind: 'class',
            at: node.from,
            name: name ? slice(name) : '',
            bases: base ? [expr(base)] : [],
            body: inside ? body(inside) : [],
          },
        ];
      }
      case 'MethodDeclaration': {
        const value = functionOf(node);
        const name = value.kind === 'function' ? value.name : undefined;
        return name === undefined
          ? []
          : [{ kind: 'define', at: node.from, target: { kind: 'name', at: node.from, name }, value, isLocal: true }];
      }
      case 'PropertyDeclaration': {
        const name = parts.find((item) => item.name === 'PropertyDefinition');
        const value = parts[parts.findIndex((item) => item.name === 'Equals') + 1];
        return name && value && value !== parts[0]
          ? [{ kind: 'define', at: node.from, target: nameOf(name), value: expr(value), isLocal: true }]
          : [];
      }
      case 'ReturnStatement':
        return [{ kind: 'return', value: exprs(parts)[0] ?? mix(node.from, []) }];
      case 'ForStatement':
        return each(node);
      case 'IfStatement':
      case 'WhileStatement':
      case 'DoStatement':
      case 'SwitchStatement':
      case 'TryStatement': {
        const tests = parts.filter(({ name }) => name === 'ParenthesizedExpression');
        const inside = parts.filter((item) => !isToken(item) && item.name !== 'ParenthesizedExpression');
        return [{ kind: 'branch', tests: exprs(tests), bodies: inside.map(stmt) }];
      }
      default:
        return exprs(parts).map((item): Stmt => ({ kind: 'expr', expr: item }));
    }
  };

  const { tree, isCut } = parseWithin(isTypescript ? dialects : plain, text);
  return { body: body(tree.topNode), isCut: descent.isCut() || isCut };
};
