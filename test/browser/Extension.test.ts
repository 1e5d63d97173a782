import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import { CONFIGURATION, configurationOf, handoverLink } from "../../src/shared/Handover.ts"
import { EXTENSION_TOKEN, makeClient, makeWorld, startService, until } from "../support/service.ts"
import { isLong, long } from "../support/tier.ts"
import { assertAccessible } from "./support/axe.ts"
import { TEST_TIMEOUT } from "./support/browser.ts"
import { pressButton, type StartedExtension, startExtension, tabOf } from "./support/extension.ts"
import { recordRequests } from "./support/recorder.ts"
import { shoot as takePicture } from "./support/shoot.ts"

setDefaultTimeout(TEST_TIMEOUT)

/** Leaves a screenshot for a person to look at, if one is wanted. */
const shoot = async (page: Page, name: string): Promise<void> => {
  if (process.env["SCREENSHOTS"] === "1") await takePicture(page, name)
}

/** A port without a server. */
const closedPort = async () => {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  return port
}

/** A page that only its members see, and one that is empty until its scripts run. */
const secrets: Readonly<Record<string, string>> = {
  "/member": "The quarterly figures of the beekeepers",
  "/drawn": "A recipe for pickled lemons"
}
const sentences = (subject: string) => `<p>${`${subject} are told here at length. `.repeat(20)}</p>`.repeat(3)

const answer = (request: Request): Response => {
  const { pathname } = new URL(request.url)
  const secret = secrets[pathname]
  const type = { headers: { "content-type": "text/html" } }
  if (secret === undefined) return html(`A page at ${pathname}`)
  if (pathname === "/drawn")
    return new Response(
      `<!doctype html><title>An application</title><div id="root"></div><script>setTimeout(() => {
      document.getElementById("root").attachShadow({ mode: "open" }).innerHTML = "<main><h1>${secret}</h1>${sentences(secret)}</main>" })</script>`,
      type
    )
  return request.headers.get("cookie")?.includes("member=yes")
    ? new Response(
        `<!doctype html><title>${secret}</title><nav>Menu</nav><article><h1>${secret}</h1>${sentences(secret)}</article>
        <form><input value="typed by the member"><input type="password" value="secret"></form>`,
        type
      )
    : new Response(
        "<!doctype html><title>Sign in</title><h1>Sign in</h1><form><input type=password><button>Sign in</button></form>",
        type
      )
}

const html = (title: string) =>
  new Response(
    `<!doctype html><html lang="en"><head><title>${title}</title>
    <meta name="description" content="What ${title} is about"></head>
    <body><h1>${title}</h1><p id="words">The quick brown fox
    jumps.</p><a href="/linked">elsewhere</a></body></html>`,
    { headers: { "content-type": "text/html" } }
  )

const start = async () => {
  const world = await makeWorld()
  const site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: answer
  })
  const pages = `http://127.0.0.1:${site.port}`
  const service = await startService({ ...world.settings, FETCH_ALLOW: `127.0.0.1:${site.port}` })
  const recorder = recordRequests(service.base)
  const extension = await startExtension()
  // The page is for the signed-in owner alone; the extension reads only its address.
  await extension.context.route(`${recorder.base}/connect`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Connect</title>" })
  )
  return { world, site, pages, service, recorder, extension, client: makeClient(service, world) }
}

let setup: Awaited<ReturnType<typeof start>>
let extension: StartedExtension
beforeAll(async () => {
  setup = await start()
  extension = setup.extension
})
afterAll(async () => {
  await extension.stop()
  await setup.recorder.stop()
  await setup.service.stop()
  setup.service.clean()
  await Promise.all([setup.world.stop(), setup.site.stop(true)])
})
beforeEach(async () => {
  const [first, ...others] = extension.context.pages()
  for (const page of others) await page.close()
  await first?.goto("about:blank")
  await extension.clear()
  await connect()
})

const connect = (token = EXTENSION_TOKEN) =>
  extension.set({ address: setup.recorder.base, token, sendText: "no" })
const saved = (path: string) =>
  until(async () => (await setup.client.links()).find(({ url }) => url === setup.pages + path))
const tokenIn = (page: Page) => page.getByLabel("Token", { exact: true })
const noteIn = (page: Page) => page.getByRole("textbox", { name: "Note" })
/** Opens a page: in the first tab while nothing is shown there, because a new tab takes more processor time. */
const visit = async (path: string): Promise<Page> => {
  const [first] = extension.context.pages()
  if (first?.url() !== "about:blank") return extension.visit(setup.pages + path)
  await first.goto(setup.pages + path)
  return first
}
const says = (page: Page, words: RegExp) =>
  page.locator("[role=status]", { hasText: words }).first().waitFor()
/** What the popup says while a capture can be undone: it is not in the library yet. */
const HELD = /^Saved in this browser\.$/
/** Lets the three seconds pass in which the popup can undo a capture. */
const passHold = (popup: Page) => popup.clock.fastForward("00:03")
/** Looks for barriers in the dark. */
const assertDark = async (page: Page) => {
  await page.emulateMedia({ colorScheme: "dark" })
  await assertAccessible(page)
}
const badgeIs = (text: string) => until(async () => (await extension.badge()) === text)

