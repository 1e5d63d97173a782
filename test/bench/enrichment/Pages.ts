import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DATA } from "../../support/data.ts"

/** The statements of a page's markup, by names such as `ogTitle`, that the set's maker read with parse5. */
interface Tags {
  readonly [name: string]: unknown
  readonly jsonLd: ReadonlyArray<Readonly<Record<string, unknown>>>
}

type Values = "site" | "author" | "authorWeak" | "published" | "publishedWeak" | "lang"

/** What the gold file says about a page: every value that counts as right; weak values count where there is no other. */
interface Gold extends Readonly<Record<Values, ReadonlyArray<string>>> {
  readonly id: string
}

/** A page of the set. */
export interface TestPage {
  /** The set and the page's name in it. */
  readonly id: string
  readonly url: string
  readonly tags: Tags
  readonly gold: Gold
}

const PAGES = join(DATA, "pages")
const GOLD = join(DATA, "pages-gold.jsonl")

/** Whether the pages and their gold lie beside the checkout. */
export const hasPages = (): boolean => existsSync(PAGES) && existsSync(GOLD)

/** The type under which the pages are served: like most servers, it names no encoding. */
export const CONTENT_TYPE = "text/html"

/** The bytes of a page as they were recorded. */
export const bytesOf = (id: string): Uint8Array<ArrayBuffer> => readFileSync(join(PAGES, id, "page.html"))

/** The pages that the gold file describes. A page recorded without its address has one on a host without a name. */
export const readPages = (): ReadonlyArray<TestPage> =>
  readFileSync(GOLD, "utf8")
    .trim()
    .split("\n")
    .map((line): Gold => JSON.parse(line))
    .filter(({ id }) => existsSync(join(PAGES, id, "page.html")))
    .map((gold) => {
      const expected: { readonly url: string | null; readonly tags: Tags } = JSON.parse(
        readFileSync(join(PAGES, gold.id, "expected.json"), "utf8")
      )
      const { href } = new URL(expected.url ?? `https://192.0.2.1/${gold.id}`)
      return { id: gold.id, url: href, tags: expected.tags, gold }
    })
