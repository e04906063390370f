/** Builds a registry of terms with additional names.
 *  @param functions terms by the name of upstream's function
 *  @param names function by additional name, for example the name that tasks use */
export function named<T extends object>(
  functions: Readonly<Record<string, T>>,
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, T & { readonly aliasOf?: string }>> {
  const registry: Record<string, T & { readonly aliasOf?: string }> = { ...functions };
  for (const [name, of] of Object.entries(names)) {
    const term = functions[of];
    if (!term) throw new Error(`${name} is another name of the term ${of}, which does not exist`);
    if (Object.hasOwn(functions, name)) throw new Error(`the name ${name} is already the name of a term`);
    registry[name] = { ...term, aliasOf: of };
  }
  return registry;
}
