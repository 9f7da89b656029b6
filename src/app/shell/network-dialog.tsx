import { useSyncExternalStore } from 'react';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { bytesText, type HostTraffic, type NetworkFacts, networkText } from './network.ts';
import styles from './network-dialog.module.css';

/** Who was talked to, in a few words; the rest is a click away. */
export const NetworkButton = ({
  network,
  onPress,
}: {
  readonly network: NetworkFacts;
  readonly onPress: () => void;
}) => {
  const hosts = useSyncExternalStore(network.subscribe, network.hosts);
  return (
    <Button look="quiet" onPress={onPress} tip="Contacted hosts">
      {networkText(hosts)}
    </Button>
  );
};

const HostTable = ({ hosts }: { readonly hosts: readonly HostTraffic[] }) => (
  <table className={styles['table']}>
    <thead>
      <tr>
        <th>Host</th>
        <th>Requests</th>
        <th>Sent</th>
        <th>Received</th>
      </tr>
    </thead>
    <tbody>
      {hosts.map(({ host, requests, sent, received }) => (
        <tr key={host}>
          <td>
            <CodeText>{host}</CodeText>
          </td>
          <td>{requests}</td>
          <td>{bytesText(sent)}</td>
          <td>{bytesText(received)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

export type NetworkDialogProps = {
  readonly network: NetworkFacts;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

export const NetworkDialog = ({ network, isOpen, onClose }: NetworkDialogProps) => {
  const hosts = useSyncExternalStore(network.subscribe, network.hosts);
  return (
    <Dialog title="Network" isOpen={isOpen} onClose={onClose}>
      {hosts.length === 0 ? (
        <p>Lathe hasn’t contacted any other host. It loads its own files from this page’s server.</p>
      ) : (
        <HostTable hosts={hosts} />
      )}
      <p className={styles['note']}>
        Lathe contacts only your provider and URLs listed by you or your folder.
        {hosts.length > 0 && ' Sizes are of the bodies.'}
      </p>
    </Dialog>
  );
};
