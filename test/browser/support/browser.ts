import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Disposable,
  type Page
} from "playwright-core"
import { isLong, PATIENCE } from "../../support/tier.ts"
import { findPageBrowser, INSTALL } from "./chromium.ts"
import { logViolations, type Problems, watchProblems } from "./problems.ts"

/*
 * The time limits are guards against hanging, wide enough for a machine that does other work beside the tests. A test
 * waits for a condition, never for a time.
 */

/** Timeout of a browser test, in milliseconds. A test that Bun stops would stop the browser too. */
export const TEST_TIMEOUT = 300_000 * PATIENCE
/** Timeout of a visit: shorter, so that it ends before its test. */
const VISIT_TIMEOUT = 280_000 * PATIENCE
/** Timeout of an action in a page. */
const ACTION_TIMEOUT = 60_000 * PATIENCE

/** A screen and its input. */
export type Device = Pick<BrowserContextOptions, "deviceScaleFactor" | "hasTouch" | "isMobile" | "viewport">

export const desktop = { viewport: { width: 1440, height: 900 } } as const satisfies Device
export const tablet: Device = { viewport: { width: 820, height: 1_180 }, hasTouch: true, isMobile: true }
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
  /** Whether the page is asked to do without motion: by default every day, because frames cost processor time. */
  readonly reducedMotion?: boolean
  readonly forcedColors?: boolean
  /** False to disable scripts. */
  readonly scripts?: boolean
  /** True to allow the service worker, whose requests bypass `page.route`. */
  readonly serviceWorker?: boolean
  /** True for a browser that has loaded nothing before: without the files that an earlier visit left in its cache. */
  readonly isFirst?: boolean
  /** True for a visit of several tests, each of which has a time limit of its own. */
  readonly isUnlimited?: boolean
}

const flags = [
  // Compiling again what runs often pays in pages that live longer.
  ...(isLong ? [] : ["--js-flags=--no-opt,--no-maglev"]),
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-gpu",
  // A process less a browser, for pages that are drawn without a graphics processor anyway.
  ...(isLong ? [] : ["--in-process-gpu"]),
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Pages can reach this machine only.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
]

