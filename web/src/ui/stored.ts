const PREFIX = 'motion-studio.';

/** Returns a stored setting; null if it is missing or the browser forbids storage. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, value);
  } catch {
    // storage is full or forbidden: the setting lasts until the page closes
  }
}
