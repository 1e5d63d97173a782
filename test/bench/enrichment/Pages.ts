import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { decodePage } from "../../../src/enrich/page/Charset.ts"
import { DATA } from "../../support/data.ts"

/** The statements of a page's markup that the set's maker read with parse5. */
export interface Tags {
  readonly title: string | null
  readonly h1: string | null
  readonly canonical: string | null
  readonly base: string | null
  readonly icon: string | null
  readonly appleIcon: string | null
  readonly ogTitle: string | null
  readonly ogDescription: string | null
  readonly ogSiteName: string | null
  readonly ogImage: string | null
  readonly ogUrl: string | null
  readonly twitterTitle: string | null
  readonly twitterDescription: string | null
  readonly twitterImage: string | null
  readonly metaDescription: string | null
  readonly metaAuthor: string | null
  readonly articlePublished: string | null
  readonly htmlLang: string | null
  readonly dcTitle: string | null
  readonly jsonLd: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** What the gold file says about a page: every value that counts as right; weak values count where there is no other. */
export interface Gold {
  readonly id: string
  readonly site: ReadonlyArray<string>
  readonly author: ReadonlyArray<string>
  readonly authorWeak: ReadonlyArray<string>
  readonly published: ReadonlyArray<string>
  readonly publishedWeak: ReadonlyArray<string>
  readonly lang: ReadonlyArray<string>
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

/** The text of a page for libraries that expect their caller to decode it. */
export const htmlOf = (id: string): string => decodePage(bytesOf(id), CONTENT_TYPE)

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

/**
 * The expected text of a page as HTML: beside the page, or in the folder that `EXPECTED` names, under the page's id.
 * Undefined where neither holds it.
 */
export const expectedOf = (id: string): string | undefined => {
  const folders = [PAGES, ...(Bun.env["EXPECTED"] === undefined ? [] : [Bun.env["EXPECTED"]])]
  const file = folders.map((folder) => join(folder, id, "expected.html")).find((path) => existsSync(path))
  return file === undefined ? undefined : readFileSync(file, "utf8")
}
