import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"

/** Returns the text of a file of this program, such as a query. It does not depend on the fiber's disk. */
export const ownText = (file: URL): string => readFileSync(file, "utf8")

/**
 * In a checkout, resolves relative imports of our files and Effect's without looking for links and package.json, as Node
 * does for each of 6,000 imports. The package is a few bundled files.
 */
export const resolveRelative = (): void => {
  if (!import.meta.filename.endsWith(".ts")) return
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL } = context
      if (parentURL === undefined || !/^\.\.?\//.test(specifier)) return next(specifier, context)
      const url = new URL(specifier, parentURL).href
      if (url.endsWith(".ts")) return { url, format: "module-typescript", shortCircuit: true }
      const isOfEffect = url.endsWith(".js") && url.includes("/node_modules/effect/dist/")
      return isOfEffect ? { url, format: "module", shortCircuit: true } : next(specifier, context)
    }
  })
}
