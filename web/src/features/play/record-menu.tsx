import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { saveRecord } from './shared/save-record.ts';

/** Menu to download the record of an environment in one of several formats. */
export function RecordMenu({ env }: { readonly env: number }) {
  return (
    <Menu label={`Record of environment ${env}`} button={<Icon name="download" />} buttonClass="icon-btn" end>
      {(['npz', 'csv'] as const).map((format) => (
        <MenuItem key={format} onSelect={() => saveRecord(env, format)}>
          <Icon name="download" /> Last 60 s of env {env} as {format.toUpperCase()}
        </MenuItem>
      ))}
    </Menu>
  );
}
