import type { Finding, State } from "./Finding.ts"

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
