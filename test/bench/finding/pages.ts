import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { Option } from "effect"
import { recordedScraper } from "../enrichment/Linkbower.ts"
import { readPages } from "../enrichment/Pages.ts"
import { cached } from "./cache.ts"
import type { GivenLink } from "./engine.ts"

/** A recorded page as this checkout reads it. */
export interface ReadPage extends GivenLink {
  /** The set and the page's name in it. */
  readonly id: string
}

const ROOT = resolve(import.meta.dir, "../../..")

const read = async (folder: string) => {
  const open = recordedScraper()
  const pages: Array<ReadPage> = []
  for (const page of readPages()) {
    const { id, url } = page
    const nothing = { title: null, description: "", text: "", article: "" }
    const { article, description, text, title } = Option.getOrElse(await open(page)(), () => nothing)
    pages.push({ id, url, title: title ?? url, description, tags: [], text, article })
  }
  writeFileSync(join(folder, "pages.json"), JSON.stringify(pages))
}

/** The pages beside the checkout, with the texts that its page reader extracts. */
export const pages = async (): Promise<ReadonlyArray<ReadPage>> => {
  const made = { root: ROOT, folders: ["src/enrich", "src/shared"], input: "pages" }
  return JSON.parse(readFileSync(join(await cached(made, read), "pages.json"), "utf8"))
}
