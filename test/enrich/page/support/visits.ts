import { readFileSync } from "node:fs"
import { lookAt } from "../../../../src/enrich/page/walls/PageProbe.ts"
import { type Visit, type Wall, wallOf } from "../../../../src/enrich/page/walls/Walls.ts"

/** A page as a server sends it, with the answer it came in. */
export interface Sent {
  readonly name: string
  readonly html: string
  /** The requested address; `url` is the one that answered, if it differs. */
  readonly asked: string
  readonly url?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

const pagesIn = <A>(file: string): ReadonlyArray<A> =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"))

/** Pages that stand in front of others, made after the ones of many vendors, in many languages. */
export const wallPages = pagesIn<Sent & { readonly wall: Wall }>("wallPages.json")

/** Pages that are what was requested, however much they look like something in front of it. */
export const realPages = pagesIn<Sent>("realPages.json")

/** The visit of a page that was sent. */
export const visitOf = ({ asked, headers = {}, status = 200, url = asked }: Sent): Visit => ({
  asked,
  url,
  status,
  headers
})

/** What the scorer takes a page for. */
export const judged = (sent: Sent): Wall | null => wallOf(lookAt(sent.html), visitOf(sent))

interface Parts {
  readonly lang?: string
  readonly title?: string
  readonly head?: string
}

/** A whole document. */
export const document = ({ head = "", lang = "en", title }: Parts, body: string): string =>
  `<!DOCTYPE html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${
    title === undefined ? "" : `<title>${title}</title>`
  }${head}</head><body>${body}</body></html>`

/** A text of several paragraphs, as an article has it. */
export const paragraphs = (sentence: string, count: number): string =>
  Array.from({ length: count }, () => `<p>${`${sentence} `.repeat(4)}</p>`).join("\n")
