import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Marks a home as the demo's; any other text is somebody else's. */
export const demoReadme = {
  name: "README.txt",
  text: "The lake of `cardlake demo`. The next demo replaces this folder.\n"
}

/** Whether a home is the demo's: its dates are the story's, so nothing in it is late. */
export const isDemoHome = (root: string): boolean => {
  const readme = join(root, demoReadme.name)
  return existsSync(readme) && readFileSync(readme, "utf8") === demoReadme.text
}
