import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { AxeResults, RunOptions } from "axe-core"
import type { Page } from "playwright-core"
import { sessionOf } from "./browser.ts"
import { settle } from "./settle.ts"

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Without scripts a page has no timers, so axe's deferred work runs as microtasks. */
const WITHOUT_TIMERS = `if (matchMedia("(scripting: none)").matches)
  globalThis.setTimeout = (work) => { queueMicrotask(work); return 0 }`

/** The maximum number of places reported per rule. */
const MAX_PLACES = 8

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** What a check covers. */
export interface Scope {
  /** A selector of the part to check; by default the whole page. */
  readonly within?: string
  /** Whether to check colours only. */
  readonly colours?: boolean
}

/** The rules that depend on the colour scheme. */
const COLOURS = ["color-contrast", "link-in-text-block"]

const optionsOf = ({ colours = false }: Scope): RunOptions => ({
  runOnly: colours ? { type: "rule", values: COLOURS } : { type: "tag", values: TAGS },
  // Part of WCAG 2.2 AA, but disabled by default.
  rules: colours ? {} : { "target-size": { enabled: true } },
  resultTypes: ["violations"]
})

/** Gives what evaluates an expression beside axe, in an isolated world that the page's policy neither blocks nor is loosened for. */
const withAxe = async (page: Page) => {
  const devtools = await sessionOf(page)
  const { frameTree } = await devtools.send("Page.getFrameTree")
  const { executionContextId: contextId } = await devtools.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
    worldName: "axe"
  })
  const evaluate = async (expression: string) => {
    const { exceptionDetails, result } = await devtools.send("Runtime.evaluate", {
      expression,
      contextId,
      awaitPromise: true,
      returnByValue: true
    })
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
  if (!(await evaluate('"axe" in globalThis'))) await evaluate(`${WITHOUT_TIMERS}; ${AXE}; 0`)
  return evaluate
}

/** Returns axe's violations in the page: for each rule a text with the places and the advice. */
export const findBarriers = async (page: Page, scope: Scope = {}) => {
  await settle(page)
  const evaluate = await withAxe(page)
  const context = scope.within === undefined ? "document" : JSON.stringify(scope.within)
  const violations: AxeResults["violations"] = await evaluate(
    `axe.run(${context}, ${JSON.stringify(optionsOf(scope))}).then(({ violations }) => violations)`
  )
  return violations.map(({ help, helpUrl, id, nodes }) =>
    [
      `${id}: ${help} (${helpUrl})`,
      ...nodes.slice(0, MAX_PLACES).map(({ failureSummary, html, target }) => {
        const advice = failureSummary?.replaceAll(/\s*\n\s*/g, " ") ?? ""
        return `  ${target.join(" ")}  ${html.slice(0, 160)}\n    ${advice}`
      }),
      ...(nodes.length > MAX_PLACES ? [`  and ${nodes.length - MAX_PLACES} more places`] : [])
    ].join("\n")
  )
}

/** Fails if axe finds a barrier in the page. */
export const assertAccessible = async (page: Page, scope: Scope = {}): Promise<void> => {
  const barriers = await findBarriers(page, scope)
  if (barriers.length > 0) throw new Error(`The page has barriers:\n${barriers.join("\n")}`)
}