/** Dispatches the events that the browser would send to the extension. */
const command = async (page: Page) => {
  const tab = await tabOf(extension.worker, page)
  await extension.worker.evaluate(
    (tab) =>
      Reflect.get(chrome.commands.onCommand, "dispatch").call(chrome.commands.onCommand, "save-silent", tab),
    tab
  )
}
const menu = async (page: Page, menuItemId: string, click: Partial<chrome.contextMenus.OnClickData> = {}) => {
  const tab = await tabOf(extension.worker, page)
  await extension.worker.evaluate(
    ([click, tab]) =>
      Reflect.get(chrome.contextMenus.onClicked, "dispatch").call(chrome.contextMenus.onClicked, click, tab),
    [{ menuItemId, ...click }, tab] as const
  )
}

describe("the popup", () => {
  test("saves the page with a note, with the keyboard alone, and a snapshot if that is ticked", async () => {
    const popup = await extension.popup(await visit("/typed"))
    await popup.clock.install()
    expect(await popup.getByRole("heading").textContent()).toBe("A page at /typed")
    expect(await noteIn(popup).evaluate((element) => element === document.activeElement)).toBe(true)
    await popup.keyboard.type("first")
    await popup.keyboard.press("Shift+Enter")
    await popup.keyboard.type("second")
    const snapshot = popup.getByRole("checkbox", { name: "Keep a snapshot of the page as I see it" })
    await snapshot.press("Space")
    expect(await snapshot.isChecked()).toBe(true)
    await noteIn(popup).press("Enter")
    await says(popup, HELD)
    expect((await extension.waiting()).length).toBe(1)
    await passHold(popup)
    await says(popup, /Saved in your library/)
    expect((await saved("/typed")).note).toBe("first\nsecond")
    const sent = setup.recorder.seen.find(({ body }) => body.includes(`"url":"${setup.pages}/typed"`))
    expect(JSON.parse(sent?.body ?? "{}").snapshot.html).toStartWith("<!doctype html><html")
    expect(await extension.waiting()).toEqual([])
    const again = await extension.popup(await visit("/typed#part"))
    await again.getByText("Already saved from this browser").waitFor()
  })

  long(test)("withdraws a capture within three seconds, and sends nothing", async () => {
    const popup = await extension.popup(await visit("/undone"))
    await popup.clock.install()
    const before = setup.recorder.seen.length
    await popup.keyboard.type("not this")
    await popup.keyboard.press("Enter")
    await says(popup, HELD)
    await popup.keyboard.press("Tab")
    await popup.keyboard.press("Enter")
    await says(popup, /Not saved/)
    expect([await noteIn(popup).inputValue(), await extension.waiting()]).toEqual(["not this", []])
    await passHold(popup)
    await Bun.sleep(200)
    expect(setup.recorder.seen.length).toBe(before)
  })

  long(test)("closes on Escape, and then sends at once", async () => {
    const popup = await extension.popup(await visit("/closed"))
    await popup.keyboard.press("Enter")
    await says(popup, HELD)
    const began = performance.now()
    await Promise.all([popup.waitForEvent("close"), popup.keyboard.press("Escape").catch(() => undefined)])
    await until(async () => (await extension.waiting()).length === 0)
    if (isLong) expect(performance.now() - began).toBeLessThan(2_500)
    await saved("/closed")
  })

  long(test)("adds the selected text as a quotation below the note", async () => {
    const page = await visit("/selected")
    await page.locator("#words").selectText()
    const popup = await extension.popup(page)
    await popup.keyboard.type("mine")
    await popup.keyboard.press("Enter")
    await popup.close()
    expect((await saved("/selected")).note).toBe("mine\n\n> The quick brown fox jumps.")
  })

  long(test)("says why a page cannot be saved, and asks for the service's address", async () => {
    await extension.set({ address: setup.pages })
    const own = await extension.popup(await visit("/own"))
    await own.getByText("This is your library itself.").waitFor()
    await extension.set({ address: "", token: "" })
    const lost = await extension.popup(await visit("/lost"))
    await lost.getByRole("button", { name: "Open options" }).waitFor()
    expect(await noteIn(lost).isVisible()).toBe(false)
  })
})

describe("tags and a collection", () => {
  long(test)("are sent with the page, and suggested from this browser's memory alone", async () => {
    const popup = await extension.popup(await visit("/filed"))
    await popup.keyboard.type("why #chosen")
    await popup.keyboard.press("Shift+Tab")
    await popup.keyboard.type("Reading / Rust")
    await popup.keyboard.press("Shift+Tab")
    await popup.keyboard.type("Machine Learning, #rust")
    await popup.keyboard.press("Enter")
    await says(popup, HELD)
    await popup.close()
    const { collection, tags } = await saved("/filed")
    expect(collection?.name).toBe("Reading / Rust")
    expect(tags).toEqual(expect.arrayContaining(["machine-learning", "rust"]))
    const again = await extension.popup(await visit("/filed-again"))
    const offered = (list: string) =>
      again.locator(`#${list} option`).evaluateAll((all) => all.map((option) => option.getAttribute("value")))
    expect(await offered("known-tags")).toEqual(["machine-learning", "rust"])
    expect(await offered("known-collections")).toEqual(["Reading / Rust"])
    await again.getByLabel("Tags").fill("rust, ")
    expect(await offered("known-tags")).toEqual(["rust, machine-learning"])
    await again.getByLabel("Collection").fill("x".repeat(101))
    await again.getByLabel("Collection").press("Enter")
    await says(again, /at most 100 characters/)
    const options = await extension.options()
    await options.getByRole("button", { name: "Forget" }).click()
    await says(options, /Forgotten/)
    const fresh = await extension.popup(await visit("/filed-again"))
    expect(await fresh.locator("option").count()).toBe(0)
  })
})

