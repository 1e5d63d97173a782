import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { findShell, INSTALL } from "./chromium.ts"
import { type Problems, watchProblems } from "./problems.ts"

/** How long a browser test may take, in milliseconds; a test that Bun cuts off would take the browser with it. */
export const TEST_TIMEOUT = 60_000
/** How long a visit may take: less, so that it ends before its test is cut off. */
const VISIT_TIMEOUT = 50_000
/** How long one action in a page may take. */
const ACTION_TIMEOUT = 10_000

/** A screen and how it is touched. */
export type Device = Pick<BrowserContextOptions, "deviceScaleFactor" | "hasTouch" | "isMobile" | "viewport">

export const desktop: Device = { viewport: { width: 1440, height: 900 } }
export const phone: Device = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true
}

/** How a page is looked at. */
export interface View {
  /** The service's address, without a slash at the end; nothing else may be asked. */
  readonly base: string
  /** A desktop unless named. */
  readonly device?: Device
  /** What the access gateway's cookie holds; without it nobody is signed in. */
  readonly token?: string
  readonly colorScheme?: "light" | "dark"
  readonly reducedMotion?: boolean
  readonly forcedColors?: boolean
  /** False where the page is seen with scripts off. */
  readonly scripts?: boolean
  /** True where the service worker is what is looked at: elsewhere it would ask beside the page, past `page.route`. */
  readonly serviceWorker?: boolean
  /** Such as `clipboard-read`. */
  readonly permissions?: ReadonlyArray<string>
}

const flags = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Nothing but this machine can be reached, whatever a page asks for.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
]

const launch = async (): Promise<Browser> => {
  const executablePath = findShell()
  if (executablePath === undefined) throw new Error(`There is no Chromium for this test. ${INSTALL}`)
  return chromium.launch({ executablePath, args: flags })
}

let running: Promise<Browser> | undefined

/** The one browser of this test process, which ends with it; another where it has ended before. */
export const browser = async (): Promise<Browser> => {
  if (running === undefined || !(await running).isConnected()) running = launch()
  return running
}

const optionsOf = (view: View): BrowserContextOptions => ({
  ...(view.device ?? desktop),
  baseURL: view.base,
  colorScheme: view.colorScheme ?? "light",
  reducedMotion: view.reducedMotion === true ? "reduce" : "no-preference",
  forcedColors: view.forcedColors === true ? "active" : "none",
  javaScriptEnabled: view.scripts ?? true,
  serviceWorkers: view.serviceWorker === true ? "allow" : "block",
  permissions: [...(view.permissions ?? [])],
  locale: "en-GB",
  timezoneId: "UTC"
})

const cookie = (view: View) =>
  view.token === undefined
    ? []
    : [
        {
          name: "CF_Authorization",
          value: view.token,
          url: view.base,
          httpOnly: true,
          sameSite: "Lax" as const
        }
      ]

const inTime = <A>(work: Promise<A>): Promise<A> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`the visit took more than ${VISIT_TIMEOUT / 1000} seconds`)),
    VISIT_TIMEOUT
  )
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

/**
 * Opens a page of its own (no cookie, cache or storage of another visit), does `body` with it, and closes it.
 *
 * Fails with `body`, and where something went wrong in the page that `body` did not expect: see `watchProblems`.
 */
export const visit = async <A>(
  view: View,
  body: (page: Page, problems: Problems) => Promise<A>
): Promise<A> => {
  const context = await (await browser()).newContext(optionsOf(view))
  try {
    context.setDefaultTimeout(ACTION_TIMEOUT)
    await context.addCookies(cookie(view))
    const { problems, verdict } = await watchProblems(context, new URL(view.base).origin)
    const page = await context.newPage()
    const work = inTime(body(page, problems))
    // What the page said last arrives before the answer to this.
    await work.catch(() => undefined).then(() => page.evaluate(() => 0).catch(() => undefined))
    const wrong = verdict().join("\n")
    const result = await work.catch((error: unknown) => {
      if (wrong !== "") console.error(`The page had problems too:\n${wrong}`)
      throw error
    })
    if (wrong !== "") throw new Error(`The page had problems:\n${wrong}`)
    return result
  } finally {
    await context.close()
  }
}
