import { err, ok, type Result } from '../../base/result.ts';

/** The bytes of a response, read no further than the limit; nothing of one that is larger. */
export const readBounded = async (response: Response, limit: number): Promise<Result<Uint8Array, 'too-large'>> => {
  if (Number(response.headers.get('content-length') ?? 0) > limit) {
    await response.body?.cancel();
    return err('too-large');
  }
  if (!response.body) return ok(new Uint8Array());
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      return err('too-large');
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return ok(whole);
};
