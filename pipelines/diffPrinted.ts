import type { Effect } from "effect"
import { notesHtml } from "../src/diff/notesHtml.ts"
import { notesMarkdown } from "../src/diff/notesMarkdown.ts"
import { diffText } from "./diffText.ts"
import type { runDiff } from "../src/run/runDiff.ts"

type Found = Effect.Success<ReturnType<typeof runDiff>>

/** A difference as each format has it that is printed at once. */
export const diffPrinted = {
  table: diffText,
  json: (found) => JSON.stringify(found),
  markdown: notesMarkdown,
  html: notesHtml
} satisfies Readonly<Record<string, (found: Found) => string>>
