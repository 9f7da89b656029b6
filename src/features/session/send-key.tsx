import { useStore } from 'zustand';
import { Toggle } from '../../ui/toggle.tsx';
import type { SessionUi } from './session-ui.ts';

/** Which key sends a message. */
export const SendKey = ({ ui }: { readonly ui: SessionUi }) => {
  const enterSends = useStore(ui, (state) => state.enterSends);
  return (
    <Toggle isOn={enterSends} onChange={ui.setEnterSends}>
      Enter sends the message
    </Toggle>
  );
};
