import type { Plugin } from "esbuild"
import { readFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"

/** What the plugin has to know of the package; names are those of the checkout. */
export interface Contents {
  readonly root: string
  readonly version: string
  /** Files that modules read when they run: SQL, styles, the sample. */
  readonly assets: ReadonlyArray<string>
  /** Modules that run as programs of their own. */
  readonly programs: ReadonlyArray<string>
}

/**
 * Lets bundled modules find their files. An asset has the place in the package that it has in the checkout, and a module
 * keeps its own address; programs are beside the bundled code, in `code`. What a module names and the package lacks
 * fails the build.
 */
export const ownFiles = ({ assets, programs, root, version }: Contents): Plugin => {
  const slashes = (path: string): string => path.split(sep).join("/")
  const isAsset = (path: string): boolean => assets.some((asset) => asset === path || asset.startsWith(`${path}/`))

  const bundled = (module: string, code: string) => {
    const missing: Array<string> = []
    const contents = code
      .replace(/^#!.*/, "")
      .replaceAll(/\bimport\.meta\.url\b/g, "moduleUrl")
      .replaceAll(/(?<!^\s*(?:\/\*|\*|\/\/).*)new URL\("([^"]+)",\s*moduleUrl\)/gm, (text, to: string) => {
        const file = slashes(join(dirname(module), to))
        if (programs.includes(file)) return `new URL("./${programName(file)}.js", import.meta.url)`
        // The program makes what it keeps in node_modules.
        if (!isAsset(file) && !file.startsWith("node_modules/")) missing.push(file)
        return text
      })
    const address = `const moduleUrl = new URL("../${module}", import.meta.url).href; `
    return {
      contents: contents.includes("moduleUrl") ? address + contents : contents,
      loader: "ts" as const,
      errors: missing.map((file) => ({ text: `${module} names ${file}, which the package does not have` }))
    }
  }

  return {
    name: "own-files",
    setup: (build) => {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const module = slashes(relative(root, path))
        return module.startsWith("node_modules/") ? undefined : bundled(module, readFileSync(path, "utf8"))
      })
      // A build has a version of its own, and needs nothing else of the file.
      build.onLoad({ filter: /package\.json$/ }, ({ path }) =>
        path === join(root, "package.json") ? { contents: JSON.stringify({ version }), loader: "json" } : undefined
      )
      // The bundler cannot tell which names a package in CommonJS has, and it is imported while the program runs.
      build.onLoad({ filter: /platform-node\/dist\/Undici\.js$/ }, async ({ path }) => {
        const names = Object.keys(await import(path)).filter((name) => /^\w+$/.test(name))
        return { contents: `export { ${names.join(", ")} } from "undici"`, loader: "js" }
      })
      // The width of plain letters is their number. Without ICU's tables every command starts ten milliseconds sooner.
      build.onLoad({ filter: /effect\/dist\/cli\/CliOutput\.js$/ }, ({ path }) => {
        const segmenter = /(?<=^const graphemeSegmenter = )[^;]+(?=;$)/m
        const segments = /graphemeSegmenter\.segment\(stripAnsi\(text\)\)/
        const code = readFileSync(path, "utf8")
        if (!segmenter.test(code) || !segments.test(code))
          return { errors: [{ text: `${path} measures letters in another way` }] }
        const made = code
          .replace(
            segmenter,
            (text) =>
              `text => /^[ -~]*$/.test(text) ? Array.from(text, segment => ({ segment })) : (${text}).segment(text)`
          )
          .replace(segments, "graphemeSegmenter(stripAnsi(text))")
        return { contents: made, loader: "js" }
      })
    }
  }
}

/** What a program is called in `code`. */
export const programName = (file: string): string => file.slice(file.lastIndexOf("/") + 1, -".ts".length)
