import { isObject } from "../../../domain/Json.ts"
import { joinNames } from "../fields/Bylines.ts"
import { firstDay, monthNumber } from "../fields/Dates.ts"
import { numberAt, objectsAt, parseJson, textAt, textsAt } from "../UntrustedJson.ts"
import { type SitePage, sitePageOf } from "./SitePage.ts"
import { jsonRequest, type SiteRule, segmentsOn } from "./SiteRule.ts"

/** The key of the book at an address: an edition (`OL1M`), a work (`OL1W`) or an ISBN. */
const keyOf = (url: URL): string | undefined => {
  const [room = "", key = ""] = segmentsOn(url, "openlibrary.org", "www.openlibrary.org") ?? []
  const isKey =
    (room === "books" && /^OL\d{1,10}M$/i.test(key)) ||
    (room === "works" && /^OL\d{1,10}W$/i.test(key)) ||
    (room === "isbn" && /^[\dX-]{10,17}$/i.test(key))
  return isKey ? key.toUpperCase().replaceAll("-", "") : undefined
}

/** A date in the words of a title page, such as `October 1, 1988`, `Oct 1988` or `1988`. */
const dateOf = (written: string | undefined): string | undefined => {
  const [, month, day, year = ""] =
    /^(?:([a-z]{3,9})\.? (?:(\d{1,2}),? )?)?(\d{4})$/i.exec(written?.trim().slice(0, 40) ?? "") ?? []
  return firstDay(
    Number(year),
    month === undefined ? 1 : monthNumber(month),
    day === undefined ? 1 : Number(day)
  )
}

/** An edition, as the API of books describes it. */
const edition = (book: unknown): SitePage | undefined => {
  const title = textAt(book, "title")
  if (title === undefined) return undefined
  const subtitle = textAt(book, "subtitle")
  return sitePageOf({
    title: subtitle === undefined ? title : `${title}: ${subtitle}`,
    author: joinNames(objectsAt(book, 50, "authors").map((author) => textAt(author, "name"))),
    publishedAt: dateOf(textAt(book, "publish_date")),
    image: textAt(book, "cover", "large") ?? textAt(book, "cover", "medium"),
    siteName: "Open Library",
    type: "book",
    facts: {
      isbn: textAt(book, "identifiers", "isbn_13", 0) ?? textAt(book, "identifiers", "isbn_10", 0),
      pages: numberAt(book, "number_of_pages")
    }
  })
}

/** A work, as the search describes it; its editions have different ISBNs and lengths. */
const work = (found: unknown): SitePage | undefined => {
  const title = textAt(found, "title")
  const cover = numberAt(found, "cover_i")
  if (title === undefined) return undefined
  return sitePageOf({
    title,
    author: joinNames(textsAt(found, 50, "author_name")),
    publishedAt: firstDay(numberAt(found, "first_publish_year") ?? Number.NaN),
    image: cover === undefined ? undefined : `https://covers.openlibrary.org/b/id/${cover}-L.jpg`,
    siteName: "Open Library",
    type: "book"
  })
}

/**
 * Books on Open Library: editions by its API of books (https://openlibrary.org/dev/docs/api/books), works by its search
 * (https://openlibrary.org/dev/docs/api/search), because both name the authors in the same answer.
 */
export const openLibrary: SiteRule = {
  name: "open-library",
  request: (url) => {
    const key = keyOf(url)
    if (key === undefined) return undefined
    if (key.endsWith("W"))
      return jsonRequest(
        `https://openlibrary.org/search.json?q=key:/works/${key}&limit=1&fields=key,title,author_name,first_publish_year,cover_i`
      )
    const name = key.endsWith("M") ? `OLID:${key}` : `ISBN:${key}`
    return jsonRequest(`https://openlibrary.org/api/books?bibkeys=${name}&format=json&jscmd=data`)
  },
  read: (answer, url) => {
    const said = parseJson(answer)
    if (keyOf(url)?.endsWith("W")) return work(objectsAt(said, 1, "docs")[0])
    return isObject(said) ? edition(Object.values(said)[0]) : undefined
  }
}
