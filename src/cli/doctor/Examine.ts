import { Effect } from "effect"
import { Setting } from "../../config/Configuration.ts"
import { type Check, type Finding, guarded, off, type State } from "./Finding.ts"
import { dataFolderCheck, libraryFile } from "./LibraryChecks.ts"
import { embeddings, gateway, gitHub, model } from "./OutsideChecks.ts"
import { publicAddress, serverClock, service } from "./ServiceChecks.ts"
import { settingFiles, settingSense, settingValues } from "./SettingChecks.ts"
import { telegram } from "./TelegramCheck.ts"

const under = <R>(group: string, check: Check<R>) =>
  Effect.map(
    guarded(group, check),
    (lines): ReadonlyArray<Finding> => lines.map((line) => ({ group, ...line }))
  )

const all = <R>(checks: ReadonlyArray<Check<R>>): Check<R> =>
  Effect.map(
    Effect.forEach(checks, (check) => guarded("check", check)),
    (lines) => lines.flat()
  )

const local = Effect.all([
  under("Settings", settingValues),
  under("Files and secrets", all([settingFiles, settingSense])),
  under("Data", all([dataFolderCheck, libraryFile]))
])

const notAsked = Effect.succeed([
  off("probe", "left out, for --offline", "Run it without that to have it looked at.")
])

const outside = <R>(offline: boolean, group: string, check: Check<R>) =>
  under(group, offline ? notAsked : check)

/** Whether the embedder of the settings is a server. */
const isServer = Effect.orElseSucceed(
  Effect.map(Setting.embeddingsUrl.config, (url) => url._tag === "Some"),
  () => true
)

const probes = (offline: boolean) =>
  Effect.gen(function* () {
    const remoteEmbedder = yield* isServer
    return yield* Effect.all(
      [
        under("Service", service),
        outside(offline, "Public address", publicAddress),
        outside(offline, "Telegram", telegram),
        outside(offline, "Access gateway", gateway),
        outside(offline, "Language model", model),
        outside(offline, "GitHub", gitHub),
        outside(offline && remoteEmbedder, "Embeddings", embeddings)
      ],
      { concurrency: "unbounded" }
    )
  })

/**
 * Looks at everything. What is here comes first, for the check of a large database keeps the clock from ticking, by
 * which the servers' time limits go; then all servers at once; and their clocks when they have answered.
 */
export const examine = Effect.fnUntraced(function* (offline: boolean) {
  const here = yield* local
  const there = yield* probes(offline)
  const clock = yield* outside(offline, "Clock", serverClock)
  return [...here, ...there, clock].flat()
})

const marks: Record<State, string> = { ok: "ok", warn: "warn", fail: "FAIL", off: "off" }

const STATES: ReadonlyArray<State> = ["ok", "off", "warn", "fail"]

/** SGR parameters (ECMA-48, 8.3.117): green, yellow, bold red, faint. */
const colours: Record<State, string> = { ok: "32", warn: "33", fail: "1;31", off: "2" }
const BOLD = "1"
const FAINT = "2"

/** What a terminal would obey rather than show: a server's words may hold anything. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu

/** The same findings on one line each, without control characters and without any of `secrets` in them. */
export const cleaned = (
  findings: ReadonlyArray<Finding>,
  secrets: ReadonlyArray<string>
): ReadonlyArray<Finding> => {
  const clean = (text: string) =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, "***"), text).replace(CONTROL, " ")
  return findings.map(({ advice, detail, group, name, state }) => ({
    group,
    name: clean(name),
    state,
    detail: clean(detail),
    advice: clean(advice)
  }))
}

const paint = (code: string, text: string) => `\u001b[${code}m${text}\u001b[0m`

/** How many findings there are of each state. */
const summary = (findings: ReadonlyArray<Finding>) =>
  STATES.map((one) => `${findings.filter(({ state }) => state === one).length} ${marks[one]}`).join(", ")

/** What is off is so for a reason, mostly: it takes no line of its own. */
const aside = (state: State, advice: string) =>
  state === "off" && advice !== "" ? `  ${paint(FAINT, advice)}` : ""

/** The findings for a person at a terminal: under their headings, aligned, each advice below what it is about. */
export const render = (findings: ReadonlyArray<Finding>): ReadonlyArray<string> => {
  const lines = Map.groupBy(findings, ({ group }) => group)
  const blocks = [...lines].flatMap(([group, found]) => {
    const width = Math.max(...found.map(({ name }) => name.length))
    return [
      paint(BOLD, group),
      ...found.flatMap(({ advice, detail, name, state }) => [
        `  ${paint(colours[state], marks[state].padEnd(4))}  ${name.padEnd(width)}  ${detail}${aside(state, advice)}`,
        ...(advice === "" || state === "off" ? [] : [" ".repeat(width + 10) + paint(FAINT, advice)])
      ]),
      ""
    ]
  })
  return [...blocks, summary(findings)]
}
