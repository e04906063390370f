import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';

/** The value of a placeholder: one text, or several arguments if the placeholder is a whole word. */
export type PlaceholderValues = Readonly<Record<string, string | readonly string[]>>;

/** Fills in a command. A word that is only `{name}` becomes the value, or one argument per value of a list. Within
 *  other text, such as `--seed={seed}`, the value is inserted. Unknown words in braces stay. The command never passes
 *  through a shell.
 *  @throws bad_input for an argument with a NUL */
export function fillCommand(template: readonly string[], values: PlaceholderValues): string[] {
  const filled = template.flatMap((word) => {
    const alone = /^\{([a-z_]+)\}$/.exec(word)?.[1];
    const value = alone === undefined ? undefined : lookUp(values, alone);
    if (value !== undefined) return typeof value === 'string' ? [value] : value;
    return [
      word.replace(/\{([a-z_]+)\}/g, (whole, name: string) => {
        const inner = lookUp(values, name);
        return inner === undefined ? whole : typeof inner === 'string' ? inner : inner.join(' ');
      }),
    ];
  });
  const broken = filled.find((word) => word.includes('\0'));
  if (broken !== undefined)
    throw badInput(`extra: ${quoteName(broken)} contains a NUL character, which is not possible in an argument`);
  return filled;
}

function lookUp(values: PlaceholderValues, name: string): string | readonly string[] | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
