import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export interface MenuProps {
  /** subject of the menu; also the button's accessible name if the button has no text */
  readonly label: string;
  readonly named?: boolean;
  readonly button: ComponentChildren;
  readonly buttonClass?: string;
  /** align the menu with the end of the button */
  readonly end?: boolean;
  readonly children: ComponentChildren;
}

/** A button that opens a menu of `MenuItem`s. Arrow keys move between the items. Escape closes the menu and returns the
 *  focus; a click elsewhere closes the menu. */
export function Menu({ label, named = false, button, buttonClass = 'top-btn', end = false, children }: MenuProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)') ?? [])];

  useEffect(() => {
    if (!open) return;
    items()[0]?.focus();
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [open]);

  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    if (!open) return;
    const list = items();
    const at = list.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Escape') close();
    else if (event.key === 'ArrowDown') list[(at + 1) % list.length]?.focus();
    else if (event.key === 'ArrowUp') list[(at - 1 + list.length) % list.length]?.focus();
    else if (event.key === 'Tab') return setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the button and the items inside
    <div class="menu-root" ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        class={buttonClass}
        ref={opener}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={named ? undefined : label}
        title={label}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: a key press on an item also clicks its button
        <div class={end ? 'menu menu-end' : 'menu'} role="menu" aria-label={label} onClick={close}>
          {children}
        </div>
      )}
    </div>
  );
}

export interface MenuItemProps {
  readonly checked?: boolean;
  readonly disabled?: boolean;
  /** marks an item that deletes something */
  readonly danger?: boolean;
  readonly onSelect: () => void;
  readonly children: ComponentChildren;
}

export function MenuItem({ checked, disabled = false, danger = false, onSelect, children }: MenuItemProps) {
  return checked === undefined ? (
    <button
      type="button"
      role="menuitem"
      class={danger ? 'menu-item danger' : 'menu-item'}
      disabled={disabled}
      onClick={onSelect}
    >
      {children}
    </button>
  ) : (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={checked}
      class="menu-item"
      disabled={disabled}
      onClick={onSelect}
    >
      {children}
    </button>
  );
}
