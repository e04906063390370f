import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../../ui/controls.tsx';
import { Dash } from '../../ui/dash.tsx';
import { whole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Channel } from '../data/shared/plot-reply.ts';
import { channelMatches, channelName, groupChannels } from './channels.ts';
import type { PlotData } from './plot-data.ts';
import { charts, clearTicks, issueShown, shownIds, solo, tick } from './plots-store.ts';

/** Lists channels by group. A checkbox shows or hides a channel; "solo" shows only that channel. */
export function ChannelTree({ data }: { readonly data: PlotData }) {
  const [query, setQuery] = useState('');
  const shown = shownIds.value;
  const colours = new Map(charts.value.flatMap(({ lines }) => lines.map(({ channel, colour }) => [channel, colour])));
  const groups = groupChannels(data.ownChannels, data.nowLabel !== null);
  const found = groups
    .map((group) => ({ ...group, found: group.channels.filter((channel) => channelMatches(channel, query.trim())) }))
    .filter((group) => group.found.length > 0);
  const list = useRef<HTMLDivElement>(null);
  const issue = issueShown.value;
  useEffect(() => {
    if (issue !== null) list.current?.querySelector(':checked')?.scrollIntoView({ block: 'nearest' });
  }, [issue]);
  const ticked = data.ownChannels.filter(({ id }) => shown.has(id)).length;
  return (
    <section class="channels" aria-label="Channels">
      <label class="field search-field">
        <Icon name="search" />
        <input
          type="search"
          aria-label="Search channels"
          placeholder={`Search ${whole(data.ownChannels.length)} channels`}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      </label>
      <div class="channel-groups" ref={list}>
        {found.map(({ name, title, note, channels, found: members }) => (
          <Group
            key={name}
            title={title}
            note={note}
            count={query === '' ? channels.length : members.length}
            open={query !== '' || channels.some(({ id }) => shown.has(id)) || channels.length <= 12}
          >
            {members.map((channel) => (
              <Row
                key={channel.id}
                channel={channel}
                on={shown.has(channel.id)}
                colour={colours.get(data.indexOf(channel.id))}
              />
            ))}
          </Group>
        ))}
        {found.length === 0 && <p class="dim channels-none">No channel matches.</p>}
      </div>
      <footer class="channels-foot">
        <span class="dim num grow">{ticked} shown</span>
        <Button kind="quiet" small disabled={ticked === 0} onClick={clearTicks}>
          Clear
        </Button>
      </footer>
    </section>
  );
}

interface GroupProps {
  readonly title: string;
  readonly note: string | null;
  readonly count: number;
  /** whether the group is open initially, until the user opens or closes it */
  readonly open: boolean;
  readonly children: ComponentChildren;
}

function Group({ title, note, count, open: before, children }: GroupProps) {
  const [chosen, choose] = useState<boolean | null>(null);
  const open = chosen ?? before;
  return (
    <div class="channel-group">
      <h3>
        <button type="button" aria-expanded={open} onClick={() => choose(!open)}>
          <Icon name={open ? 'down' : 'right'} small />
          <span>{title}</span>
          {note !== null && <span class="dim channel-note">{note}</span>}
          <span class="grow" />
          <span class="dim num channel-note">{count}</span>
        </button>
      </h3>
      {open && <ul>{children}</ul>}
    </div>
  );
}

interface RowProps {
  readonly channel: Channel;
  readonly on: boolean;
  readonly colour: number | undefined;
}

function Row({ channel, on, colour }: RowProps) {
  const name = channelName(channel);
  return (
    <li class="channel">
      <label>
        <input
          type="checkbox"
          class="checkbox"
          checked={on}
          onChange={(event) => tick(channel.id, event.currentTarget.checked)}
        />
        <span class="ellipsis" title={channel.id}>
          {name}
        </span>
      </label>
      <IconButton icon="solo" label={`Only ${name}`} class="channel-solo" onClick={() => solo(channel.id)} />
      {on && colour !== undefined && <Dash colour={colour} />}
    </li>
  );
}
