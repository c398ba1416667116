import { join, resolve } from "node:path"
import { Console, Duration, Effect } from "effect"
import { claimHome } from "../src/store/home/claimHome.ts"
import { isThere, makeFolder } from "../src/store/home/disk.ts"
import { type Chosen, chooseSettings } from "./init/chooseSettings.ts"
import { envText, type Put, putFile, settingsApart, settingsBeside, settingsChosen } from "./init/putFile.ts"
import { installLines, installText, programWords, scheduleTexts } from "./init/scheduleTexts.ts"
import { showWhenDone } from "./lake/Finding.ts"
import { examine } from "./lake/examine.ts"
import { printAsIs, Stopped, stopWith, wrongUsage } from "./print/printAnswer.ts"
import { withoutThisKey } from "./print/withoutKey.ts"
import { homeService, withServices } from "./settings/services.ts"
import type * as specs from "./specs/setup.ts"

/** Checks that must pass before anything is written. Other faults can be corrected later. */
const needed = new Set(["settings", "marketplace", "home"])

/** Characters that would begin a new line of a schedule file, or that it cannot contain. */
const unwritable = /\p{Cc}|[\p{Zl}\p{Zp}]|[\s\\]$/u

const prepare = Effect.fnUntraced(function* (chosen: Chosen, json: boolean) {
  const { folder, home } = chosen
  if (folder === home || isThere(join(folder, "cardlake.json"))) {
    return yield* wrongUsage(
      `${folder} is the home, which contains only the lake. Name another folder, such as its parent`
    )
  }
  if ([folder, home, ...programWords()].some((path) => unwritable.test(path))) {
    return yield* wrongUsage(
      "A path in a schedule file cannot contain control characters, or end with a blank or a backslash. Name another folder"
    )
  }
  const settings = settingsChosen(chosen)
  const { end, watch } = showWhenDone(json)
  const findings = yield* examine(settings, Duration.hours(36), { watch, isNew: true })
  yield* end
  const wrong = findings.filter(({ name, ok }) => !ok && needed.has(name))
  if (wrong.length > 0) {
    return yield* stopWith(
      1,
      "NotReady",
      ...(json ? wrong.map(({ says }) => says) : []),
      `Nothing was written to ${folder}. Fix each BAD, then run this again`
    )
  }
  const text = yield* envText({ ...settings, ...settingsBeside(chosen) })
  yield* makeFolder(folder)
  const env = yield* putFile(join(folder, ".env"), { text, mode: 0o600, compare: settingsApart(chosen) })
  // A systemd unit fails if its writable folder is missing. If the .env names another home, that one is needed.
  if (env.state !== "left") yield* withServices(homeService(settings))(claimHome)
  const files: Array<Put> = [env]
  for (const [name, text] of Object.entries(scheduleTexts(chosen)))
    files.push(yield* putFile(join(folder, name), { text, mode: 0o644 }))
  if (json) return yield* Console.log(JSON.stringify({ findings, files, ...installLines(chosen) }))
  const key = chosen.isKeyThere ? ["", `The key is from ${join(folder, ".env")}. To change it, edit that file`] : []
  yield* printAsIs(["", ...files.flatMap(putText), ...key, "", installText(chosen)].join("\n"))
})

const putText = ({ differs, file, state }: Put): ReadonlyArray<string> => {
  if (state === "written") return [`written  ${file}`]
  if (state === "same") return [`there    ${file}, already up to date`]
  return [`left     ${file}, which differs from the new text:`, ...differs.map((line) => `         ${line}`)]
}

export const init = Effect.fnUntraced(function* ({ folder, json, ...flags }: typeof specs.init.Input) {
  const canAsk = !json && process.stdin.isTTY && process.stdout.isTTY
  const chosen = yield* chooseSettings({ folder: resolve(folder), ...flags }, canAsk).pipe(
    Effect.catchTag("SettingsMissing", ({ _tag, message }) => stopWith(2, _tag, message)),
    Effect.catchTag("QuitError", () => Effect.fail(new Stopped({ code: 130 })))
  )
  yield* withoutThisKey(chosen.key)(prepare(chosen, json))
})
