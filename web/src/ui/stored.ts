const PREFIX = 'motion-studio.';

/** What this browser remembers. A browser that forbids storage forgets, and nothing else changes. */
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
    // storage is full or forbidden: the choice lasts as long as the page
  }
}
