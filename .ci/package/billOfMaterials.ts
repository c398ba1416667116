import { spawnSync } from "node:child_process"

/** What is read of the bill that npm makes. */
interface Bill {
  readonly metadata: { readonly component: { readonly "bom-ref": string } }
  readonly components: ReadonlyArray<{ readonly "bom-ref": string }>
  readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn: ReadonlyArray<string> }>
}

/**
 * The package's bill of materials in CycloneDX: what `npm sbom` says of the checkout, without what is neither in the code
 * (`bundled`, as `name@version`) nor installed beside it (`installed`, and what that needs).
 */
export const billOfMaterials = (root: string, version: string, bundled: ReadonlyArray<string>, installed: string) => {
  const { status, stderr, stdout } = spawnSync("npm", ["sbom", "--sbom-format=cyclonedx"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26
  })
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`)
  const bill: Bill = JSON.parse(stdout)
  const needs = new Map(bill.dependencies.map(({ dependsOn, ref }) => [ref, dependsOn]))
  const withNeeds = (ref: string): ReadonlyArray<string> => [ref, ...(needs.get(ref) ?? []).flatMap(withNeeds)]

  const own = `cardlake@${version}`
  const parts = new Set([...bundled, ...withNeeds(installed)])
  const components = bill.components.filter((component) => parts.has(component["bom-ref"]))
  const listed = new Set(components.map((component) => component["bom-ref"]))
  const missing = [...parts].filter((ref) => !listed.has(ref))
  if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(", ")}`)
  return {
    ...bill,
    metadata: {
      ...bill.metadata,
      component: { ...bill.metadata.component, "bom-ref": own, name: "cardlake", version, purl: `pkg:npm/${own}` }
    },
    components,
    dependencies: [
      { ref: own, dependsOn: [...bundled, installed] },
      ...bill.dependencies
        .filter(({ ref }) => listed.has(ref))
        .map(({ dependsOn, ref }) => ({ ref, dependsOn: dependsOn.filter((other) => listed.has(other)) }))
    ]
  }
}
