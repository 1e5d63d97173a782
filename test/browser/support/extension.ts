import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromium, type Page, type Worker } from "playwright-core"
import { extensionFiles, type Files, writeExtension } from "../../../web/extension/build.ts"
import type { Settings } from "../../../web/extension/settings.ts"
import { until } from "../../support/service.ts"
import { isLong, PATIENCE } from "../../support/tier.ts"
import { findChromium, INSTALL } from "./chromium.ts"
import { logViolations, watchProblems } from "./problems.ts"

const flags = (folder: string) => [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--headless=new",
  `--load-extension=${folder}`,
  `--disable-extensions-except=${folder}`,
  "--disable-features=DisableLoadExtensionCommandLineSwitch",
  "--enable-unsafe-extension-debugging",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
]

/** The extension with the permissions that a user would grant, because no test can press the browser's button. */
const allowed = (files: Files, hosts: string): Files => {
  const manifest = JSON.parse(new TextDecoder().decode(files["manifest.json"]))
  manifest.host_permissions = [hosts]
  manifest.permissions.push("tabs", "bookmarks")
  delete manifest.optional_permissions
  return { ...files, "manifest.json": new TextEncoder().encode(JSON.stringify(manifest)) }
}

/** Runs in the popup before its script, so that a popup opened as a tab acts as if it were above this tab. */
const standAbove = (tab: number) => {
  const { query } = chrome.tabs
  Object.assign(chrome.tabs, { query: async () => (await query({})).filter(({ id }) => id === tab) })
}

/**
 * Starts a Chromium with the extension: as shipped, or with permission for this machine or every host. `more` replaces
 * files of the package.
 */
export const startExtension = async (
  permissions: "shipped" | "allowed" | "everywhere" = "allowed",
  more: Files = {}
) => {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(`There is no Chromium for this test. ${INSTALL}`)
  const folder = mkdtempSync(join(tmpdir(), "linkbower-extension-"))
  const files = { ...(await extensionFiles("chrome")), ...more }
  writeExtension(
    folder,
    permissions === "shipped"
      ? files
      : allowed(files, permissions === "everywhere" ? "<all_urls>" : "http://127.0.0.1/*")
  )
  const context = await chromium.launchPersistentContext("", {
    executablePath,
    headless: true,
    ignoreDefaultArgs: ["--disable-extensions"],
    args: flags(folder),
    reducedMotion: isLong ? "no-preference" : "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
    viewport: { width: 900, height: 700 }
  })
  context.setDefaultTimeout(60_000 * PATIENCE)
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"))
  const address = new URL("/", worker.url()).href.replace(/\/$/, "")
  // A new extension shows its options, in the first tab or in one of its own.
  await until(() => context.pages().some((page) => page.url() === `${address}/options.html`))
  await context.addInitScript(logViolations)
  const { problems, verdict } = watchProblems(context, new URL(address).origin)

  const set = (settings: Partial<Settings>) =>
    worker.evaluate(async (more) => {
      const { settings } = await chrome.storage.local.get("settings")
      await chrome.storage.local.set({ settings: Object.assign({}, settings, more) })
    }, settings)
  return {
    context,
    worker,
    address,
    problems,
    verdict,
    set,
    /** The button's badge and tooltip. */
    badge: () => worker.evaluate(() => chrome.action.getBadgeText({})),
    title: () => worker.evaluate(() => chrome.action.getTitle({})),
    /** The captures in the outbox. */
    waiting: () =>
      worker.evaluate(async () =>
        Object.entries(await chrome.storage.local.get(null)).flatMap(([key, value]) =>
          key.startsWith("outbox.") ? [value] : []
        )
      ),
    clear: () =>
      worker.evaluate(async () => {
        for (const key of Object.keys(await chrome.storage.local.get(null)))
          await chrome.storage.local.remove(key)
      }),
    /** Opens a tab at the address. */
    visit: async (url: string): Promise<Page> => {
      const page = await context.newPage()
      await page.goto(url)
      return page
    },
    /** Opens the popup above a tab. */
    popup: async (above: Page): Promise<Page> => {
      const tab = await tabOf(worker, above)
      const popup = await context.newPage()
      await popup.setViewportSize({ width: 384, height: 480 })
      await popup.addInitScript(standAbove, tab.id ?? -1)
      await popup.goto(`${address}/popup.html`)
      await popup.locator("#form, #refusal, #connect, #handover").filter({ visible: true }).first().waitFor()
      return popup
    },
    options: async (): Promise<Page> => {
      const page = await context.newPage()
      await page.goto(`${address}/options.html`)
      await page.locator("body:not([hidden])").waitFor()
      return page
    },
    stop: async () => {
      await context.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
export type StartedExtension = Awaited<ReturnType<typeof startExtension>>

/** The tab that shows a page. */
export const tabOf = async (worker: Worker, page: Page): Promise<chrome.tabs.Tab> => {
  const tabs = await worker.evaluate(
    (url) => chrome.tabs.query({}).then((all) => all.filter((tab) => tab.url === url)),
    page.url()
  )
  const [tab] = tabs
  if (tab === undefined) throw new Error(`no tab shows ${page.url()}`)
  return tab
}

/** Opens the real popup above a page, as the extension's button does; returns a function that runs a script in it. */
export const pressButton = async ({ address, context }: StartedExtension, above: Page) => {
  const devtools = await context.browser()?.newBrowserCDPSession()
  if (devtools === undefined) throw new Error("the browser has no connection")
  const find = async (type: string, url: string) => {
    const { targetInfos } = await devtools.send("Target.getTargets", { filter: [{ type }] })
    return targetInfos.find((target) => target.url === url)?.targetId
  }
  // Playwright's types do not include this command.
  await Reflect.apply(devtools.send, devtools, [
    "Extensions.triggerAction",
    { id: new URL(address).host, targetId: await find("tab", above.url()) }
  ])
  const targetId = await until(() => find("page", `${address}/popup.html`))
  const { sessionId } = await devtools.send("Target.attachToTarget", { targetId, flatten: false })
  let id = 0
  /** Runs in the popup, which Playwright does not list as a page; returns a text. */
  return async (expression: string): Promise<string> => {
    const mine = ++id
    const { promise, resolve } = Promise.withResolvers<string>()
    devtools.on("Target.receivedMessageFromTarget", ({ message }) => {
      const answer = JSON.parse(message)
      if (answer.id === mine) resolve(String(answer.result?.result?.value))
    })
    const message = { id: mine, method: "Runtime.evaluate", params: { expression } }
    await devtools.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify(message) })
    return promise
  }
}
