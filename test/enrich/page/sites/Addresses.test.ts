import { describe, expect, test } from "bun:test"
import { oEmbed } from "../../../../src/enrich/page/sites/Media.ts"
import { siteRuleFor } from "../../../../src/enrich/page/sites/Sites.ts"
import { cpuTime } from "../../../support/cpuTime.ts"
import { sampleOf } from "../../../support/tier.ts"

describe("the address of a page", () => {
  const cases: ReadonlyArray<readonly [site: string, address: string]> = [
    ["youtube", "https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL1&index=2"],
    ["youtube", "https://m.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ"],
    ["youtube", "https://youtube.com/shorts/dQw4w9WgXcQ?feature=share"],
    ["youtube", "https://www.youtube.com/live/dQw4w9WgXcQ"],
    ["youtube", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"],
    ["youtube", "https://www.youtube.com/playlist?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf"],
    ["", "https://www.youtube.com/@channel"],
    ["", "https://www.youtube.com/watch?v=short"],
    ["", "https://www.youtube.com/"],
    ["", "https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ"],
    ["", "https://notyoutube.com/watch?v=dQw4w9WgXcQ"],
    ["", "https://example.org/?u=https://youtu.be/dQw4w9WgXcQ"],
    ["x", "https://twitter.com/jack/status/20"],
    ["x", "https://mobile.twitter.com/jack/statuses/20/photo/1"],
    ["x", "https://x.com/i/web/status/20"],
    ["", "https://x.com/jack"],
    ["", "https://x.com/jack/status/not-a-number"],
    ["", "https://example.x.com.evil.example/jack/status/20"],
    ["mastodon", "https://mastodon.social/@Gargron/1"],
    ["mastodon", "https://fosstodon.org/@ann@mastodon.social/112233445566778899"],
    ["mastodon", "https://hachyderm.io/users/ann/statuses/112233445566778899"],
    ["", "https://mastodon.social/@Gargron"],
    ["", "https://medium.com/@ann/a-story-1a2b3c4d5e6f"],
    ["", "https://www.threads.net/@ann/post/CuXFPIeLLod"],
    ["", "https://www.tiktok.com/@ann/video/7106594312292453675"],
    ["bluesky", "https://bsky.app/profile/did:plc:z72i7hdynmk6r22z27h6tvur/post/3l6oveex3ii2l"],
    ["", "https://bsky.app/profile/bsky.app"],
    ["", "https://bsky.app/profile/bsky.app/feed/whats-hot"],
    ["reddit", "https://www.reddit.com/r/AskReddit/comments/1abc2de/"],
    ["reddit", "https://reddit.com/comments/1abc2de"],
    ["reddit", "https://www.reddit.com/user/ann/comments/1abc2de/a_post/"],
    ["reddit", "https://redd.it/1abc2de"],
    ["", "https://www.reddit.com/r/AskReddit/"],
    ["", "https://i.redd.it/1abc2de.png"],
    ["", "https://www.reddit.com/r/AskReddit/s/AbCdEf"],
    ["hacker-news", "https://news.ycombinator.com/item?id=8863&p=2"],
    ["", "https://news.ycombinator.com/user?id=8863"],
    ["", "https://news.ycombinator.com/item?id=x"],
    ["", "https://news.ycombinator.com/newest"],
    ["stack-exchange", "https://stackoverflow.com/questions/11227809/why-is-it-faster/11227902#11227902"],
    ["stack-exchange", "https://stackoverflow.com/q/11227809/1"],
    ["stack-exchange", "https://pt.stackoverflow.com/questions/1/uma"],
    ["stack-exchange", "https://meta.mathoverflow.net/questions/1/one"],
    ["", "https://stackoverflow.com/questions/tagged/typescript"],
    ["", "https://stackoverflow.com/a/11227902"],
    ["", "https://stackexchange.com/questions/1"],
    ["", "https://stackoverflow.com.evil.example/questions/1/x"],
    ["apple-podcasts", "https://podcasts.apple.com/podcast/id1200361736"],
    ["apple-podcasts", "https://podcasts.apple.com/us/podcast/the-daily/id1200361736"],
    ["", "https://podcasts.apple.com/us/genre/podcasts/id26"],
    ["", "https://music.apple.com/us/album/x/id1200361736"]
  ]
  for (const [site, address] of cases)
    test(`${address} is ${site === "" ? "of no site" : `of ${site}`}`, () => {
      expect(siteRuleFor(new URL(address))?.rule.name ?? "").toBe(site)
    })

  test("goes to the site itself and takes nothing else of the address along", () => {
    for (const [, address] of cases) {
      const url = new URL(address)
      url.searchParams.append("token", "secret")
      const request = siteRuleFor(new URL(url.href.replace("https://", "https://ann:secret@")))?.request
      expect(request?.address.href ?? "").not.toContain("secret")
      expect(request?.address.username ?? "").toBe("")
    }
  })

  test("may be of any scheme, host or port", () => {
    for (const address of [
      "about:blank",
      "mailto:ann@example.org",
      "data:text/html,x",
      "ftp://x.com/a/status/1"
    ])
      expect(siteRuleFor(new URL(address))).toBeUndefined()
    for (const host of ["[::1]:8443", "127.0.0.1", "xn--bcher-kva.example", "a.b:1"])
      expect(siteRuleFor(new URL(`https://${host}/@ann/1`))?.request.address.href).toBe(
        `https://${host}/api/v1/statuses/1`
      )
  })

  test("of any length is matched at once", () => {
    const start = cpuTime()
    for (const piece of ["/a", "@", "/@a", "1", "/r/", ".", "%20", "/podcast", "/id1", "-"])
      for (const host of ["example.org", "www.reddit.com", "x.com", "vimeo.com", "podcasts.apple.com"]) {
        const url = new URL(`https://${host}/@${piece.repeat(20_000)}`)
        siteRuleFor(url)
        oEmbed.request(url)
      }
    expect(cpuTime() - start).toBeLessThan(6_000)
  })
})

/** Addresses and the request about each, without `https://`; null if no site has a rule for it. */
const tables: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  arXiv: {
    "arxiv.org/abs/1706.03762": "export.arxiv.org/api/query?id_list=1706.03762",
    "www.arxiv.org/abs/1706.03762v7": "export.arxiv.org/api/query?id_list=1706.03762v7",
    "arxiv.org/pdf/1706.03762v1.pdf": "export.arxiv.org/api/query?id_list=1706.03762v1",
    "arxiv.org/html/2401.01234v2#S1": "export.arxiv.org/api/query?id_list=2401.01234v2",
    "arxiv.org/abs/math.GT/0309136": "export.arxiv.org/api/query?id_list=math.GT%2F0309136",
    "ar5iv.labs.arxiv.org/html/1706.03762": "export.arxiv.org/api/query?id_list=1706.03762",
    "arxiv.org/": null,
    "arxiv.org/list/cs.IR/recent": null,
    "arxiv.org/abs/not-a-paper": null,
    "arxiv.org/abs/1706.03762,1706.03763": null,
    "info.arxiv.org/abs/1706.03762": null,
    "arxiv.org.evil.example/abs/1706.03762": null
  },
  DOI: {
    "doi.org/10.1038/nature14539": "doi.org/10.1038/nature14539",
    "dx.doi.org/10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-O":
      "doi.org/10.1002/(SICI)1097-4571(199806)49%3A8%3C693%3A%3AAID-ASI4%3E3.0.CO%3B2-O",
    "doi.org/10.1000.10/123?utm_source=x": "doi.org/10.1000.10/123",
    "dl.acm.org/doi/10.1145/1234567.1234568": "doi.org/10.1145/1234567.1234568",
    "dl.acm.org/doi/abs/10.1145/1234567": "doi.org/10.1145/1234567",
    "onlinelibrary.wiley.com/doi/full/10.1002/asi.1": "doi.org/10.1002/asi.1",
    "journals.example.org/doi/10.1177/001/full": "doi.org/10.1177/001",
    "example.org/about/doi": null,
    "example.org/doi/what-is-it": null,
    "doi.org/": null,
    "doi.org/the-identifier/resources": null,
    "doi.org/10.1038": null,
    "doi.org/10.1038/a%20b": null,
    "doi.org/10.1038/%00": null,
    "doi.org/10.1038/%ff": null
  },
  PubMed: {
    "pubmed.ncbi.nlm.nih.gov/12345678/?from=x":
      "eutils.ncbi.nlm.nih.gov/entrez/eutils/efetch.fcgi?db=pubmed&id=12345678&retmode=xml&tool=linkbower",
    "www.ncbi.nlm.nih.gov/pubmed/1":
      "eutils.ncbi.nlm.nih.gov/entrez/eutils/efetch.fcgi?db=pubmed&id=1&retmode=xml&tool=linkbower",
    "pubmed.ncbi.nlm.nih.gov/": null,
    "pubmed.ncbi.nlm.nih.gov/?term=links": null,
    "pubmed.ncbi.nlm.nih.gov/help/": null,
    "www.ncbi.nlm.nih.gov/books/NBK25499/": null,
    "pmc.ncbi.nlm.nih.gov/articles/PMC123/": null
  },
  Wikipedia: {
    "en.wikipedia.org/wiki/Bookmark_(digital)":
      "en.wikipedia.org/api/rest_v1/page/summary/Bookmark_(digital)",
    "zh-yue.m.wikipedia.org/wiki/%E6%9B%B8": "zh-yue.wikipedia.org/api/rest_v1/page/summary/%E6%9B%B8",
    "zh.wikipedia.org/zh-hans/%E6%9B%B8": "zh.wikipedia.org/api/rest_v1/page/summary/%E6%9B%B8",
    "en.wikipedia.org/wiki/C%2B%2B": "en.wikipedia.org/api/rest_v1/page/summary/C%2B%2B",
    "en.wikipedia.org/wiki/What_Is_This%3F?action=raw":
      "en.wikipedia.org/api/rest_v1/page/summary/What_Is_This%3F",
    "en.wikipedia.org/w/index.php?title=A%20b&oldid=1": "en.wikipedia.org/api/rest_v1/page/summary/A_b",
    "www.wikipedia.org/wiki/Book": null,
    "en.wikipedia.org/": null,
    "en.wikipedia.org/w/index.php?search=links": null,
    "en.wikipedia.org:8443/wiki/Book": null,
    "en.wikipedia.org.evil.example/wiki/Book": null,
    "de.wiktionary.org/wiki/Buch": null
  },
  npm: {
    "www.npmjs.com/package/react": "registry.npmjs.org/react/latest",
    "www.npmjs.com/package/@types/node/v/22.0.0": "registry.npmjs.org/@types%2Fnode/latest",
    "npmjs.com/package/%40scope%2Fname": "registry.npmjs.org/@scope%2Fname/latest",
    "www.npmjs.com/package/@scope": null,
    "www.npmjs.com/~ann": null,
    "www.npmjs.com/search?q=x": null,
    "www.npmjs.com/package/../x": null
  },
  PyPI: {
    "pypi.org/project/requests/": "pypi.org/pypi/requests/json",
    "pypi.org/project/zope.interface/7.0/#files": "pypi.org/pypi/zope.interface/json",
    "pypi.python.org/pypi/requests/2.0": "pypi.org/pypi/requests/json",
    "pypi.org/search/?q=x": null,
    "pypi.org/project/": null,
    "pypi.org/user/ann/": null
  },
  "crates.io and docs.rs": {
    "crates.io/crates/serde": "crates.io/api/v1/crates/serde?include=keywords,default_version",
    "lib.rs/crates/serde": "crates.io/api/v1/crates/serde?include=keywords,default_version",
    "docs.rs/serde_json": "crates.io/api/v1/crates/serde_json?include=keywords,default_version",
    "docs.rs/serde-x/latest/serde_x/index.html":
      "crates.io/api/v1/crates/serde-x?include=keywords,default_version",
    "docs.rs/crate/serde/1.0.0": "crates.io/api/v1/crates/serde?include=keywords,default_version",
    "docs.rs/serde/latest/serde/trait.Serialize.html": null,
    "docs.rs/serde/latest/serde/de/index.html": null,
    "docs.rs/crate/serde/1.0.0/source/": null,
    "docs.rs/releases": null,
    "docs.rs/": null,
    "crates.io/users/ann": null
  },
  "other registries": {
    "rubygems.org/gems/rails/versions/8.0.0": "rubygems.org/api/v1/gems/rails.json",
    "rubygems.org/profiles/ann": null,
    "hex.pm/packages/phoenix/1.8.0": "hex.pm/api/packages/phoenix",
    "hex.pm/packages": null,
    "packagist.org/packages/Symfony/Console": "repo.packagist.org/p2/symfony/console.json",
    "packagist.org/packages/symfony/": null,
    "packagist.org/explore/": null,
    "pkg.go.dev/github.com/BurntSushi/toml@v1.0.0#section-readme":
      "proxy.golang.org/github.com/!burnt!sushi/toml/@latest",
    "pkg.go.dev/golang.org/x/net": "proxy.golang.org/golang.org/x/net/@latest",
    "pkg.go.dev/net/http": null,
    "pkg.go.dev/search?q=x": null,
    "pkg.go.dev/": null
  },
  GitHub: {
    "github.com/a/b/issues/12?x=1#issuecomment-1": "api.github.com/repos/a/b/issues/12",
    "www.github.com/a/b.js/pull/12/commits": "api.github.com/repos/a/b.js/issues/12",
    "github.com/a/b/issues": null,
    "github.com/a/b/issues/new": null,
    "github.com/a/b/discussions/12": null,
    "github.com/../b/issues/12": null,
    "github.com/a/%2e%2e/issues/12": null,
    "github.com/a/b%2Fc/issues/12": null,
    "github.com:8443/a/b/issues/12": null,
    "github.com.evil.example/a/b/issues/12": null,
    "github.com/a/b/releases/tag/v1.0.0": "api.github.com/repos/a/b/releases/tags/v1.0.0",
    "github.com/a/b/releases/tag/pkg%2Fname@1.0.0":
      "api.github.com/repos/a/b/releases/tags/pkg%2Fname%401.0.0",
    "github.com/a/b/releases/latest": "api.github.com/repos/a/b/releases/latest",
    "github.com/a/b/releases": null,
    "github.com/a/b/releases/download/v1/x.zip": null,
    "github.com/a/b/blob/main/src/a%20b.ts#L1-L9": "raw.githubusercontent.com/a/b/main/src/a%20b.ts",
    "github.com/a/b/blob/main/image.png": null,
    "github.com/a/b/blob/main/notebook.ipynb": null,
    "github.com/a/b/blob/main": null,
    "github.com/a/b/tree/main/src": null,
    "github.com/a/b": null,
    "github.com/a": null,
    "gist.github.com/ann/0123456789abcdef0123456789abcdef#file-a-ts":
      "api.github.com/gists/0123456789abcdef0123456789abcdef",
    "gist.github.com/0123456789abcdef0123": "api.github.com/gists/0123456789abcdef0123",
    "gist.github.com/ann": null,
    "gist.github.com/discover": null
  },
  "Open Library": {
    "openlibrary.org/books/ol7353617m":
      "openlibrary.org/api/books?bibkeys=OLID:OL7353617M&format=json&jscmd=data",
    "openlibrary.org/isbn/978-0-14-032872-1":
      "openlibrary.org/api/books?bibkeys=ISBN:9780140328721&format=json&jscmd=data",
    "openlibrary.org/authors/OL34184A": null,
    "openlibrary.org/works/": null
  }
}

