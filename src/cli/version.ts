export const VERSION = '0.1.0';
/** As in package.json; undefined until the owner has one. */
export const HOMEPAGE: string | undefined = undefined;
