import { useEffect, useState } from 'react';
import { baseName } from '../../base/paths.ts';
import { sizeText } from '../../model/skill/language/size-text.ts';
import { type OpenImage } from './needs.ts';
import styles from './image-view.module.css';

/** A image from its bytes; the address lives as long as the view. */
const useObjectUrl = ({ bytes, mediaType }: OpenImage): string | undefined => {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: mediaType }));
    const frame = requestAnimationFrame(() => setUrl(made));
    return () => {
      cancelAnimationFrame(frame);
      URL.revokeObjectURL(made);
    };
  }, [bytes, mediaType]);
  return url;
};

export const ImageView = ({ image }: { readonly image: OpenImage }) => {
  const url = useObjectUrl(image);
  const [size, setSize] = useState<{ readonly width: number; readonly height: number }>();
  const [isBroken, setBroken] = useState(false);
  return (
    <figure className={styles['view']}>
      {url !== undefined && !isBroken && (
        <img
          className={styles['image']}
          src={url}
          alt={baseName(image.path)}
          onLoad={({ currentTarget }) =>
            setSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
          onError={() => setBroken(true)}
        />
      )}
      <figcaption className={styles['caption']}>
        {isBroken
          ? `The browser can’t show ${baseName(image.path)}.`
          : `${image.mediaType} · ${sizeText(image.bytes.length)}${size ? ` · ${size.width} × ${size.height}` : ''}`}
      </figcaption>
    </figure>
  );
};