const launch = async (): Promise<Browser> => {
  const executablePath = findPageBrowser()
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
  reducedMotion: (view.reducedMotion ?? !isLong) ? "reduce" : "no-preference",
  forcedColors: view.forcedColors === true ? "active" : "none",
  javaScriptEnabled: view.scripts ?? true,
  serviceWorkers: view.serviceWorker === true ? "allow" : "block",
  // Pages may not ask for the clipboard's content, but tests read what was copied.
  permissions: ["clipboard-read", "clipboard-write"],
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

/** A page that visits share, one after the other, because a visit in a new context costs a third more processor time. */
interface Tab {
  /** The service whose addresses it completes. */
  readonly base: string
  readonly context: BrowserContext
  readonly page: Page
  /** What the visit has added and the next one must not find. */
  readonly added: Array<Disposable>
  /** Whether the visit has changed what no reset takes back. */
  isAltered: boolean
}

/** Methods of a context whose effects last. */
const LASTING = [
  "addInitScript",
  "exposeBinding",
  "exposeFunction",
  "grantPermissions",
  "newCDPSession",
  "newPage",
  "route",
  "setExtraHTTPHeaders",
  "setGeolocation",
  "setOffline"
] as const

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** The page's session with the browser's developer tools, which every visit shares: for what leaves no trace in the page. */
export const sessionOf = (page: Page): Promise<CDPSession> => {
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  return session
}

const openTab = async (view: View): Promise<Tab> => {
  const context = await (await browser()).newContext(optionsOf(view))
  context.setDefaultTimeout(ACTION_TIMEOUT)
  await context.addInitScript(logViolations)
  const page = await context.newPage()
  await sessionOf(page)
  const tab: Tab = { base: view.base, context, page, added: [], isAltered: false }
  for (const name of LASTING) {
    const original: (...given: ReadonlyArray<never>) => unknown = context[name]
    const altering = (...given: ReadonlyArray<never>) => {
      tab.isAltered = true
      return Reflect.apply(original, context, given)
    }
    Object.assign(context, { [name]: altering })
  }
  const addInitScript = page.addInitScript.bind(page)
  page.addInitScript = async (...given) => {
    const added = await addInitScript(...given)
    tab.added.push(added)
    return added
  }
  return tab
}

/** Tabs that wait for the next visit, by their device: by what it is, because a test may describe one anew. */
const idle = new Map<string, Tab>()
const keyOf = ({ device = desktop }: View) => JSON.stringify(device)

/** What a page may listen to for a test. */
const EVENTS = [
  "console",
  "dialog",
  "download",
  "filechooser",
  "popup",
  "request",
  "response",
  "requestfailed"
]

/** Whether views of this kind may share a tab: those that need nothing that is chosen when a context is opened. */
const isShared = ({ isFirst = false, scripts = true, serviceWorker = false }: View) =>
  !isFirst && scripts && !serviceWorker

/** The path of an empty document, which no service sees: there a tab waits, in the process that it has. */
const NOTHING = "/nothing-here"

/** Ends a tab's document and takes everything back that the visit may have left in the browser. */
const reset = async ({ added, context, page }: Tab, { base }: View) => {
  for (const one of added.splice(0)) await one.dispose()
  for (const event of EVENTS) page.removeAllListeners(event)
  await page.unrouteAll({ behavior: "ignoreErrors" })
  await page.route(base + NOTHING, (route) => route.fulfill({ contentType: "text/html", body: "" }))
  await page.goto(base + NOTHING)
  await page.unrouteAll({ behavior: "ignoreErrors" })
  await page.evaluate(() => sessionStorage.clear())
  await context.clearCookies()
}

/** Gives a tab that another visit has left what the view asks for, and removes what the address has stored. */
const prepare = async ({ context, page }: Tab, view: View) => {
  const options = optionsOf(view)
  const { origin } = new URL(view.base)
  const devtools = await sessionOf(page)
  await devtools.send("Storage.clearDataForOrigin", {
    origin,
    storageTypes: "local_storage,indexeddb,cache_storage"
  })
  await context.clearCookies()
  await page.emulateMedia({
    media: null,
    contrast: null,
    colorScheme: options.colorScheme ?? null,
    reducedMotion: options.reducedMotion ?? null,
    forcedColors: options.forcedColors ?? null
  })
  if (options.viewport) await page.setViewportSize(options.viewport)
  await page.mouse.move(0, 0)
}

/** A tab for the view: one that an earlier visit has left, or a new one. */
const takeTab = async (view: View): Promise<Tab> => {
  const key = keyOf(view)
  const left = isShared(view) ? idle.get(key) : undefined
  if (left !== undefined) {
    idle.delete(key)
    const isReady =
      left.base === view.base &&
      (await prepare(left, view).then(
        () => true,
        () => false
      ))
    if (isReady) return left
    await left.context.close().catch(() => undefined)
  }
  return openTab(view)
}

/** Keeps a tab for the next visit, or closes it. */
const leaveTab = async (tab: Tab, view: View) => {
  const key = keyOf(view)
  const isKept =
    isShared(view) &&
    !tab.isAltered &&
    !idle.has(key) &&
    (await reset(tab, view).then(
      () => true,
      () => false
    ))
  if (isKept) idle.set(key, tab)
  else await tab.context.close()
}

/** Ends a visit that has seen enough; whoever starts the visit catches it. */
export class Ended extends Error {}

/**
 * Opens a page without cookies or storage of other visits, runs `body` with it and leaves it. It may have the cache of
 * other visits (`isFirst`).
 *
 * Fails if `body` fails, and on unexpected problems in the page: see `watchProblems`.
 */
export const visit = async <A>(
  view: View,
  body: (page: Page, problems: Problems) => Promise<A>
): Promise<A> => {
  const tab = await takeTab(view)
  const { context, page } = tab
  const watch = watchProblems(context, new URL(view.base).origin)
  try {
    await context.addCookies(cookie(view))
    const visiting = body(page, watch.problems)
    const work = view.isUnlimited === true ? visiting : inTime(visiting)
    // The page's last messages arrive before the response to this.
    await work.catch(() => undefined).then(() => page.evaluate(() => 0).catch(() => undefined))
    const wrong = watch.verdict().join("\n")
    const result = await work.catch((cause: unknown) => {
      throw wrong === "" ? cause : new Error(`The page had problems too:\n${wrong}`, { cause })
    })
    if (wrong !== "") throw new Error(`The page had problems:\n${wrong}`)
    return result
  } catch (error) {
    if (!(error instanceof Ended)) tab.isAltered = true
    throw error
  } finally {
    watch.stop()
    await leaveTab(tab, view)
  }
}