describe("the page's text", () => {
  const sentWith = (path: string) =>
    until(() => {
      const sent = setup.recorder.seen.find(({ body }) => body.includes(`${setup.pages}${path}"`))
      return sent === undefined ? undefined : { article: undefined, ...JSON.parse(sent.body) }
    })
  const choice = () =>
    extension.worker.evaluate(async () => {
      const { settings } = await chrome.storage.local.get<{ settings: { sendText?: string } }>("settings")
      return settings.sendText
    })

  long(test)("is sent after a question at the first capture, and not before its answer", async () => {
    await extension.set({ sendText: "ask" })
    await command(await visit("/unasked"))
    expect((await sentWith("/unasked")).article).toBeUndefined()
    await until(async () => (await extension.waiting()).length === 0)
    const popup = await extension.popup(await visit("/asked"))
    await popup.clock.install()
    await popup.keyboard.press("Enter")
    await popup.getByText("Send the page’s text too?").waitFor()
    if (isLong) await assertAccessible(popup)
    await shoot(popup, "extension-popup-ask-light")
    // Whoever presses Enter twice has not answered.
    await popup.keyboard.press("Enter")
    expect([await choice(), (await extension.waiting()).length]).toEqual(["ask", 1])
    await popup.keyboard.press("Tab")
    await popup.keyboard.press("Enter")
    await says(popup, /Saved in your library/)
    expect((await sentWith("/asked")).article.html).toContain("The quick brown fox")
    expect(await choice()).toBe("yes")
    const second = await extension.popup(await visit("/asked-once"))
    await second.keyboard.press("Enter")
    await says(second, HELD)
    expect(await second.getByText("Send the page’s text too?").isVisible()).toBe(false)
    await second.close()
    expect((await sentWith("/asked-once")).article.html).toContain("The quick brown fox")
  })

  long(test)("stays here if the answer is no, or none", async () => {
    await extension.set({ sendText: "ask" })
    const unanswered = await extension.popup(await visit("/unanswered"))
    await unanswered.keyboard.press("Enter")
    await unanswered.getByText("Send the page’s text too?").waitFor()
    await unanswered.close()
    expect((await sentWith("/unanswered")).article).toBeUndefined()
    const popup = await extension.popup(await visit("/declined"))
    await popup.keyboard.press("Enter")
    await popup.getByRole("button", { name: "Do not send it" }).click()
    await says(popup, /Saved in your library/)
    expect([(await sentWith("/declined")).article, await choice()]).toEqual([undefined, "no"])
  })

  test("is what a member sees, and what scripts have drawn, without what was typed; links have none", async () => {
    await extension.set({ sendText: "yes" })
    await extension.context.addCookies([{ name: "member", value: "yes", url: setup.pages }])
    for (const [path, secret] of Object.entries(secrets)) {
      const page = await visit(path)
      await page.getByRole("heading", { name: secret }).waitFor()
      await command(page)
      const { article } = await sentWith(path)
      expect(article.html).toContain(`<h1>${secret}</h1>`)
      expect(article.html).not.toMatch(/typed by the member|password|Menu/)
      const words = encodeURIComponent(`"${secret}"`)
      const { title } = await until(async () =>
        (await setup.client.links(`?q=${words}`)).find(({ url }) => url === setup.pages + path)
      )
      expect(title).not.toBe("Sign in")
    }
    await menu(await visit("/from"), "link", { linkUrl: `${setup.pages}/to` })
    expect((await sentWith("/to")).article).toBeUndefined()
    await until(async () => (await extension.waiting()).length === 0)
  })

  long(test)(
    "waits with its capture in the list of the options while the service is away, and goes when the user sends or removes it",
    async () => {
      await extension.set({ sendText: "yes" })
      await setup.recorder.close()
      await command(await visit("/later"))
      await command(await visit("/never"))
      await until(async () => (await extension.waiting()).length === 2)
      const kept = () =>
        extension.worker.evaluate(
          () =>
            new Promise<number>((resolve) => {
              indexedDB.open("articles").onsuccess = ({ target }) => {
                const { result } = target instanceof IDBOpenDBRequest ? target : { result: undefined }
                const count = result?.transaction("articles").objectStore("articles").count()
                if (count !== undefined) count.onsuccess = () => resolve(count.result)
              }
            })
        )
      await until(async () => (await kept()) === 2)
      const options = await extension.options()
      options.on("dialog", (dialog) => dialog.accept())
      await options.getByRole("button", { name: "Remove: A page at /never" }).click()
      await until(async () => (await kept()) === 1)
      setup.recorder.reopen()
      await options.getByRole("button", { name: "Send all now" }).click()
      expect((await sentWith("/later")).article.title).toBe("A page at /later")
      await until(async () => (await kept()) === 0)
      await options.getByText("The outbox is empty.").waitFor()
      await saved("/later")
      expect((await setup.client.links()).some(({ url }) => url.endsWith("/never"))).toBe(false)
    }
  )
})

