import { readFileSync } from "node:fs"
import { join } from "node:path"
import { found } from "../../support/links.ts"
import type { DescribedLink } from "../support/describedLinks.ts"
import type { Pictures } from "../support/pictures.ts"

/** A link of the library that the pictures show, as it is written down here. */
interface ShownLink {
  readonly url: string
  readonly title: string
  readonly summary: string
  readonly tags: string
  readonly note?: string
  readonly favorite?: true
  readonly shareable?: true
  /** GitHub repository: its language and stars. */
  readonly repository?: readonly [language: string, stars: number]
  /** The address that the page calls its own, where it differs. */
  readonly canonicalUrl?: string
}

/** A collection, whose links follow it; without a name they are in none, as new links are that are like nothing else. */
interface ShownCollection {
  readonly name: string | null
  readonly category: string
}

const lines: ReadonlyArray<ShownLink | ShownCollection> = readFileSync(
  join(import.meta.dir, "links.jsonl"),
  "utf8"
)
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line))

/** Hours between two links: the newest are some minutes old, the oldest two years. */
const hoursAgo = (place: number) => 0.2 + place ** 2 * 7

/** The library that the pictures of the documentation show, the oldest link first. */
export const showcase = (pictures: Pictures): ReadonlyArray<DescribedLink> => {
  let { category, name: collection }: ShownCollection = { name: null, category: "unsorted" }
  const all = lines.flatMap((line) => {
    if ("url" in line) return [{ link: line, category, collection }]
    ;({ category, name: collection } = line)
    return []
  })
  const now = Date.now()
  // A fixed order that mixes the collections, as days do.
  const mixed = all
    .map((one) => ({ one, place: Bun.hash(one.link.url) }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ one }) => one)
  return mixed.map(({ category, collection, link }, n) => {
    const { canonicalUrl, repository, summary, tags, title, url } = link
    const { host } = new URL(url)
    return {
      url,
      note: link.note ?? "",
      tags: [],
      collection,
      favorite: link.favorite === true,
      shareable: link.shareable === true,
      createdAt: new Date(now - hoursAgo(mixed.length - 1 - n) * 3_600_000).toISOString(),
      found: found(
        {
          url,
          title,
          description: summary,
          canonicalUrl: canonicalUrl ?? null,
          favicon: pictures.favicon(host),
          image: pictures.preview(`${host}-${title}`),
          text: `${title}. ${summary}`
        },
        {
          repository:
            repository === undefined
              ? null
              : {
                  host: "github.com",
                  fullName: title,
                  description: summary,
                  language: repository[0],
                  stars: repository[1],
                  topics: [],
                  license: "MIT",
                  archived: false
                },
          summary: { summary, tags: tags.split(" "), category: category === "unsorted" ? null : category }
        }
      )
    }
  })
}
