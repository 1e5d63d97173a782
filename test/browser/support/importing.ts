import type { Page } from "playwright-core"
import { netscapeOf } from "./bookmarkFile.ts"
import { type View, visit } from "./browser.ts"
import type { StartedLibrary } from "./library.ts"
import { makeOwner } from "./owner.ts"
import type { Problems } from "./problems.ts"

/** The owner before a library of one link, which files are imported into. */
export const importsOf = (started: () => StartedLibrary) => {
  const pageCalled = (title: string) => `${started().world.pages.url}/plain?t=${encodeURIComponent(title)}`
  return {
    pageCalled,
    /** Leaves the one link in the library, and nothing that is still to be read. */
    begin: async () => {
      const owner = makeOwner(started())
      await owner.act({ action: "read", pause: true })
      const ids = (await owner.links()).map(({ id }) => id)
      if (ids.length > 0) await started().client.owner("POST", "/api/mutate", { op: "delete", ids })
      await owner.capture({ url: pageCalled("The first") })
    },
    titles: async () => (await makeOwner(started()).links()).map(({ title }) => title).toSorted(),
    /** A file of a link that is not there yet, one that is none (line 8), and the one that is. */
    three: () =>
      netscapeOf("Woods", [
        { url: pageCalled("A badger"), title: "What I called it", tags: "animals" },
        { url: "javascript:alert(1)", title: "A button" },
        { url: pageCalled("The first"), title: "Known already" }
      ]),
    look: async <A>(body: (page: Page, problems: Problems) => Promise<A>, view: Partial<View> = {}) =>
      visit(await started().owner(view), async (page, problems) => {
        await page.goto("/dashboard")
        await page.locator('.live[data-on="true"]').waitFor()
        return await body(page, problems)
      })
  }
}

/** The dialog, and what is in it. */
export const importDialog = (page: Page) => page.getByRole("dialog", { name: "Import a file" })
export const fileField = (page: Page) => importDialog(page).getByLabel("File", { exact: true })
export const importButton = (page: Page, name: string) =>
  importDialog(page).getByRole("button", { name, exact: true })
export const importSays = (page: Page, text: string | RegExp) =>
  importDialog(page).getByText(text).first().waitFor()

/** The name of the file that is chosen. */
export const chosenFile = (page: Page) =>
  fileField(page).evaluate((input) =>
    input instanceof HTMLInputElement ? input.files?.[0]?.name : undefined
  )

/** What stands in front of the page while a file or a link is held over it. */
export const dropTarget = (page: Page) => page.locator(".drop-target")
export const jobsMenu = (page: Page) => page.getByRole("dialog", { name: "Jobs" })

/** Has the palette do what is typed. */
export const command = async (page: Page, typed: string): Promise<void> => {
  await page.keyboard.press("Control+k")
  await page.getByRole("dialog", { name: "Commands" }).waitFor()
  await page.keyboard.type(typed)
  await page.keyboard.press("Enter")
}

export const openImport = async (page: Page): Promise<void> => {
  await command(page, "import a file")
  await importDialog(page).waitFor()
}

/** Chooses a file and has it imported. */
export const importFile = async (page: Page, path: string): Promise<void> => {
  await fileField(page).setInputFiles(path)
  await importButton(page, "Import").click()
}

/** Sends a file as another tab would, to be imported without its pages. */
export const sendFile = async (
  { client, world }: StartedLibrary,
  name: string,
  content: string
): Promise<Response> =>
  client.send("POST", `/dashboard/api/import?pages=later&name=${name}`, content, {
    "content-type": "application/octet-stream",
    "cf-access-jwt-assertion": await world.gateway.token(),
    "sec-fetch-site": "same-origin"
  })

/** Lets 100 kB a second out of the page, until what it gives is called. */
export const slowDown = async (page: Page): Promise<() => Promise<unknown>> => {
  const devtools = await page.context().newCDPSession(page)
  const limit = (uploadThroughput: number) =>
    devtools.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput
    })
  await limit(100_000)
  return () => limit(-1)
}
