import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { findShell, INSTALL } from "./chromium.ts"
import { type Problems, watchProblems } from "./problems.ts"

/** Timeout of a browser test, in milliseconds. A test that Bun stops would stop the browser too. */
export const TEST_TIMEOUT = 60_000
/** Timeout of a visit: shorter, so that it ends before its test. */
const VISIT_TIMEOUT = 50_000
/** Timeout of an action in a page. */
const ACTION_TIMEOUT = 10_000

/** A screen and its input. */
export type Device = Pick<BrowserContextOptions, "deviceScaleFactor" | "hasTouch" | "isMobile" | "viewport">

export const desktop: Device = { viewport: { width: 1440, height: 900 } }
export const phone: Device = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true
}

/** How a page is visited. */
export interface View {
  /** The service's address without a slash at the end; requests to other origins are problems. */
  readonly base: string
  /** By default a desktop. */
  readonly device?: Device
  /** The access gateway's cookie; without it nobody is signed in. */
  readonly token?: string
  readonly colorScheme?: "light" | "dark"
  readonly reducedMotion?: boolean
  readonly forcedColors?: boolean
  /** False to disable scripts. */
  readonly scripts?: boolean
  /** True to allow the service worker, whose requests bypass `page.route`. */
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
  // Pages can reach this machine only.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
]

const launch = async (): Promise<Browser> => {
  const executablePath = findShell()
  if (executablePath === undefined) throw new Error(`There is no Chromium for this test. ${INSTALL}`)
  return chromium.launch({ executablePath, args: flags })
}

let running: Promise<Browser> | undefined

/** The browser of this test process, started at the first use and again if it has ended. */
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
 * Opens a page without cookies, cache or storage of other visits, runs `body` with it and closes it.
 *
 * Fails if `body` fails, and on unexpected problems in the page: see `watchProblems`.
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
    // The page's last messages arrive before the response to this.
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
