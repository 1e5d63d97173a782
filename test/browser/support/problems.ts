import type { BrowserContext, ConsoleMessage, Page, Request, WebError, WebSocket } from "playwright-core"

/** Problems in a page, which fail the test. */
export interface Problems {
  readonly all: ReadonlyArray<string>
  /** Accepts problems of this pattern, and requires at least one. */
  readonly expect: (pattern: RegExp) => void
}

/** Runs in the page: logs violations of its policy as errors. */
export const logViolations = () =>
  document.addEventListener("securitypolicyviolation", (event) => {
    const { blockedURI, effectiveDirective, lineNumber, sample, sourceFile } = event
    console.error(
      `Content-Security-Policy: ${effectiveDirective} forbids ${blockedURI} ${sample} (${sourceFile}:${lineNumber})`
    )
  })

const isForeign = (url: string, origin: string) =>
  !/^(data|blob|about):/.test(url) && new URL(url).origin !== origin

/** Whether a site has no picture at the address that its page names, where the app shows a letter or a cover of its own. */
const isMissingPicture = (text: string, url: string) =>
  /status of 404/.test(text) && /\/(links\/\d+\/(favicon|image)|favicon\.ico)$/.test(url)

/**
 * Watches every page of a context until `stop`: errors on the console, uncaught errors, violations of the
 * Content-Security-Policy (for which the context must run `logViolations`), requests to another origin, crashes. `verdict`
 * returns the unexpected problems and the expected ones that are missing.
 */
export const watchProblems = (context: BrowserContext, origin: string) => {
  const all: Array<string> = []
  const expected: Array<RegExp> = []
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() !== "error" && message.type() !== "assert") return
    const { lineNumber, url } = message.location()
    if (isMissingPicture(message.text(), url)) return
    all.push(`console: ${message.text()} (${url}:${lineNumber + 1})`)
  }
  const onError = (event: WebError) =>
    void all.push(`uncaught: ${event.error().stack ?? event.error().message}`)
  const onRequest = (request: Request) => {
    if (isForeign(request.url(), origin)) all.push(`request to another origin: ${request.url()}`)
  }
  const onCrash = (page: Page) => void all.push(`crash of ${page.url()}`)
  const onSocket = (socket: WebSocket) => void all.push(`web socket: ${socket.url()}`)
  const watched: Array<Page> = []
  const watch = (page: Page) => {
    watched.push(page)
    page.on("crash", onCrash)
    page.on("websocket", onSocket)
  }
  context.on("console", onConsole)
  context.on("weberror", onError)
  context.on("request", onRequest)
  context.on("page", watch)
  context.pages().forEach(watch)
  const stop = () => {
    context.off("console", onConsole)
    context.off("weberror", onError)
    context.off("request", onRequest)
    context.off("page", watch)
    for (const page of watched) {
      page.off("crash", onCrash)
      page.off("websocket", onSocket)
    }
  }
  const problems: Problems = { all, expect: (pattern) => expected.push(pattern) }
  const verdict = (): ReadonlyArray<string> => [
    ...all.filter((problem) => !expected.some((pattern) => pattern.test(problem))),
    ...expected
      .filter((pattern) => !all.some((problem) => pattern.test(problem)))
      .map((pattern) => `expected and not met: ${pattern}`)
  ]
  return { problems, verdict, stop }
}
