import { describe, expect, test } from "bun:test"
import { oEmbed } from "../../../../src/enrich/page/sites/Media.ts"

const asked = (address: string) => oEmbed.request(new URL(address))?.address

describe("the listed providers of oEmbed", () => {
  const pages: ReadonlyArray<readonly [endpoint: string, page: string]> = [
    ["vimeo.com", "https://vimeo.com/channels/staffpicks/76979871"],
    ["vimeo.com", "https://player.vimeo.com/video/76979871"],
    ["www.dailymotion.com", "https://www.dailymotion.com/video/x5e9eog"],
    ["www.ted.com", "https://www.ted.com/talks/jill_bolte_taylor_s_powerful_stroke_of_insight"],
    ["www.tiktok.com", "https://www.tiktok.com/@scout2015/video/6718335390845095173"],
    ["www.loom.com", "https://www.loom.com/share/0281766fa2d04bb788eaf19e65135184"],
    ["fast.wistia.com", "https://home.wistia.com/medias/xfepf8u5c4"],
    ["api.streamable.com", "https://streamable.com/ifjh"],
    ["rumble.com", "https://rumble.com/v30jzs-dog-dont-know-where-to-hide-her-bone.html"],
    ["odysee.com", "https://odysee.com/@channel:1/a-video:2"],
    ["soundcloud.com", "https://soundcloud.com/artist/a-track"],
    ["open.spotify.com", "https://open.spotify.com/track/2qToAcex0ruZfbEbAy9OhW"],
    ["www.mixcloud.com", "https://www.mixcloud.com/TechnoLiveSets/a-set/"],
    ["audioboom.com", "https://audioboom.com/posts/7193185-stephen-merchant"],
    ["api.podbean.com", "https://example.podbean.com/e/an-episode/"],
    ["www.flickr.com", "https://www.flickr.com/photos/bees/2341623661/"],
    ["www.flickr.com", "https://flic.kr/p/4yVr8K"],
    ["backend.deviantart.com", "https://www.deviantart.com/ann/art/A-picture-379998342"],
    ["giphy.com", "https://giphy.com/gifs/cat-1a2b3c"],
    ["www.pinterest.com", "https://www.pinterest.com/pin/99360735500167749/"],
    ["www.tumblr.com", "https://staff.tumblr.com/post/619193383820410880/have-a-post"],
    ["codepen.io", "https://codepen.io/gingerdude/pen/JXwgdK"],
    ["api.observablehq.com", "https://observablehq.com/@d3/bar-chart"],
    ["replit.com", "https://replit.com/@ann/python-hello-world"],
    ["www.figma.com", "https://www.figma.com/design/abc/A-file"],
    ["sketchfab.com", "https://sketchfab.com/3d-models/loring-tweet-power-line-9a48434e"],
    ["www.behance.net", "https://www.behance.net/gallery/1234/A-project"],
    ["www.slideshare.net", "https://www.slideshare.net/haraldf/business-quotes-for-2011"],
    ["speakerdeck.com", "https://speakerdeck.com/wallat/why-backbone"],
    ["issuu.com", "https://issuu.com/ann/docs/a-magazine"]
  ]
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