describe("the outbox", () => {
  test("keeps captures while the service is down, and sends them when it is up again", async () => {
    await setup.recorder.close()
    const page = await visit("/away")
    await command(page)
    await menu(page, "link", { linkUrl: `${setup.pages}/away-too` })
    await badgeIs("2")
    const popup = await extension.popup(page)
    await popup.getByText("2 captures are waiting.").waitFor()
    if (!isLong) await assertDark(popup)
    await popup.keyboard.press("Enter")
    await says(popup, HELD)
    // One message at a time: what became of this capture.
    expect(await popup.getByText("captures are waiting").isVisible()).toBe(false)
    await popup.getByRole("button", { name: "Undo" }).click()
    await says(popup, /Not saved/)
    setup.recorder.reopen()
    await extension.worker.evaluate(() => dispatchEvent(new Event("online")))
    await until(async () => (await extension.waiting()).length === 0)
    await Promise.all([saved("/away"), saved("/away-too")])
    await badgeIs("")
  })

  long(test)("keeps captures with a wrong token, and sends them with the right one", async () => {
    await connect("wrong")
    await command(await visit("/token"))
    await badgeIs("!")
    expect(await extension.title()).toContain("rejects the token")
    expect((await extension.waiting()).length).toBe(1)
    await connect()
    await saved("/token")
    await until(async () => (await extension.waiting()).length === 0)
  })
})

