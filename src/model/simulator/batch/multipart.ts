/** The parts of a form that was sent as `multipart/form-data`. */
export interface FormPart {
  readonly name: string;
  readonly fileName?: string;
  readonly text: string;
}

const MOST_PARTS = 50;

/** Nothing where it is none. */
export const readForm = (contentType: string | undefined, body: string): readonly FormPart[] | undefined => {
  const [, quoted, plain] = /^multipart\/form-data\b.*?;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(
    (contentType ?? '').slice(0, 1000),
  ) ?? [undefined, undefined, undefined];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  const mark = `--${boundary}`;
  if (!body.startsWith(mark)) return undefined;
  const parts: FormPart[] = [];
  let at = mark.length;
  while (parts.length < MOST_PARTS && body.startsWith('\r\n', at)) {
    const headEnd = body.indexOf('\r\n\r\n', at);
    const end = headEnd === -1 ? -1 : body.indexOf(`\r\n${mark}`, headEnd + 2);
    if (end === -1) return undefined;
    const head = body.slice(at + 2, headEnd).slice(0, 4000);
    const disposition = /^content-disposition:.*$/im.exec(head)?.[0] ?? '';
    const name = /[;\s]name="([^"]*)"/i.exec(disposition)?.[1];
    const fileName = /filename="([^"]*)"/i.exec(disposition)?.[1];
    if (name !== undefined)
      parts.push({ name, ...(fileName !== undefined && { fileName }), text: body.slice(headEnd + 4, end) });
    at = end + 2 + mark.length;
  }
  return parts;
};
