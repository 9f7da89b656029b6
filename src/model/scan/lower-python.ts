/** From Lezer's tree of Python (and of Starlark, whose syntax is part of it) to the small form. What is not understood is walked through. */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import { pythonQuotes, pythonText, unescapeText } from './literals.ts';
import type { Argument, Expr, ImportedName, Lowered, Parameter, Stmt } from './program.ts';
import { addends, createDescent, mix, parseWithin, splitAtCommas } from './syntax-tree.ts';

const children = (node: SyntaxNode): SyntaxNode[] => {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (child.name !== 'Comment') found.push(child);
  return found;
};

const isToken = (node: SyntaxNode): boolean =>
  !/^[A-Z]/.test(node.name) ||
  /^(?:AssignOp|UpdateOp|ArithOp|BitOp|CompareOp|At|FormatConversion|FormatSpec)$/.test(node.name);

export const lowerPython = (text: string): Lowered => {
  const slice = (node: SyntaxNode): string => text.slice(node.from, node.to);
  const descent = createDescent();

  const exprs = (nodes: readonly SyntaxNode[]): Expr[] => nodes.filter((node) => !isToken(node)).map(expr);

  const formatString = (node: SyntaxNode): Expr => {
    const literal = slice(node);
    const quotes = pythonQuotes(literal);
    const plain = (piece: string): string =>
      (quotes.raw ? piece : unescapeText(piece)).replaceAll('{{', '{').replaceAll('}}', '}');
    const parts: Expr[] = [];
    let from = node.from + quotes.start;
    for (const child of children(node)) {
      if (child.name !== 'FormatReplacement') continue;
      if (child.from > from) parts.push({ kind: 'text', at: from, text: plain(text.slice(from, child.from)) });
      parts.push(mix(child.from, exprs(children(child)), 'format'));
      from = child.to;
    }
    const end = node.to - quotes.end;
    if (end > from) parts.push({ kind: 'text', at: from, text: plain(text.slice(from, end)) });
    return { kind: 'concat', at: node.from, parts };
  };

  const isComprehension = (nodes: readonly SyntaxNode[]): boolean => nodes.some(({ name }) => name === 'for');

  /** `value for target in iterable if test for …` between two brackets. */
  const comprehension = (at: number, nodes: readonly SyntaxNode[]): Expr => {
    const first = nodes.findIndex(({ name }) => name === 'for' || name === 'async');
    const before: Stmt[] = [];
    let index = first;
    while (index < nodes.length) {
      const node = nodes[index];
      if (node?.name === 'for') {
        const inAt = nodes.findIndex((other, position) => position > index && other.name === 'in');
        const iterable = nodes[inAt + 1];
        if (inAt === -1 || !iterable) break;
        before.push({
          kind: 'each',
          at: node.from,
          target: target(nodes.slice(index + 1, inAt)),
          value: expr(iterable),
          body: [],
        });
        index = inAt + 2;
      } else {
        if (node && !isToken(node)) before.push({ kind: 'expr', expr: expr(node) });
        index++;
      }
    }
    return { kind: 'comprehension', at, before, value: mix(at, exprs(nodes.slice(0, first)), 'item') };
  };

  const argument = (nodes: readonly SyntaxNode[]): Argument[] => {
    const [first, second, third] = nodes;
    if (!first) return [];
    if (second?.name === 'AssignOp' && third) return [{ name: slice(first), value: expr(third) }];
    if (isComprehension(nodes)) return [{ value: comprehension(first.from, nodes) }];
    const value = nodes.find((node) => !isToken(node));
    return value ? [{ value: expr(value) }] : [];
  };

  const inner = (node: SyntaxNode): SyntaxNode[] => children(node).slice(1, -1);

  const params = (node: SyntaxNode | undefined): Parameter[] =>
    node
      ? splitAtCommas(children(node).filter(({ name }) => name !== '(' && name !== ')')).flatMap((group) => {
          const name = group.find((item) => item.name === 'VariableName');
          if (!name) return [];
          const at = group.findIndex((item) => item.name === 'AssignOp');
          const fallback = at === -1 ? undefined : group[at + 1];
          return [
            {
              target: { kind: 'name', at: name.from, name: slice(name) } as const,
              ...(fallback && { fallback: expr(fallback) }),
            },
          ];
        })
      : [];

  const target = (nodes: readonly SyntaxNode[]): Expr => {
    const named = nodes.filter((node) => !isToken(node) && node.name !== 'TypeDef');
    const [only] = named;
    if (named.length === 1 && only) return expr(only);
    return { kind: 'list', at: only?.from ?? 0, items: named.map(expr) };
  };

  const member = (node: SyntaxNode): Expr => {
    const [object, token, ...rest] = children(node);
    if (!object) return mix(node.from, []);
    const inside = expr(object);
    if (token?.name === '.') {
      const name = rest[0];
      return { kind: 'member', at: node.from, object: inside, name: name ? slice(name) : '' };
    }
    const index = rest.filter(({ name }) => name !== ']');
    if (index.some(({ name }) => name === ':')) {
      const bounds: (Expr | undefined)[] = [undefined];
      for (const item of index) {
        if (item.name === ':') bounds.push(undefined);
        else bounds[bounds.length - 1] = expr(item);
      }
      return { kind: 'slice', at: node.from, object: inside, bounds };
    }
    return { kind: 'index', at: node.from, object: inside, index: target(index) };
  };

  const dictionary = (node: SyntaxNode): Expr => ({
    kind: 'dict',
    at: node.from,
    entries: splitAtCommas(inner(node)).flatMap((group) => {
      const colon = group.findIndex(({ name }) => name === ':');
      const key = group[0];
      const value = colon === -1 ? group.find((item) => !isToken(item)) : group[colon + 1];
      if (!value) return [];
      return [colon === -1 || !key ? { value: expr(value) } : { key: expr(key), value: expr(value) }];
    }),
  });

  const expr = (node: SyntaxNode): Expr =>
    descent.into(
      () => mix(node.from, []),
      () => exprOf(node, node.from),
    );

  const exprOf = (node: SyntaxNode, at: number): Expr => {
    const parts = children(node);
    switch (node.name) {
      case 'VariableName':
      case 'self':
        return { kind: 'name', at, name: slice(node) };
      case 'Number':
      case 'Boolean':
      case 'None':
        return { kind: 'text', at, text: slice(node) };
      case 'String':
        return { kind: 'text', at, text: pythonText(slice(node)) };
      case 'FormatString':
        return formatString(node);
      case 'ContinuedString':
        return { kind: 'concat', at, parts: exprs(parts) };
      case 'MemberExpression':
        return member(node);
      case 'CallExpression': {
        const [callee, list] = parts;
        if (!callee) return mix(at, []);
        const given = list?.name === 'ArgList' ? inner(list) : [];
        // A generator is the only argument, and the commas in it are its own.
        const args = isComprehension(given) ? argument(given) : splitAtCommas(given).flatMap(argument);
        return { kind: 'call', at, callee: expr(callee), args };
      }
      case 'ParenthesizedExpression': {
        const value = parts.find((item) => !isToken(item));
        return value ? expr(value) : mix(at, []);
      }
      case 'BinaryExpression': {
        const op = parts.find(isToken);
        const kind = op ? slice(op) : '';
        if (kind === '+') return { kind: 'concat', at, parts: addends(node, { children, isToken, slice }).map(expr) };
        if (kind === 'or' || kind === 'and') return { kind: 'either', at, parts: exprs(parts) };
        return mix(at, exprs(parts), kind);
      }
      case 'UnaryExpression': {
        const value = exprs(parts)[0];
        if (value?.kind === 'text' && slice(node).startsWith('-')) return { ...value, text: `-${value.text}` };
        return mix(at, value ? [value] : [], 'unary');
      }
      case 'ConditionalExpression': {
        const [yes, test, no] = exprs(parts);
        return {
          kind: 'either',
          at,
          parts: [yes, no, test && mix(at, [test], 'test')].filter((item) => item !== undefined),
        };
      }
      case 'AwaitExpression':
      case 'YieldExpression':
        return exprs(parts)[0] ?? mix(at, []);
      case 'NamedExpression': {
        const [name, value] = exprs(parts);
        return name && value ? { kind: 'assign', at, target: name, value, adds: false } : mix(at, []);
      }
      case 'LambdaExpression': {
        const body = parts.at(-1);
        return {
          kind: 'function',
          at,
          params: params(parts.find(({ name }) => name === 'ParamList')),
          body: body ? [{ kind: 'return', value: expr(body) }] : [],
        };
      }
      case 'ArrayExpression':
      case 'TupleExpression':
      case 'SetExpression':
        return { kind: 'list', at, items: exprs(parts) };
      case 'DictionaryExpression':
        return dictionary(node);
      case 'ArrayComprehensionExpression':
      case 'SetComprehensionExpression':
      case 'DictionaryComprehensionExpression':
      case 'ComprehensionExpression':
        return comprehension(at, inner(node));
      default:
        return mix(at, exprs(parts));
    }
  };

  const body = (node: SyntaxNode | undefined): Stmt[] => (node ? children(node).flatMap(stmt) : []);
  const bodies = (parts: readonly SyntaxNode[]): Stmt[][] =>
    parts.filter(({ name }) => name === 'Body' || name === 'MatchBody').map(body);

  const importStatement = (node: SyntaxNode): Stmt[] => {
    const parts = children(node);
    const importAt = parts.findIndex(({ name }) => name === 'import');
    const names = (group: readonly SyntaxNode[]): { path: string; as: string } => {
      const asAt = group.findIndex(({ name }) => name === 'as');
      const path = group
        .slice(0, asAt === -1 ? undefined : asAt)
        .map(slice)
        .join('');
      const alias = asAt === -1 ? undefined : group[asAt + 1];
      return { path, as: alias ? slice(alias) : '' };
    };
    const listed = splitAtCommas(parts.slice(importAt + 1).filter(({ name }) => name !== '(' && name !== ')')).map(
      names,
    );
    if (parts[0]?.name === 'from') {
      const path = parts.slice(1, importAt).map(slice).join('');
      const imported: ImportedName[] = listed.map(({ path: name, as }) => ({ name, as: as === '' ? name : as }));
      return [{ kind: 'import', at: node.from, path, names: imported }];
    }
    return listed.map(({ path, as }) =>
      // `import a.b` binds `a`.
      as === ''
        ? {
            kind: 'import',
            at: node.from,
            path: path.split('.')[0] ?? path,
            names: [{ name: '', as: path.split('.')[0] ?? path }],
          }
        : { kind: 'import', at: node.from, path, names: [{ name: '', as }] },
    );
  };

  const assign = (node: SyntaxNode): Stmt[] => {
    const groups: SyntaxNode[][] = [[]];
    for (const child of children(node)) {
      if (child.name === 'AssignOp') groups.push([]);
      else groups.at(-1)?.push(child);
    }
    const last = groups.pop();
    if (!last || groups.length === 0) return [];
    const value = target(last);
    return groups.map((group): Stmt => ({
      kind: 'define',
      at: node.from,
      target: target(group),
      value,
      isLocal: true,
    }));
  };

  const functionDefinition = (node: SyntaxNode): Stmt[] => {
    const parts = children(node);
    const name = parts.find((item) => item.name === 'VariableName');
    if (!name) return [];
    const value: Expr = {
      kind: 'function',
      at: node.from,
      name: slice(name),
      params: params(parts.find((item) => item.name === 'ParamList')),
      body: body(parts.find((item) => item.name === 'Body')),
    };
    return [
      {
        kind: 'define',
        at: node.from,
        target: { kind: 'name', at: name.from, name: slice(name) },
        value,
        isLocal: true,
      },
    ];
  };

  const stmt = (node: SyntaxNode): Stmt[] => {
    if (isToken(node)) return [];
    return descent.into(
      () => [],
      () => stmtOf(node),
    );
  };

  const stmtOf = (node: SyntaxNode): Stmt[] => {
    const parts = children(node);
    const at = node.from;
    switch (node.name) {
      case 'ImportStatement':
        return importStatement(node);
      case 'AssignStatement':
        return assign(node);
      case 'UpdateStatement': {
        const [name, value] = exprs(parts);
        return name && value ? [{ kind: 'expr', expr: { kind: 'assign', at, target: name, value, adds: true } }] : [];
      }
      case 'FunctionDefinition':
        return functionDefinition(node);
      case 'ClassDefinition': {
        const name = parts.find((item) => item.name === 'VariableName');
        const bases = parts.find((item) => item.name === 'ArgList');
        return [
          {
            kind: 'class',
            at,
            name: name ? slice(name) : '',
            bases: bases ? exprs(children(bases)) : [],
            body: body(parts.find((item) => item.name === 'Body')),
          },
        ];
      }
      case 'DecoratedStatement':
        return [...parts.flatMap(stmt), ...decorated(parts)];
      case 'StatementGroup':
      case 'MatchClause':
        return parts.flatMap(stmt);
      case 'ReturnStatement':
        return [{ kind: 'return', value: target(parts) }];
      case 'ScopeStatement':
        return [{ kind: 'global', names: parts.filter(({ name }) => name === 'VariableName').map(slice) }];
      case 'ForStatement': {
        const inAt = parts.findIndex(({ name }) => name === 'in');
        const forAt = parts.findIndex(({ name }) => name === 'for');
        const iterable = parts[inAt + 1];
        const [first = [], ...others] = bodies(parts);
        if (!iterable) return [];
        return [
          { kind: 'each', at, target: target(parts.slice(forAt + 1, inAt)), value: expr(iterable), body: first },
          ...others.flat(),
        ];
      }
      case 'WithStatement': {
        const head = parts.filter(({ name }) => !/^(?:with|async|Body|\(|\))$/.test(name));
        const bound = splitAtCommas(head).flatMap((group): Stmt[] => {
          const [value, as, ...name] = group;
          if (!value) return [];
          return as?.name === 'as'
            ? [{ kind: 'define', at: value.from, target: target(name), value: expr(value), isLocal: true }]
            : [{ kind: 'expr', expr: expr(value) }];
        });
        return [...bound, ...bodies(parts).flat()];
      }
      case 'IfStatement':
      case 'WhileStatement':
      case 'TryStatement':
      case 'MatchStatement':
        return [
          {
            kind: 'branch',
            tests: exprs(parts.filter(({ name }) => name !== 'Body' && name !== 'MatchBody')),
            bodies: bodies(parts),
          },
        ];
      case 'Body':
      case 'MatchBody':
        return body(node);
      case 'Decorator':
      case 'ExpressionStatement':
        return exprs(parts).map((item): Stmt => ({ kind: 'expr', expr: item }));
      default:
        return exprs(parts).map((item): Stmt => ({ kind: 'expr', expr: item }));
    }
  };

  /** `@exec` and `@lambda f: …` are calls, each with what the one below gives. */
  const decorated = (parts: readonly SyntaxNode[]): Stmt[] => {
    const decorators = parts.filter(({ name }) => name === 'Decorator');
    if (!decorators.some((item) => /^@\s*(?:exec|eval|lambda|os\.|subprocess\.|builtins\.)/.test(slice(item))))
      return [];
    const given: Expr = { kind: 'text', at: parts[0]?.from ?? 0, text: '' };
    const whole = decorators.toReversed().reduce<Expr>((value, item) => {
      const [callee] = exprs(children(item));
      return callee ? { kind: 'call', at: item.from, callee, args: [{ value }] } : value;
    }, given);
    return [{ kind: 'expr', expr: whole }];
  };

  const { tree, isCut } = parseWithin(parser, text);
  return { body: body(tree.topNode), isCut: descent.isCut() || isCut };
};