describe("saving without the popup", () => {
  long(test)("saves a link without a title, a selection as the note, an image by its address", async () => {
    const page = await visit("/menus")
    await menu(page, "link", { linkUrl: `${setup.pages}/linked` })
    await saved("/linked")
    const sent = setup.recorder.seen.find(({ body }) => body.includes(`"url":"${setup.pages}/linked"`))
    expect(JSON.parse(sent?.body ?? "{}")).toEqual({ url: `${setup.pages}/linked` })
    await menu(page, "selection", { selectionText: "chosen words" })
    expect((await saved("/menus")).note).toBe("> chosen words")
    const quoted = await visit("/quoted")
    await quoted.evaluate(() => {
      document.body.innerHTML = "<p>Words before, the   passage, words after.</p>"
      const text = document.querySelector("p")?.firstChild
      if (text) getSelection()?.setBaseAndExtent(text, 14, text, 27)
    })
    await menu(quoted, "highlight", { selectionText: "the passage" })
    expect((await saved("/quoted")).note).toBe("")
    const marked = setup.recorder.seen.find(({ body }) => body.includes(`"url":"${setup.pages}/quoted"`))
    expect(JSON.parse(marked?.body ?? "{}").highlight).toEqual({
      quote: "the passage",
      prefix: "Words before, ",
      suffix: ", words after."
    })
    await menu(await visit("/picture"), "image", { srcUrl: `${setup.pages}/a.png` })
    expect((await saved("/picture")).note).toBe(`Image: ${setup.pages}/a.png`)
  })

  long(test)("saves every tab of the window once, except those that cannot be saved", async () => {
    await extension.visit(`${setup.pages}/tab-1`)
    await extension.visit(`${setup.pages}/tab-1`)
    const page = await extension.visit(`${setup.pages}/tab-2`)
    await extension.options()
    // Grants the permission as a user would.
    await extension.worker.evaluate(() => {
      Object.assign(chrome.permissions, { request: () => Promise.resolve(true) })
    })
    await menu(page, "window")
    await Promise.all([saved("/tab-1"), saved("/tab-2")])
    const captures = setup.recorder.seen.filter(({ body }) => /\/tab-\d"/.test(body))
    expect(captures.length).toBe(2)
    await until(async () => (await extension.title()).includes("2 tabs saved."))
    const result = /2 tabs saved\. 3 skipped \(pages of the browser: 2, open twice: 1\)\./
    expect(await extension.title()).toMatch(result)
    await says(await extension.popup(page), result)
  })

  long(test)("saves a new bookmark if that is enabled, with its folder as the collection", async () => {
    await extension.set({ saveBookmarks: true, folderAsCollection: true })
    await (await visit("/front")).bringToFront()
    const bookmark = (path: string) =>
      extension.worker.evaluate(async (url) => {
        const folder = await chrome.bookmarks.create({ parentId: "1", title: "Recipes" })
        const inner = await chrome.bookmarks.create({ parentId: folder.id, title: "Soups" })
        await chrome.bookmarks.create({ parentId: inner.id, title: "A bookmark", url })
      }, setup.pages + path)
    await bookmark("/bookmarked")
    expect((await saved("/bookmarked")).collection?.name).toBe("Recipes / Soups")
    await extension.set({ saveBookmarks: false })
    const before = setup.recorder.seen.length
    await bookmark("/unsaved")
    await Bun.sleep(200)
    expect(setup.recorder.seen.length).toBe(before)
  })

  long(test)("adds its items to the browser's menus", async () => {
    const there = (id: string) =>
      extension.worker.evaluate(
        (id) =>
          chrome.contextMenus.update(id, {}).then(
            () => true,
            () => false
          ),
        id
      )
    for (const id of ["page", "link", "selection", "highlight", "image", "window", "right", "dashboard"])
      expect([id, await there(id)]).toEqual([id, true])
    expect(await there("none")).toBe(false)
  })

  long(test)("marks the button on a saved page if that is enabled, without a request", async () => {
    const page = await visit("/marked")
    await command(page)
    await saved("/marked")
    await extension.set({ markSaved: true })
    const before = setup.recorder.seen.length
    await visit("/unmarked")
    await badgeIs("")
    await page.bringToFront()
    await badgeIs("✓")
    expect(setup.recorder.seen.length).toBe(before)
  })

  long(test)("says on the button why a page cannot be saved", async () => {
    const page = await extension.options()
    await command(page)
    await badgeIs("!")
    expect(await extension.title()).toContain("belongs to an extension")
    expect(await extension.waiting()).toEqual([])
  })
})

describe("the options", () => {
  const fill = async (page: Page, address: string, token: string) => {
    if (!(await page.getByLabel("Service address").isVisible()))
      await page.getByText("Enter address and token by hand").click()
    await page.getByLabel("Service address").focus()
    await page.keyboard.press("Control+A")
    await page.keyboard.type(address)
    await page.keyboard.press("Tab")
    await page.keyboard.press("Control+A")
    await page.keyboard.type(token)
    await page.keyboard.press("Enter")
  }

  long(test)("test the settings without saving a link, and name the exact problem", async () => {
    await extension.clear()
    const before = (await setup.client.links()).length
    const silent = await closedPort()
    const page = await extension.options()
    const asked = [
      ["", EXTENSION_TOKEN, /Enter the address/],
      ["http://example.org", EXTENSION_TOKEN, /use https/],
      [`http://127.0.0.1:${silent}`, EXTENSION_TOKEN, /No response from this address/],
      [setup.pages, EXTENSION_TOKEN, /not Linkbower/],
      [setup.recorder.base, "wrong", /rejects this token/],
      [setup.recorder.base, EXTENSION_TOKEN, /Works/]
    ] as const
    for (const [address, token, verdict] of asked) {
      await fill(page, address, token)
      await says(page, verdict)
    }
    expect((await setup.client.links()).length).toBe(before)
    expect(await tokenIn(page).getAttribute("type")).toBe("password")
  })

  long(test)("export and import settings without the token", async () => {
    await extension.set({ notePrefix: "from work", headers: "X-Secret: hidden" })
    const page = await extension.options()
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export" }).click()
    ])
    const text = await Bun.file((await file.path()) ?? "").text()
    expect([text.includes(EXTENSION_TOKEN), text.includes("hidden"), text.includes("from work")]).toEqual([
      false,
      false,
      true
    ])
    await extension.set({ notePrefix: "" })
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "s.json", mimeType: "application/json", buffer: Buffer.from(text) })
    await says(page, /Settings imported/)
    expect(await page.getByLabel("Every note begins with").inputValue()).toBe("from work")
    expect(await tokenIn(page).inputValue()).toBe(EXTENSION_TOKEN)
  })
})

