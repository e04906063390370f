import { service } from '../net/connection.ts';
import { IconButton, Kbd, Switch } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { GLOSSARY } from '../ui/glossary.ts';
import { helpOpen, setSingleKeys, singleKeys } from '../ui/layout.ts';
import { SHORTCUTS } from './commands.ts';
import type { Shortcut } from './keys.ts';

const GROUPS: readonly Shortcut['group'][] = ['Playback', 'View', 'Page'];

export function ShortcutsDialog() {
  const close = () => {
    helpOpen.value = false;
  };
  return (
    <Dialog open={helpOpen.value} label="Help and shortcuts" class="help" onClose={close}>
      <header class="dialog-head">
        <h2>Help and shortcuts</h2>
        <IconButton icon="close" label="Close" hint="Esc" onClick={close} />
      </header>
      <div class="help-groups">
        {GROUPS.map((group) => (
          <section key={group} aria-labelledby={`keys-${group}`}>
            <h3 id={`keys-${group}`}>{group}</h3>
            <dl class="help-keys">
              {SHORTCUTS.filter((shortcut) => shortcut.group === group).map((shortcut) => (
                <div key={shortcut.command}>
                  <dt>{shortcut.text}</dt>
                  <dd>
                    <Kbd keys={shortcut.keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="help-mouse dim">
        Scene: drag to orbit, right- or Shift-drag to pan, scroll to zoom, double-click a body to centre the view on it.
        Touch: one finger orbits, two fingers pan and zoom.
      </p>
      <details class="help-mouse">
        <summary class="accent">Glossary, {Object.keys(GLOSSARY).length} terms</summary>
        <dl class="help-glossary" tabIndex={0}>
          {Object.values(GLOSSARY).map(({ term, text }) => (
            <div key={term}>
              <dt class="medium">{term}</dt>
              <dd class="dim">{text}</dd>
            </div>
          ))}
        </dl>
      </details>
      <footer class="dialog-foot">
        <Switch label="Single-key shortcuts" on={singleKeys.value} onChange={setSingleKeys} />
        <span class="grow" />
        <a class="link" href="docs/">
          Documentation
        </a>
        <a class="link" href="api/docs">
          HTTP API
        </a>
        {service.value !== null && <span class="dim num">Version {service.value.version}</span>}
      </footer>
    </Dialog>
  );
}
