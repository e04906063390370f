import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DockLayout } from '../../../web/src/ui/dock-layout.ts';
import { PageLayout } from '../../../web/src/ui/page-layout.ts';
import { ToastQueue } from '../../../web/src/ui/toast-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function storage(initial: Readonly<Record<string, string>> = {}) {
  const kept = new Map(Object.entries(initial));
  return {
    kept,
    remembered: (key: string) => kept.get(key) ?? null,
    remember: (key: string, value: string | null) => void (value === null ? kept.delete(key) : kept.set(key, value)),
  };
}

test('an information toast disappears after 6 s, or 8 s with a button; an error stays until it is closed', () => {
  const toasts = new ToastQueue();
  toasts.toast('ok', 'Saved');
  toasts.toast('info', 'Taken', '', { label: 'Take back', run: () => {} });
  toasts.toast('error', 'Failed');
  vi.advanceTimersByTime(6000);
  expect(toasts.toasts.value.map(({ title }) => title)).toEqual(['Taken', 'Failed']);
  vi.advanceTimersByTime(600_000);
  expect(toasts.toasts.value.map(({ title }) => title)).toEqual(['Failed']);
  toasts.dismiss(toasts.toasts.value[0]!.id);
  expect(toasts.toasts.value).toEqual([]);
});

test('at most three toasts are shown, and a repeated text is shown once', () => {
  const toasts = new ToastQueue();
  for (const title of ['a', 'b', 'b', 'c', 'd']) toasts.toast('error', title);
  expect(toasts.toasts.value.map(({ title }) => title)).toEqual(['b', 'c', 'd']);
});

test('a cancelled request is not reported as a failure', () => {
  const toasts = new ToastQueue();
  toasts.failed('It failed', new DOMException('gone', 'AbortError'));
  toasts.failed('It failed', new Error('no such clip'));
  expect(toasts.toasts.value.map(({ detail }) => detail)).toEqual(['no such clip']);
});

test('a panel keeps the width that the user dragged, within its limits, until it is reset', () => {
  const { kept, ...store } = storage({ 'panel.data': '9000' });
  const page = new PageLayout(store);
  expect(page.panelWidth('data', 466)).toBe(466); // a stored width outside the limits is ignored
  page.setPanelWidth('data', 100);
  expect(page.panelWidth('data', 466)).toBe(240);
  expect(kept.get('panel.data')).toBe('240');
  expect(new PageLayout(store).panelWidth('data', 466)).toBe(240);
  page.resetPanelWidth('data');
  expect(page.panelWidth('data', 466)).toBe(466);
});

test('a narrower window closes the panes and overlays them on the viewport; opening an area opens its panel', () => {
  const page = new PageLayout(storage());
  page.resize(1500);
  expect([page.layout.value, page.panelOpen.value, page.inspectorOpen.value]).toEqual(['wide', true, true]);
  page.resize(1200);
  expect([page.layout.value, page.panelOpen.value, page.inspectorOpen.value]).toEqual(['medium', true, false]);
  page.resize(900);
  expect([page.layout.value, page.panelOpen.value]).toEqual(['narrow', false]);
  page.goTo('data');
  expect([page.area.value, page.panelOpen.value]).toEqual(['data', true]);
});

test('the theme of the operating system is used until another one is chosen', () => {
  const { kept, ...store } = storage();
  const page = new PageLayout(store);
  page.followOs('light');
  expect(page.theme.value).toBe('light');
  page.toggleTheme();
  expect([page.theme.value, kept.get('theme')]).toEqual(['dark', 'dark']);
  page.toggleTheme();
  expect([page.theme.value, kept.get('theme')]).toEqual(['light', undefined]); // the system's theme is not stored
});

test('the dock has between one and three fifths of the page and remembers its size', () => {
  const { kept, ...store } = storage({ dock: '0.95' });
  const dock = new DockLayout(store);
  expect(dock.dockShare.value).toBe(0.5);
  dock.setDockShare(0.9);
  expect([dock.dockShare.value, kept.get('dock')]).toEqual([0.6, '0.6']);
  expect(new DockLayout(store).dockShare.value).toBe(0.6);
});
