/** Whether this is the installed package, whose code is bundled, and not the checkout, which runs its TypeScript. */
export const isInstalled = !import.meta.filename.endsWith(".ts")
