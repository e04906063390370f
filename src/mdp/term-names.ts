/** A registry of terms that answers to other names, too.
 *  @param functions terms by upstream's function names
 *  @param names other name → function, such as the name that a task gives to a function's values */
export function named<T extends object>(
  functions: Readonly<Record<string, T>>,
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, T & { readonly aliasOf?: string }>> {
  const registry: Record<string, T & { readonly aliasOf?: string }> = { ...functions };
  for (const [name, of] of Object.entries(names)) {
    const term = functions[of];
    if (!term || Object.hasOwn(functions, name))
      throw new Error(`name ${name} of term ${of} is not free or of nothing`);
    registry[name] = { ...term, aliasOf: of };
  }
  return registry;
}