describe("a handover", () => {
  const link = (token = EXTENSION_TOKEN) => handoverLink({ address: setup.recorder.base, token })
  /** Grants what a user would: the tests' extension has the permission for this machine already. */
  const allow = (page: Page) =>
    page.addInitScript(() => {
      Object.assign(chrome.permissions, {
        request: () => Promise.resolve(true),
        remove: () => Promise.resolve(true)
      })
    })
  const stored = () =>
    extension.worker.evaluate(async () => (await chrome.storage.local.get("settings"))["settings"])

  test("on the service's page asks at the button, connects, and takes the token out of the address", async () => {
    await extension.clear()
    const page = await extension.visit(link())
    const popup = await extension.popup(page)
    await allow(popup)
    await popup.reload()
    await popup.getByText(`Save links from this browser to ${new URL(setup.recorder.base).host}?`).waitFor()
    if (isLong) await assertAccessible(popup)
    await shoot(popup, "extension-popup-connect-light")
    expect(await stored()).toBeUndefined()
    await popup.keyboard.press("Enter")
    await says(popup, /Connected to/)
    expect(await stored()).toMatchObject({ address: setup.recorder.base, token: EXTENSION_TOKEN })
    await until(() => page.url().endsWith("/connect#connected"))
    await page.goBack().catch(() => null)
    expect(page.url()).not.toContain(EXTENSION_TOKEN)
    await command(await visit("/after-connecting"))
    await saved("/after-connecting")
    await until(async () => (await extension.waiting()).length === 0)
  })

  long(test)("asks before it replaces a configured service, whose headers stay behind", async () => {
    await extension.set({
      address: setup.pages,
      token: "another-token",
      headers: "X-Secret: 1",
      notePrefix: "p"
    })
    const popup = await extension.popup(await extension.visit(link()))
    await popup.getByText(`This browser saves to ${new URL(setup.pages).host}. Save to`).waitFor()
    // What someone presses who expects the form for saving this page.
    await popup.keyboard.press("Enter")
    await popup.keyboard.press("Space")
    expect(await stored()).toMatchObject({ address: setup.pages, token: "another-token" })
    await popup.getByRole("button", { name: "Replace" }).click()
    await says(popup, /Connected to/)
    expect(await stored()).toMatchObject({
      address: setup.recorder.base,
      token: EXTENSION_TOKEN,
      headers: "",
      notePrefix: "p"
    })
  })

  long(test)("says what does not work, and keeps the link for another try", async () => {
    await extension.clear()
    const page = await extension.visit(link("a-wrong-token"))
    const popup = await extension.popup(page)
    await popup.getByRole("button", { name: "Connect" }).click()
    await says(popup, /rejects this token/)
    await popup.getByRole("button", { name: "Connect" }).waitFor()
    expect(page.url()).toContain("#token=")
  })

  long(test)("is never saved as a link", async () => {
    const before = setup.recorder.seen.length
    const page = await extension.visit(link())
    await command(page)
    await badgeIs("!")
    expect(await extension.title()).toContain("cannot be saved")
    await menu(await visit("/elsewhere"), "link", { linkUrl: link() })
    await Bun.sleep(100)
    expect([await extension.waiting(), setup.recorder.seen.slice(before)]).toEqual([[], []])
  })

  long(test)("works by pasting the link into the options, which say when it is none", async () => {
    await extension.clear()
    const options = await extension.options()
    const field = options.getByLabel("Connection link")
    await field.fill("https://links.example.org/dashboard")
    await options.getByText("This is not a connection link.").waitFor()
    expect(await options.locator("#accept").isVisible()).toBe(false)
    await field.fill(`http://links.example.org/connect#token=${EXTENSION_TOKEN}`)
    await options.getByText("The token would be sent unencrypted").waitFor()
    await field.fill(link())
    await options.getByText("Save links from this browser to").waitFor()
    if (isLong) await assertAccessible(options)
    await shoot(options, "extension-options-connect-light")
    await field.press("Enter")
    await says(options, /Works/)
    expect(await field.inputValue()).toBe("")
    expect(await tokenIn(options).inputValue()).toBe(EXTENSION_TOKEN)
    expect(await stored()).toMatchObject({ address: setup.recorder.base, token: EXTENSION_TOKEN })
  })

  long(test)("without the popup leads to the options, which ask", async () => {
    await extension.set({ address: "", token: "", saveAtOnce: true })
    const page = await extension.visit(link())
    const tab = await tabOf(extension.worker, page)
    await extension.worker.evaluate(
      (tab) => Reflect.get(chrome.action.onClicked, "dispatch").call(chrome.action.onClicked, tab),
      tab
    )
    const options = await until(() =>
      extension.context.pages().find((page) => page.url().endsWith("/options.html"))
    )
    await options.getByText("Save links from this browser to").waitFor()
    await options.getByRole("button", { name: "Connect" }).click()
    await says(options, /Works/)
    expect(await extension.worker.evaluate(() => chrome.storage.session.get(null))).toEqual({})
  })
})

