import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { AxeResults, RunOptions } from "axe-core"
import type { Page } from "playwright-core"
import { settle } from "./settle.ts"

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Where the page's scripts are off no timer runs, but what axe puts off still has its turn. */
const WITHOUT_TIMERS = `if (matchMedia("(scripting: none)").matches)
  globalThis.setTimeout = (work) => { queueMicrotask(work); return 0 }`

/** How many places of one rule are named. */
const NAMED = 8

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** What a check leaves out. */
export interface Scope {
  /** A selector of the part to look at; the whole page unless named. */
  readonly within?: string
  /** Rules that do not apply, by axe's names. */
  readonly except?: ReadonlyArray<string>
  /** Whether to look at colours alone, where all else has been looked at. */
  readonly colours?: boolean
}

/** The rules that another colour scheme can break. */
const COLOURS = ["color-contrast", "link-in-text-block"]

const optionsOf = ({ colours = false, except = [] }: Scope): RunOptions => ({
  runOnly: colours ? { type: "rule", values: COLOURS } : { type: "tag", values: TAGS },
  // Off unless asked for, though it belongs to WCAG 2.2 AA.
  rules: {
    ...(colours ? {} : { "target-size": { enabled: true } }),
    ...Object.fromEntries(except.map((id) => [id, { enabled: false }]))
  },
  resultTypes: ["violations"]
})

/**
 * What axe finds wrong in the page, a text for each rule with the places and the advice.
 *
 * It runs in a world of its own, so that the page's policy neither hinders it nor is loosened for it.
 */
export const findBarriers = async (page: Page, scope: Scope = {}) => {
  const { within } = scope
  await settle(page)
  const devtools = await page.context().newCDPSession(page)
  try {
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
    await evaluate(`${WITHOUT_TIMERS}; ${AXE}; 0`)
    const context = within === undefined ? "document" : JSON.stringify(within)
    const violations: AxeResults["violations"] = await evaluate(
      `axe.run(${context}, ${JSON.stringify(optionsOf(scope))}).then(({ violations }) => violations)`
    )
    return violations.map(({ help, helpUrl, id, nodes }) =>
      [
        `${id}: ${help} (${helpUrl})`,
        ...nodes.slice(0, NAMED).map(({ failureSummary, html, target }) => {
          const advice = failureSummary?.replaceAll(/\s*\n\s*/g, " ") ?? ""
          return `  ${target.join(" ")}  ${html.slice(0, 160)}\n    ${advice}`
        }),
        ...(nodes.length > NAMED ? [`  and ${nodes.length - NAMED} more places`] : [])
      ].join("\n")
    )
  } finally {
    await devtools.detach()
  }
}

/** Fails where axe finds a barrier in what the page shows. */
export const assertAccessible = async (page: Page, scope: Scope = {}): Promise<void> => {
  const barriers = await findBarriers(page, scope)
  if (barriers.length > 0) throw new Error(`The page has barriers:\n${barriers.join("\n")}`)
}
