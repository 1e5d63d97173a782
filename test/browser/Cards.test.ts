import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import type { Link } from "../../web/app/api.ts"
import { found } from "../support/links.ts"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { desktop, phone, tablet } from "./support/browser.ts"
import { card, countIs, isLive, press } from "./support/dashboard.ts"
import type { DescribedLink } from "./support/describedLinks.ts"
import { journeyOf } from "./support/journey.ts"
import { useLibrary } from "./support/useLibrary.ts"

const now = Date.now()

const described = (
  age: number,
  url: string,
  page: Parameters<typeof found>[0],
  more: Partial<DescribedLink> & { readonly category?: string | null; readonly fellBack?: "page" } = {}
): DescribedLink => ({
  url,
  note: "",
  tags: [],
  collection: null,
  favorite: false,
  shareable: false,
  createdAt: new Date(now - age * 60_000).toISOString(),
  found: found(
    { url, ...page },
    {
      summary: { summary: "", tags: [], category: more.category ?? null },
      fellBack: more.fellBack === undefined ? [] : [more.fellBack]
    }
  ),
  ...more
})

const library = useLibrary((pictures) =>
  [
    described(
      1,
      "https://tagged.example/a",
      { title: "Many tags", image: pictures.preview("tagged") },
      {
        tags: ["one", "two", "three", "four", "five", "six", "seven"],
        category: "reading",
        collection: "Shelf"
      }
    ),
    described(2, "https://forge.example/team/first", { title: "forge.example" }),
    described(3, "https://forge.example/team/first/tree?tab=files", { title: "Same name" }),
    described(4, "https://forge.example/team/second", { title: "Same name" }),
    described(5, "https://plain.example/page", { title: "A title of its own", description: "About it." }),
    described(6, "https://lost.example/page", { title: "lost.example" }, { fellBack: "page" }),
    described(
      7,
      "https://other.example/",
      { title: "Another reader" },
      { category: "reading", tags: ["one"] }
    ),
    described(8, "https://paid.example/film", {
      title: "A film behind a wall",
      type: "video",
      facts: { paywall: true, duration: 3_723, price: "4.99 EUR", doi: "10.1000/182" }
    }),
    described(
      9,
      "https://xn--bcher-kva.example/",
      { title: "Books" },
      { note: "words ".repeat(3_000), shareable: true }
    )
  ].toReversed()
)

const { links, look, lookAt, pageCalled } = journeyOf(library)

const linkAt = async (url: string) => {
  const link = (await links()).find((one) => one.url === url)
  if (link === undefined) throw new Error(`there is no link to ${url}`)
  return link
}
const cardOf = async (page: Page, url: string) => card(page, (await linkAt(url)).id)
const source = async (page: Page, url: string) =>
  (await cardOf(page, url)).locator(".card-host").textContent()
const paramsOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

describe("a card", () => {
  long(test)(
    "names the path if its title says no more than the host, or if another card reads the same",
    () =>
      look(async (page) => {
        expect(await source(page, "https://forge.example/team/first")).toBe("forge.example/team/first")
        expect(await source(page, "https://forge.example/team/first/tree?tab=files")).toBe(
          "forge.example/team/first/tree?tab=files"
        )
        expect(await source(page, "https://forge.example/team/second")).toBe("forge.example/team/second")
        expect(await source(page, "https://plain.example/page")).toBe("plain.example")
      })
  )

  test("shows three tags, and the others on request; an unsorted category is not shown", () =>
    look(async (page) => {
      const here = await cardOf(page, "https://tagged.example/a")
      const tags = here.locator("a.card-tag")
      expect(await tags.count()).toBe(3)
      await here.getByRole("button", { name: "+4 more tags" }).click()
      await until(async () => (await tags.count()) === 7)
      expect(await here.getByRole("button", { name: /more tags/ }).count()).toBe(0)
      const plain = await cardOf(page, "https://plain.example/page")
      expect(await plain.locator(".card-labels > li").count()).toBe(0)
    }))

  test("shows its host in letters, and the beginning of a long note with a way to the rest", () =>
    look(async (page) => {
      const here = await cardOf(page, "https://xn--bcher-kva.example/")
      expect(await here.locator(".card-host").textContent()).toBe("bücher.example")
      const note = here.locator(".card-note > p")
      expect((await note.textContent())?.length).toBe(301)
      await here.getByRole("button", { name: "Show the whole note" }).click()
      await until(async () => (await note.textContent())?.length === 18_000)
      expect(await (await fetch(`${library().base}/list`)).text()).toContain(">bücher.example<")
    }))

  test("says what a link costs, and its details say the rest", () =>
    look(async (page) => {
      const here = await cardOf(page, "https://paid.example/film")
      const source = (await here.locator(".card-source").textContent()) ?? ""
      for (const fact of ["Paywall", "1:02:03", "4.99 EUR"]) expect(source).toContain(fact)
      expect(source).not.toContain("10.1000")
      await page.goto(`${library().base}/dashboard?link=${(await linkAt("https://paid.example/film")).id}`)
      const facts = page.locator(".detail-facts")
      await facts.waitFor()
      const doi = facts.locator("a", { hasText: "10.1000/182" })
      expect(await doi.getAttribute("href")).toBe("https://doi.org/10.1000/182")
      expect(await facts.textContent()).toContain("Length1:02:03")
    }))

  test("shows a tag that was searched for among its three", () =>
    lookAt(async (page) => {
      const here = await cardOf(page, "https://tagged.example/a")
      expect(await here.locator("a.card-tag").count()).toBe(3)
      expect(await here.locator("a.card-tag mark").textContent()).toBe("seven")
    }, "/dashboard?q=seven"))

  for (const [name, device] of Object.entries({ desktop, tablet, phone }))
    (device === desktop ? test : long(test))(`has one line for its source on a ${name}`, () =>
      look(
        async (page) => {
          const heights = await page
            .locator(".card-source")
            .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
          expect(new Set(heights)).toEqual(new Set([20]))
        },
        { device }
      )
    )
})

