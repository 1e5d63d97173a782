import type { BrowserContext } from "playwright-core"

/** Problems in a page, which fail the test. */
export interface Problems {
  readonly all: ReadonlyArray<string>
  /** Accepts problems of this pattern, and requires at least one. */
  readonly expect: (pattern: RegExp) => void
}

/** Runs in the page: logs violations of its policy as errors. */
const logViolations = () =>
  document.addEventListener("securitypolicyviolation", (event) => {
    const { blockedURI, effectiveDirective, lineNumber, sample, sourceFile } = event
    console.error(
      `Content-Security-Policy: ${effectiveDirective} forbids ${blockedURI} ${sample} (${sourceFile}:${lineNumber})`
    )
  })

const isForeign = (url: string, origin: string) =>
  !/^(data|blob|about):/.test(url) && new URL(url).origin !== origin

/**
 * Watches every page of a context: errors on the console, uncaught errors, violations of the Content-Security-Policy,
 * requests to another origin, crashes. `verdict` returns the unexpected problems and the expected ones that are missing.
 */
export const watchProblems = async (context: BrowserContext, origin: string) => {
  const all: Array<string> = []
  const expected: Array<RegExp> = []
  await context.addInitScript(logViolations)
  context.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "assert") return
    const { lineNumber, url } = message.location()
    all.push(`console: ${message.text()} (${url}:${lineNumber + 1})`)
  })
  context.on("weberror", (event) => all.push(`uncaught: ${event.error().stack ?? event.error().message}`))
  context.on("request", (request) => {
    if (isForeign(request.url(), origin)) all.push(`request to another origin: ${request.url()}`)
  })
  context.on("page", (page) => {
    page.on("crash", () => all.push(`crash of ${page.url()}`))
    page.on("websocket", (socket) => all.push(`web socket: ${socket.url()}`))
  })
  const problems: Problems = { all, expect: (pattern) => expected.push(pattern) }
  const verdict = (): ReadonlyArray<string> => [
    ...all.filter((problem) => !expected.some((pattern) => pattern.test(problem))),
    ...expected
      .filter((pattern) => !all.some((problem) => pattern.test(problem)))
      .map((pattern) => `expected and not met: ${pattern}`)
  ]
  return { problems, verdict }
}
