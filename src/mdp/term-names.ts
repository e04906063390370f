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
    if (!term || Object.hasOwn(functions, name))
      throw new Error(`the name ${name} is taken, or its term ${of} does not exist`);
    registry[name] = { ...term, aliasOf: of };
  }
  return registry;
}