describe("a label on a card", () => {
  const label = async (page: Page, name: string) =>
    (await cardOf(page, "https://tagged.example/a")).getByRole("link", { name, exact: true })

  long(test)("narrows the view, label by label", () =>
    look(async (page) => {
      await (await label(page, "reading")).click()
      await page.waitForURL("**/dashboard?category=reading")
      await countIs(page, 2)
      await (await label(page, "Shelf")).click()
      await page.waitForURL(/category=reading&collection=\d+/)
      await countIs(page, 1)
      await (await label(page, "#one")).click()
      await until(() => paramsOf(page)["tag"] === "one")
      await (await label(page, "#two")).click()
      await until(() => paramsOf(page)["q"] === "tag:two")
      expect(paramsOf(page)).toMatchObject({ category: "reading", tag: "one", q: "tag:two" })
      await countIs(page, 1)
    })
  )

  long(test)("replaces the view with Alt", () =>
    lookAt(async (page) => {
      await (await label(page, "#one")).click({ modifiers: ["Alt"] })
      await page.waitForURL("**/dashboard?tag=one")
      await countIs(page, 2)
    }, "/dashboard?category=reading&q=tags")
  )

  long(test)("opens a new tab with Ctrl", () =>
    look(async (page) => {
      const [other] = await Promise.all([
        page.context().waitForEvent("page"),
        (await label(page, "reading")).click({ modifiers: ["ControlOrMeta"] })
      ])
      await other.waitForURL("**/dashboard?category=reading")
      expect(new URL(page.url()).search).toBe("")
    })
  )
})

describe("a link whose page is not read", () => {
  test("says so with an icon, and is read again from its menu", () =>
    look(async (page) => {
      const here = await cardOf(page, "https://lost.example/page")
      await here.getByTitle("The page could not be read.").waitFor()
      const [request] = await Promise.all([
        page.waitForRequest((one) => one.url().endsWith("/api/action")),
        press(page, (await linkAt("https://lost.example/page")).id, "Read the page again")
      ])
      expect(request.postDataJSON()).toEqual({
        action: "refresh",
        id: (await linkAt("https://lost.example/page")).id
      })
    }))

  long(test)("says why, if its stages are known", () =>
    look(async (page) => {
      const stages = (link: Link) => {
        const reason = link.host === "plain.example" ? "the server answered 404" : null
        return link.host === "plain.example"
          ? [{ stage: "page", state: "failed", reason }]
          : link.host === "other.example"
            ? [{ stage: "page", state: "waiting", reason: "the site asked for a pause" }]
            : undefined
      }
      await page.route("**/dashboard/api/links?*", async (route) => {
        const response = await route.fetch()
        const body: { readonly links: ReadonlyArray<Link> } = await response.json()
        await route.fulfill({
          response,
          json: { ...body, links: body.links.map((link) => ({ ...link, stages: stages(link) })) }
        })
      })
      await page.goto("/dashboard/duplicates")
      await page.locator(".sidebar").getByRole("link", { name: "All" }).click()
      const failed = await cardOf(page, "https://plain.example/page")
      await failed.getByText("The page could not be read: the server answered 404.").waitFor()
      await failed.getByText("About it.").waitFor()
      await (await cardOf(page, "https://other.example/"))
        .getByText("Waiting to read the page: the site asked for a pause.")
        .waitFor()
    })
  )

  for (const [name, device] of Object.entries({ desktop, phone }))
    long(test)(`moves nothing when the result arrives on a ${name}`, () =>
      look(
        async (page) => {
          const title = `A slow page for a ${name} with a title that takes much more than just one line of a card`
          const url = `${pageCalled(title).replace("/plain", "/slow")}&ms=4000`
          const saved = library().client.capture({ url })
          await until(async () => (await links()).some((link) => link.url === url))
          await page.reload()
          await page.getByText("Reading the page…").first().waitFor()
          await isLive(page)
          const next = await cardOf(page, "https://tagged.example/a")
          const before = await next.boundingBox()
          const { id } = await linkAt(url)
          await card(page, id).getByText(title).first().waitFor()
          await card(page, id).getByText("What the page says.").waitFor()
          await saved
          expect(await next.boundingBox()).toEqual(before)
        },
        { device }
      )
    )
})

describe("the menu of a card", () => {
  const openMenu = async (page: Page) => {
    const here = await cardOf(page, "https://tagged.example/a")
    if (!(await here.getByRole("button", { name: /^More for/ }).isVisible())) await here.hover()
    await here.getByRole("button", { name: /^More for/ }).click()
    await page.getByRole("menu", { name: "Many tags" }).waitFor()
  }

  long(test)("has its button beside the picture on a tablet, not on it", () =>
    look(
      async (page) => {
        const here = await cardOf(page, "https://tagged.example/a")
        const picture = await here.locator(".preview").boundingBox()
        const button = await here.getByRole("button", { name: /^More for/ }).boundingBox()
        expect((picture?.x ?? 0) + (picture?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0)
      },
      { device: tablet }
    )
  )

  long(test)("has lines that a finger can press", () =>
    look(
      async (page) => {
        await openMenu(page)
        const heights = await page
          .locator(".menu-item")
          .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().height)))
        expect(heights.length).toBeGreaterThan(8)
        expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
      },
      { device: tablet }
    )
  )

  long(testAccessibility)(
    (device, check) =>
      look(
        async (page) => {
          await openMenu(page)
          await check(page, "menu")
        },
        { device }
      ),
    "open"
  )
})