for (const [site, table] of Object.entries(tables))
  describe(`the request for an address of ${site}`, () => {
    for (const [address, asked] of Object.entries(table))
      test(`${address} is ${asked ?? "none"}`, () =>
        expect(siteRuleFor(new URL(`https://${address}`))?.request.address.href ?? null).toBe(
          asked === null ? null : `https://${asked}`
        ))
  })

describe("the request for an address", () => {
  const addresses = Object.values(tables).flatMap((table) => Object.keys(table))

  test("takes nothing along but the page's address or number", () => {
    for (const address of addresses) {
      const url = new URL(`https://ann:secret@${address}`)
      url.searchParams.append("token", "secret")
      url.hash = "secret"
      const asked = siteRuleFor(url)?.request.address
      expect(asked?.href ?? "").not.toContain("secret")
    }
  })

  test("is encrypted and goes to a named host, whatever the address is", () => {
    for (const address of addresses) {
      const asked = siteRuleFor(new URL(`http://${address}`))?.request.address
      if (asked !== undefined) expect(`${asked.protocol} ${asked.port}`).toBe("https: ")
    }
  })

  test("is found at once for an address of any length", () => {
    const hosts = [...new Set(addresses.map((address) => new URL(`https://${address}`).host))]
    const start = cpuTime()
    for (const host of sampleOf(hosts, 6))
      for (const piece of ["/a", "%2F", "10.1/", "a.", "-"])
        for (const room of ["abs/", "doi/10.1000/", "wiki/", "package/", "a/b/blob/x/"])
          siteRuleFor(new URL(`https://${host}/${room}${piece.repeat(2_000)}`))
    expect(cpuTime() - start).toBeLessThan(18_000)
  })
})
