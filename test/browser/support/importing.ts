import type { Page } from "playwright-core"
import { netscapeOf } from "./bookmarkFile.ts"
import { journeyOf } from "./journey.ts"
import type { StartedLibrary } from "./library.ts"

/** The owner of a library with one link, into which files are imported. */
export const importsOf = (library: () => StartedLibrary) => {
  const owner = journeyOf(library, '.live[data-on="true"]')
  const { act, capture, empty, links, pageCalled } = owner
  return {
    ...owner,
    /** Reduces the library to the one link, with no page left to read. */
    begin: async () => {
      await act({ action: "read", pause: true })
      await empty()
      await capture({ url: pageCalled("The first") })
    },
    titles: async () => (await links()).map(({ title }) => title).toSorted(),
    /** A file with a new link, an invalid one (line 8) and the one that is in the library. */
    three: () =>
      netscapeOf("Woods", [
        { url: pageCalled("A badger"), title: "What I called it", tags: "animals" },
        { url: "javascript:alert(1)", title: "A button" },
        { url: pageCalled("The first"), title: "Known already" }
      ])
  }
}

/** The import dialog and its parts. */
export const importDialog = (page: Page) => page.getByRole("dialog", { name: "Import a file" })
export const fileField = (page: Page) => importDialog(page).getByLabel("File", { exact: true })
export const importButton = (page: Page, name: string) =>
  importDialog(page).getByRole("button", { name, exact: true })
export const importSays = (page: Page, text: string | RegExp) =>
  importDialog(page).getByText(text).first().waitFor()

/** The name of the chosen file. */
export const chosenFile = (page: Page) =>
  fileField(page).evaluate((input) =>
    input instanceof HTMLInputElement ? input.files?.[0]?.name : undefined
  )

/** The overlay while a file or a link is dragged over the page. */
export const dropTarget = (page: Page) => page.locator(".drop-target")
export const jobsMenu = (page: Page) => page.getByRole("dialog", { name: "Jobs" })

/** Runs the palette's best match for a text. */
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

/** Chooses a file and imports it. */
export const importFile = async (page: Page, path: string): Promise<void> => {
  await fileField(page).setInputFiles(path)
  await importButton(page, "Import").click()
}

/** Uploads a file as another tab would, to import it without its pages. */
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

/** Limits the page's uploads to 100 kB a second; returns what lifts the limit. */
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