describe("with a token that may read the library", () => {
  /** Makes a token of a program, and gives it to the extension in the options, as the owner does. */
  const allow = async (scopes: ReadonlyArray<string>) => {
    const name = crypto.randomUUID()
    const { secret } = await (await setup.client.owner("POST", "/api/tokens", { name, scopes })).json()
    const options = await extension.options()
    await options.getByLabel("Reading token").fill(secret)
    await options.getByRole("button", { name: "Use this token" }).click()
    await options.locator("#finding-state", { hasText: /Works/ }).waitFor()
    if (!isLong) await assertDark(options)
    await options.close()
    return secret
  }
  const enter = (words: string) =>
    extension.worker.evaluate((words) => {
      const { onInputEntered } = chrome.omnibox
      Reflect.get(onInputEntered, "dispatch").call(onInputEntered, words, "newForegroundTab")
    }, words)
  const fieldsOf = (popup: Page) =>
    Promise.all([
      noteIn(popup).inputValue(),
      popup.getByLabel("Tags").inputValue(),
      popup.getByLabel("Collection").inputValue()
    ])

  test("finds links from popup and address bar, marks a saved page, and edits its link in place", async () => {
    await setup.client.owner("POST", "/api/links", {
      url: `${setup.pages}/known`,
      note: "from the phone",
      tags: ["bees"],
      collection: "Effect"
    })
    await saved("/known")
    await allow(["read", "change"])
    await extension.set({ markSaved: true })
    const unsaved = await visit("/unknown")
    await badgeIs("")
    const page = await visit("/known")
    await badgeIs("✓")

    const popup = await extension.popup(page)
    await popup.getByText(/Already saved, .* in Effect/).waitFor()
    expect(await fieldsOf(popup)).toEqual(["from the phone", expect.stringContaining("bees"), "Effect"])
    await shoot(popup, "extension-popup-known-light")
    await popup.getByLabel("Tags").fill("bees, honey")
    await popup.getByLabel("Read", { exact: true }).check({ force: true })
    await popup.getByRole("button", { name: "Save changes" }).click()
    await says(popup, /^Saved\.$/)
    expect(await saved("/known")).toMatchObject({
      tags: ["bees", "honey"],
      state: "read",
      note: "from the phone"
    })
    await popup.getByRole("button", { name: "Undo" }).click()
    await says(popup, /Changes undone/)
    expect(await saved("/known")).toMatchObject({ tags: expect.arrayContaining(["bees"]), state: "unread" })

    await popup.getByRole("searchbox", { name: "Search your library" }).fill("page known")
    const first = popup.getByRole("link", { name: "A page at /known" })
    await first.waitFor()
    await popup.keyboard.press("ArrowDown")
    expect(await first.evaluate((element) => element === document.activeElement)).toBe(true)
    if (isLong) await assertAccessible(popup)
    await shoot(popup, "extension-popup-search-light")

    const other = await extension.popup(unsaved)
    expect(await other.getByText("Already saved").isVisible()).toBe(false)
    await other.locator("#known-tags option").first().waitFor({ state: "attached" })
    expect(await other.locator("#known-collections option").first().getAttribute("value")).toBe("Effect")

    await enter(`${setup.pages}/found`)
    await until(() => extension.context.pages().some((tab) => tab.url() === `${setup.pages}/found`))
    await enter("bees tag:x")
    // The owner is not signed in here, so the dashboard is refused; the search was on its way there.
    await until(() => setup.recorder.seen.some(({ path }) => path === "/dashboard?q=bees%20tag%3Ax"))
  })

  long(test)("shows what is saved without changing it if the token may only read", async () => {
    await setup.client.owner("POST", "/api/links", { url: `${setup.pages}/read-only`, note: "kept" })
    await saved("/read-only")
    await allow(["read"])
    const popup = await extension.popup(await visit("/read-only"))
    await popup.getByText(/Already saved, /).waitFor()
    expect(await noteIn(popup).inputValue()).toBe("")
    await popup.getByRole("button", { name: "Save", exact: true }).waitFor()
  })

  long(test)(
    "shows links beside a search engine's results if that is turned on, hidden from the page",
    async () => {
      await setup.client.owner("POST", "/api/links", { url: `${setup.pages}/beside`, note: "submarine" })
      await saved("/beside")
      const readToken = await allow(["read"])
      const wide = await startExtension("everywhere")
      try {
        await wide.context.route("https://duckduckgo.com/**", (route) =>
          route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Results</title><p>Results" })
        )
        const results = async () => {
          const page = await wide.visit("https://duckduckgo.com/?q=submarine")
          return { page, box: page.locator("aside[aria-label='In your library']") }
        }
        const registered = (count: number) =>
          until(() =>
            wide.worker.evaluate(
              async (count) => (await chrome.scripting.getRegisteredContentScripts()).length === count,
              count
            )
          )
        await wide.set({
          address: setup.recorder.base,
          token: EXTENSION_TOKEN,
          readToken,
          besideResults: true
        })
        await registered(1)
        const { box, page } = await results()
        await box.waitFor({ state: "attached" })
        expect(await page.content()).not.toContain("beside")
        await shoot(page, "extension-results-light")
        await wide.set({ besideResults: false })
        await registered(0)
        expect(await (await results()).box.count()).toBe(0)
      } finally {
        await wide.stop()
      }
    }
  )

  long(test)(
    "sends nothing about 50 pages that are visited, but searches, saves and the list that is kept",
    async () => {
      await allow(["read", "change"])
      await extension.set({ markSaved: true })
      const before = setup.recorder.seen.length
      const page = await visit("/visited-0")
      for (let at = 1; at < 50; at++) await page.goto(`${setup.pages}/visited-${at}`)
      const popup = await extension.popup(page)
      await popup.getByRole("searchbox").fill("bees")
      await popup.getByText(/^(No links|\d+ links?)/).waitFor()
      await popup.close()
      await command(page)
      await saved("/visited-49")
      await until(async () => (await extension.waiting()).length === 0)
      const requests = setup.recorder.seen.slice(before)
      const asked = new Set(requests.map(({ method, path }) => `${method} ${path}`))
      expect(
        [...asked].filter((one) => !/^GET \/api\/v1\/(links\/keys\?after=\d+|meta)$/.test(one)).sort()
      ).toEqual(["GET /api/v1/links?q=bees&limit=7&wait=false", "POST /capture/api/link"])
      const told = JSON.stringify(requests)
      expect(told.match(/visited-\d+/g)?.every((name) => name === "visited-49")).toBe(true)
    }
  )
})

