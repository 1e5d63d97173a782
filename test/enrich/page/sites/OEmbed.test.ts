import { describe, expect, test } from "bun:test"
import { oEmbed } from "../../../../src/enrich/page/sites/Media.ts"
import { rowsOf } from "../../../support/rows.ts"

const asked = (address: string) => oEmbed.request(new URL(address))?.address

describe("the listed providers of oEmbed", () => {
  const pages = rowsOf<readonly [endpoint: string, page: string]>(import.meta, "OEmbed")
  for (const [endpoint, page] of pages)
    test(`${endpoint} is asked about ${page}`, () => {
      const address = asked(page)
      expect(address?.protocol).toBe("https:")
      expect(address?.hostname).toBe(endpoint)
      expect(address?.searchParams.get("url")).toBe(page.replace(/\/$/, ""))
    })

  for (const page of [
    "https://vimeo.com/",
    "https://vimeo.com/features",
    "https://www.tiktok.com/@scout2015",
    "https://soundcloud.com/artist",
    "https://open.spotify.com/",
    "https://codepen.io/about",
    "https://vimeo.com.evil.example/76979871",
    "https://notvimeo.com/76979871",
    "https://example.org/?u=https://vimeo.com/76979871"
  ])
    test(`none is asked about ${page}`, () => {
      expect(asked(page)).toBeUndefined()
    })

  test("get the address without credentials, tracking parameters and fragment", () => {
    expect(
      asked("https://ann:secret@vimeo.com/76979871?h=1&utm_source=a&fbclid=b#t=1")?.searchParams.get("url")
    ).toBe("https://vimeo.com/76979871?h=1")
  })
})
