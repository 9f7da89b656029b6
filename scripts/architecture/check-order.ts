/** Whether imports keep an order of folders, and whether files import each other in a circle. All paths are below `src/`. */

export type Order = Readonly<Record<string, readonly string[]>>;

export interface Import {
  readonly from: string;
  readonly to: string;
}

const TABLE = 'ORDER in scripts/architecture/order.ts';

const placeOf = (path: string): readonly [layer: string, name: string] => {
  const [layer = '', name = ''] = path.split('/');
  return [layer, name];
};

const noPlace = (layer: string, name: string): string =>
  `${layer}/${name} has no place in the order of ${layer}/: add '${name}' to the row '${layer}' of ${TABLE}, behind everything that it imports`;

/** What is wrong with the table itself: what it does not name, names twice, or names although it is gone. */
export const tableFaults = (order: Order, reserved: readonly string[], paths: readonly string[]): string[] => {
  const places = new Set(paths.map((path) => placeOf(path).join('/')));
  const named = Object.entries(order).flatMap(([layer, row]) => row.map((name) => `${layer}/${name}`));
  const rows = new Set(named);
  return [
    ...[...places]
      .filter((place) => Object.hasOwn(order, placeOf(place)[0]) && !rows.has(place))
      .map((place) => noPlace(...placeOf(place))),
    ...named
      .filter((place, index) => named.indexOf(place) !== index)
      .map((place) => `${place} has two places in ${TABLE}: remove one`),
    ...[...rows]
      .filter((place) => !places.has(place) && !reserved.includes(place))
      .map((place) => `${place} is gone: remove it from ${TABLE}`),
    ...reserved.filter((place) => !rows.has(place)).map((place) => `${place} is reserved and has no place in ${TABLE}`),
  ];
};

/** Why an import goes against the order; undefined when it does not, or when none exists between the two. */
export const orderObjection = (order: Order, { from, to }: Import): string | undefined => {
  const [layer, name] = placeOf(from);
  const [otherLayer, other] = placeOf(to);
  const row = Object.hasOwn(order, layer) ? order[layer] : undefined;
  if (!row || layer !== otherLayer || name === other) return undefined;
  if (!row.includes(name)) return noPlace(layer, name);
  if (!row.includes(other)) return noPlace(layer, other);
  if (row.indexOf(other) < row.indexOf(name)) return undefined;
  return `${from} imports ${to}: in ${layer}/, ${name} stands before ${other}; if ${other} can do without ${name}, turn them round in ${TABLE}; if not, move what both need to a place before both`;
};

/** The circles in which files import each other, each as the way from a file back to itself; every file in a circle is in one of them. */
export const circlesOf = (imports: readonly Import[]): string[] => {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of imports) next.set(from, (next.get(from) ?? new Set()).add(to));
  /** The shortest way from what a file imports back to it. */
  const wayBack = (start: string): readonly string[] | undefined => {
    const before = new Map<string, string>();
    const queue = [start];
    for (const at of queue) {
      for (const to of next.get(at) ?? []) {
        if (to === start) {
          const way = [start];
          for (let step: string | undefined = at; step !== undefined; step = before.get(step)) way.unshift(step);
          return way;
        }
        if (!before.has(to)) {
          before.set(to, at);
          queue.push(to);
        }
      }
    }
    return undefined;
  };
  const told = new Set<string>();
  return [...next.keys()].toSorted().flatMap((file) => {
    const way = told.has(file) ? undefined : wayBack(file);
    if (!way) return [];
    for (const part of way) told.add(part);
    return [way.join(' → ')];
  });
};