describe("accessibility", () => {
  // Everyday, other tests look for barriers in the popup and the options that they have open.
  long(test)("popup and options have no barriers", async () => {
    await setup.recorder.close()
    const page = await visit("/looks")
    await page.locator("#words").selectText()
    await command(page)
    await until(async () => (await extension.waiting()).length === 1)
    const popup = await extension.popup(page)
    await popup.clock.install()
    const options = await extension.options()
    await options.setViewportSize({ width: 900, height: 1_500 })
    await options.getByText("1 capture is waiting.").waitFor()
    for (const colorScheme of ["light", "dark"] as const) {
      for (const [name, shown] of [
        ["popup", popup],
        ["options", options]
      ] as const) {
        await shown.emulateMedia({ colorScheme })
        await assertAccessible(shown, { colours: colorScheme === "dark" })
        await shoot(shown, `extension-${name}-${colorScheme}`)
      }
    }
    await popup.keyboard.press("Enter")
    await says(popup, HELD)
    await assertAccessible(popup)
    await shoot(popup, "extension-popup-saved-dark")
    await passHold(popup)
    await says(popup, /It will be sent later/)
    await shoot(popup, "extension-popup-waits-dark")
    await extension.set({ address: "", token: "" })
    const first = await extension.popup(page)
    await assertAccessible(first)
    await shoot(first, "extension-popup-first-light")
    setup.recorder.reopen()
  })
})

/** Problems that tests cause: requests to pages and the service, and a service that is down or rejects. */
const EXPECTED =
  /^request to another origin: http:\/\/127.0.0.1:[1-9]|net::ERR_CONNECTION_REFUSED|status of 40[0134]/

long(test)(
  "the package that its service configured knows the service at the first start and asks for the host; its popup reads and saves the page below it without that permission",
  async () => {
    const handover = { address: setup.recorder.base, token: EXTENSION_TOKEN }
    const shipped = await startExtension("shipped", {
      [CONFIGURATION]: new TextEncoder().encode(configurationOf(handover))
    })
    try {
      const options = await until(() =>
        shipped.context.pages().find((page) => page.url().endsWith("/options.html"))
      )
      await options.getByText("to let the browser reach 127.0.0.1").waitFor()
      expect(await options.getByLabel("Service address").inputValue()).toBe(setup.recorder.base)
      expect(await tokenIn(options).inputValue()).toBe(EXTENSION_TOKEN)

      await shipped.set({ sendText: "yes" })
      const page = await shipped.visit(`${setup.pages}/pressed`)
      await page.locator("#words").selectText()
      const inPopup = await pressButton(shipped, page)
      await until(async () => (await inPopup("form.hidden")) === "false")
      expect(await inPopup("title.textContent")).toBe("A page at /pressed")
      expect((await inPopup("note.value")).trim()).toBe("> The quick brown fox jumps.")
      await inPopup("form.requestSubmit()")
      await until(async () => (await shipped.waiting()).length === 1)
      await inPopup("window.close()").catch(() => "")
      await saved("/pressed")
      // The worker has read the page, though the popup was closed before.
      const sent = setup.recorder.seen.find(({ body }) => body.includes("/pressed"))
      expect(JSON.parse(sent?.body ?? "{}").article.html).toContain("The quick brown fox")
      expect(shipped.verdict().filter((problem) => !EXPECTED.test(problem))).toEqual([])
    } finally {
      await shipped.stop()
    }
  }
)

long(test)("a worker that the browser starts again finds its parts", async () => {
  const shipped = await startExtension("shipped")
  try {
    const page = await shipped.options()
    // Some page was saved, so that another one has to be compared with it.
    await page.evaluate(() => chrome.storage.local.set({ seen: "AAAAAAAAAA" }))
    const devtools = await shipped.context.newCDPSession(page)
    await devtools.send("ServiceWorker.enable")
    await devtools.send("ServiceWorker.stopAllWorkers")
    const parts = () =>
      shipped.context
        .serviceWorkers()
        .at(-1)
        ?.evaluate(() => Object.keys(globalThis).filter((name) => name.startsWith("linkbower ")))
    const ask = () => page.evaluate(() => chrome.runtime.sendMessage({ known: "https://example.org/a" }))
    expect(await ask()).toEqual({ seen: false })
    expect((await parts())?.sort()).toEqual(["linkbower keys", "linkbower work"])
  } finally {
    await shipped.stop()
  }
})

test("the extension requests nothing but captures and the health check, and logs no error", () => {
  const asked = new Set(setup.recorder.seen.map(({ method, path }) => `${method} ${path}`))
  asked.delete("GET /healthz")
  // The preflight of a request to a host that the extension has no permission for.
  asked.delete("OPTIONS /capture/api/link")
  // The browser's own, for the connection page.
  asked.delete("GET /favicon.ico")
  // With a token that may read: searches, the link of a saved page, changes, names, and the list of saved pages.
  const others = [...asked].filter(
    (one) => !/^(GET \/api\/v1\/(links[/?]|meta$)|POST \/api\/v1\/mutate$|GET \/dashboard\?q=bees)/.test(one)
  )
  expect(others).toEqual(["POST /capture/api/link"])
  const captures = setup.recorder.seen.filter(
    ({ body, method, path }) => `${method} ${path}` === "POST /capture/api/link" && body !== '{"ping":true}'
  )
  expect(captures.every(({ key }) => /^[\da-f-]{36}$/.test(key ?? ""))).toBe(true)
  expect(extension.verdict().filter((problem) => !EXPECTED.test(problem))).toEqual([])
})
