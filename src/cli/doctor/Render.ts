import { type Style, styled, wrapped } from "../../runtime/Terminal.ts"
import { count } from "../../shared/Format.ts"
import type { Finding, State } from "./Finding.ts"

const marks: Record<State, string> = { ok: "ok", warn: "warn", fail: "FAIL", off: "off" }

const STATES: ReadonlyArray<State> = ["ok", "off", "warn", "fail"]

const styles: Record<State, Style> = { ok: "green", warn: "yellow", fail: "boldRed", off: "faint" }

/** Columns before the text of a finding: its mark and the space around it. */
const INDENT = 6
const SETTINGS = "Settings"

export interface RenderOptions {
  readonly all: boolean
  /** Width of the terminal, or infinity for a file. */
  readonly columns: number
}

const mark = (state: State) => styled(styles[state], marks[state].padEnd(4))

const indented = (text: string, by: number, columns: number) =>
  wrapped(text, Math.max(columns - by, 20)).map((line) => " ".repeat(by) + line)

const byGroup = (findings: ReadonlyArray<Finding>) => [...Map.groupBy(findings, ({ group }) => group)]

const sentence = (text: string) => text.replace(/\.?$/, ".")

const problem = ({ advice, detail, group, name, state }: Finding, columns: number) => {
  const heading = name.toLowerCase() === group.toLowerCase() ? group : `${group}: ${name}`
  return [
    `${mark(state)}  ${styled("bold", heading)}`,
    ...indented(sentence(detail), INDENT, columns),
    ...indented(advice, INDENT, columns),
    ""
  ]
}

const listed = ({ advice, detail, name, state }: Finding, width: number, columns: number) => {
  const by = width + INDENT + 4
  const isOff = state === "off"
  const text = isOff && advice !== "" ? `${sentence(detail)} ${advice}` : detail
  const [first = "", ...others] = indented(text, by, columns)
  return [
    `  ${mark(state)}  ${name.padEnd(width)}  ${first.slice(by)}`.trimEnd(),
    ...others,
    ...(isOff || advice === "" ? [] : indented(advice, by, columns))
  ]
}

const list = (findings: ReadonlyArray<Finding>, columns: number) =>
  byGroup(findings).flatMap(([group, found]) => {
    const width = Math.max(...found.map(({ name }) => name.length))
    return [styled("bold", group), ...found.flatMap((one) => listed(one, width, columns)), ""]
  })

const inOrder = (findings: ReadonlyArray<Finding>, columns: number) => {
  const found = findings.filter(({ state }) => state === "ok")
  const settings = found.filter(({ group }) => group === SETTINGS).length
  return [
    ...list(
      found.filter(({ group }) => group !== SETTINGS),
      columns
    ),
    ...(settings === 0 ? [] : [`${count(settings, "setting")} in order.`])
  ]
}

/** One sentence: most checks are off on purpose. */
const whatIsOff = (findings: ReadonlyArray<Finding>, columns: number) => {
  const isOff = ({ state }: Finding) => state === "off"
  const unset = findings.filter((one) => one.group === SETTINGS && isOff(one)).length
  const groups = byGroup(findings).flatMap(([group, found]) =>
    group !== SETTINGS && found.some(isOff) ? [group] : []
  )
  const parts = [...groups, ...(unset === 0 ? [] : [count(unset, "unset setting")])]
  return parts.length === 0
    ? []
    : wrapped(`Off or not checked: ${parts.join(", ")}. \`linkbower doctor --all\` says more.`, columns)
}

const summary = (findings: ReadonlyArray<Finding>) =>
  STATES.map((one) => `${findings.filter(({ state }) => state === one).length} ${marks[one]}`).join(", ")

/** Problems come first, failures before warnings. With `all`, every finding follows. */
export const renderFindings = (
  findings: ReadonlyArray<Finding>,
  { all, columns }: RenderOptions
): ReadonlyArray<string> => {
  const inState = (state: State) => findings.filter((one) => one.state === state)
  const problems = [...inState("fail"), ...inState("warn")].flatMap((one) => problem(one, columns))
  const rest = all
    ? list(findings, columns)
    : [...inOrder(findings, columns), ...whatIsOff(findings, columns), ""]
  return [...problems, ...rest, summary(findings)]
}
