import { useEffect, useState } from 'react';
import { errorMessage } from '../../base/errors.ts';
import { imageType } from '../../model/files/text-file.ts';
import styles from './markdown-pictures.module.css';

const MAX_BYTES = 10 * 1024 * 1024;

/** The page's policy shows images of its own only, so the bytes are fetched and shown from memory. */
const fetchImage = async (url: string): Promise<Blob> => {
  const response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' });
  if (!response.ok) throw new Error(`the server responded with ${response.status}`);
  return response.blob();
};

type State =
  | { readonly kind: 'asked' | 'loading' }
  | { readonly kind: 'shown'; readonly url: string }
  | { readonly kind: 'failed'; readonly why: string };

export type RemotePictureProps = {
  readonly url: string;
  readonly alt: string;
  readonly load?: ((url: string) => Promise<Blob>) | undefined;
};

/** A image elsewhere: nothing is requested before somebody wants to see it. */
export const RemotePicture = ({ url, alt, load = fetchImage }: RemotePictureProps) => {
  const [state, setState] = useState<State>({ kind: 'asked' });
  useEffect(
    () => () => {
      if (state.kind === 'shown') URL.revokeObjectURL(state.url);
    },
    [state],
  );

  const show = async (): Promise<void> => {
    setState({ kind: 'loading' });
    try {
      const blob = await load(url);
      if (!blob.type.startsWith('image/')) throw new Error("it isn't an image");
      if (blob.size > MAX_BYTES) throw new Error('it is larger than 10 MB');
      setState({ kind: 'shown', url: URL.createObjectURL(blob) });
    } catch (thrown) {
      // A server that does not allow other pages fails without a reason.
      const why = thrown instanceof TypeError ? 'the server blocks it or can’t be reached' : errorMessage(thrown);
      setState({ kind: 'failed', why });
    }
  };

  if (state.kind === 'shown') return <img className={styles['picture']} src={state.url} alt={alt} />;
  return (
    <span className={styles['placeholder']}>
      <span>{alt === '' ? 'Image' : alt}</span>
      <code className={styles['address']}>{url}</code>
      {state.kind === 'failed' && <span role="status">Can’t load it: {state.why}.</span>}
      <button
        type="button"
        className={styles['button']}
        disabled={state.kind === 'loading'}
        onClick={() => void show()}
      >
        {state.kind === 'loading' ? 'Loading…' : `Load it from ${new URL(url).host}`}
      </button>
    </span>
  );
};

export type LocalPictureProps = {
  readonly path: string;
  readonly alt: string;
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
};

/** A image of the skill's own folder. */
export const LocalPicture = ({ path, alt, read }: LocalPictureProps) => {
  const [state, setState] = useState<State>({ kind: 'loading' });
  useEffect(() => {
    let url: string | undefined;
    let isHere = true;
    const type = imageType(path);
    const show = async (): Promise<void> => {
      try {
        const bytes = type === undefined ? undefined : await read(path);
        if (!isHere) return;
        if (!bytes)
          return setState({
            kind: 'failed',
            why: type === undefined ? "it isn't an image" : 'the file doesn’t exist',
          });
        url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: type ?? '' }));
        setState({ kind: 'shown', url });
      } catch (thrown) {
        if (isHere) setState({ kind: 'failed', why: errorMessage(thrown) });
      }
    };
    void show();
    return () => {
      isHere = false;
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [path, read]);

  if (state.kind === 'shown') return <img className={styles['picture']} src={state.url} alt={alt} />;
  return (
    <span className={styles['placeholder']}>
      <span>{alt === '' ? path : alt}</span>
      {state.kind === 'failed' && (
        <span>
          <code className={styles['address']}>{path}</code>: {state.why}
        </span>
      )}
    </span>
  );
};
