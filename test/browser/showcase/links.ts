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

interface ShownCollection {
  readonly name: string
  readonly category: string
  readonly links: ReadonlyArray<ShownLink>
}

const collections: ReadonlyArray<ShownCollection> = [
  {
    name: "Databases",
    category: "databases",
    links: [
      {
        url: "https://www.sqlite.org/wal.html",
        title: "Write-Ahead Logging",
        summary:
          "How SQLite's write-ahead log lets readers continue while one writer commits, what checkpoints do, and when the rollback journal is the better choice.",
        tags: "sqlite durability",
        note: "Checkpoint behaviour explains the slow commits on Monday.",
        favorite: true,
        shareable: true
      },
      {
        url: "https://www.postgresql.org/docs/current/mvcc-intro.html",
        title: "Concurrency control in PostgreSQL",
        summary:
          "Introduces multiversion concurrency control: every statement sees a snapshot, so reading never blocks writing.",
        tags: "postgresql transactions",
        shareable: true
      },
      {
        url: "https://use-the-index-luke.com/",
        title: "Use The Index, Luke",
        summary:
          "A free book on SQL indexing for developers: anatomy of an index, the where clause, joins, and why paging by offset gets slow.",
        tags: "sql performance book",
        favorite: true,
        shareable: true
      },
      {
        url: "https://github.com/duckdb/duckdb",
        title: "duckdb/duckdb",
        summary:
          "An analytical database that runs in the process of its application and reads Parquet and CSV.",
        tags: "duckdb analytics open-source",
        repository: ["C++", 31_200]
      },
      {
        url: "https://litestream.io/how-it-works/",
        title: "How Litestream works",
        summary:
          "Litestream copies SQLite's log to an object store every second and restores a database from it.",
        tags: "sqlite backup replication",
        note: "Compare with nightly copies."
      },
      {
        url: "https://www.sqlite.org/fts5.html",
        title: "SQLite FTS5 extension",
        summary:
          "Reference of SQLite's full-text search: tokenizers, query syntax, ranking with BM25, and auxiliary functions.",
        tags: "sqlite full-text-search"
      }
    ]
  },
  {
    name: "Rust",
    category: "programming",
    links: [
      {
        url: "https://doc.rust-lang.org/book/",
        title: "The Rust Programming Language",
        summary:
          "The official introduction to Rust, from ownership and borrowing to concurrency and unsafe code.",
        tags: "rust book",
        shareable: true
      },
      {
        url: "https://fasterthanli.me/articles/a-half-hour-to-learn-rust",
        title: "A half-hour to learn Rust",
        summary: "Explains most of Rust's syntax with short snippets, for readers who know another language.",
        tags: "rust tutorial",
        shareable: true
      },
      {
        url: "https://github.com/BurntSushi/ripgrep",
        title: "BurntSushi/ripgrep",
        summary:
          "A command line tool that searches folders for a regular expression and respects ignore files.",
        tags: "rust command-line search open-source",
        repository: ["Rust", 54_800],
        favorite: true
      },
      {
        url: "https://rust-unofficial.github.io/too-many-lists/",
        title: "Learning Rust with entirely too many linked lists",
        summary:
          "Teaches ownership, boxes and unsafe code by writing six linked lists that should not be written.",
        tags: "rust data-structures"
      },
      {
        url: "https://tokio.rs/tokio/tutorial",
        title: "Tokio tutorial",
        summary: "Builds a small Redis client and server step by step to explain asynchronous Rust.",
        tags: "rust async networking"
      }
    ]
  },
  {
    name: "Web performance",
    category: "web",
    links: [
      {
        url: "https://web.dev/articles/vitals",
        title: "Web Vitals",
        summary:
          "Defines the three core measures of a page's experience: largest paint, response to input, and layout shift.",
        tags: "web performance metrics",
        shareable: true
      },
      {
        url: "https://hpbn.co/",
        title: "High Performance Browser Networking",
        summary:
          "What a web developer should know about TCP, TLS, mobile networks, HTTP/2 and WebRTC, free to read online.",
        tags: "networking performance book",
        favorite: true
      },
      {
        url: "https://developer.mozilla.org/en-US/docs/Web/HTTP/Caching",
        title: "HTTP caching",
        summary:
          "Private and shared caches, validation with entity tags, and patterns for files with a hash in their name.",
        tags: "http caching reference",
        shareable: true
      },
      {
        url: "https://csswizardry.com/2019/03/cache-control-for-civilians/",
        title: "Cache-Control for civilians",
        summary: "A readable guide to the caching header: which directive to choose for which kind of file.",
        tags: "http caching"
      },
      {
        url: "https://www.smashingmagazine.com/2021/01/front-end-performance-2021-free-pdf-checklist/",
        title: "Front-end performance checklist",
        summary: "A long checklist from budgets and build tools to images, fonts and delivery.",
        tags: "web performance checklist"
      }
    ]
  },
  {
    name: "Typography",
    category: "design",
    links: [
      {
        url: "https://practicaltypography.com/",
        title: "Practical Typography",
        summary:
          "A book on the web about type in documents: point size, line spacing, line length and font choice.",
        tags: "typography book",
        favorite: true,
        shareable: true
      },
      {
        url: "https://rsms.me/inter/",
        title: "Inter typeface",
        summary: "A typeface for screens with a tall x-height, tabular figures and many languages.",
        tags: "typography fonts",
        shareable: true
      },
      {
        url: "https://fonts.google.com/knowledge",
        title: "Google Fonts Knowledge",
        summary: "Articles and a glossary on choosing and using type, from designers of typefaces.",
        tags: "typography fonts reference"
      },
      {
        url: "https://www.refactoringui.com/",
        title: "Refactoring UI",
        summary:
          "Design advice for developers: hierarchy, spacing, colour and depth, with examples before and after.",
        tags: "design interface book",
        note: "Chapter on hierarchy first."
      }
    ]
  },
  {
    name: "Self-hosting",
    category: "self hosting",
    links: [
      {
        url: "https://github.com/awesome-selfhosted/awesome-selfhosted",
        title: "awesome-selfhosted/awesome-selfhosted",
        summary: "A long list of free network services and web applications that can run on your own server.",
        tags: "self-hosted list open-source",
        repository: ["Markdown", 246_000],
        shareable: true
      },
      {
        url: "https://caddyserver.com/docs/quick-starts/reverse-proxy",
        title: "Reverse proxy quick-start",
        summary:
          "Put Caddy in front of a service with one command or two lines of configuration, with automatic HTTPS.",
        tags: "caddy self-hosted https"
      },
      {
        url: "https://restic.readthedocs.io/en/stable/",
        title: "restic documentation",
        summary:
          "Encrypted, deduplicated backups to local disks, SFTP and object stores, and how to restore them.",
        tags: "backup self-hosted",
        note: "Test the restore every quarter.",
        favorite: true
      },
      {
        url: "https://tailscale.com/blog/how-tailscale-works",
        title: "How Tailscale works",
        summary:
          "From hub-and-spoke VPNs to a mesh over WireGuard: keys, NAT traversal, relays and access rules.",
        tags: "networking vpn self-hosted",
        shareable: true
      },
      {
        url: "https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html",
        title: "systemd.exec: sandboxing",
        summary: "All settings that limit what a service may see and do on its machine.",
        tags: "linux systemd security"
      }
    ]
  },
  {
    name: "Bread",
    category: "cooking",
    links: [
      {
        url: "https://www.theperfectloaf.com/beginners-sourdough-bread/",
        title: "Beginner's sourdough bread",
        summary: "A two-day sourdough loaf explained hour by hour, with pictures of the dough at each stage.",
        tags: "baking sourdough recipe",
        note: "Used 75 % water, turned out well.",
        favorite: true,
        shareable: true
      },
      {
        url: "https://www.kingarthurbaking.com/recipes/no-knead-crusty-white-bread-recipe",
        title: "No-knead crusty white bread",
        summary: "Mix, wait overnight, bake in a hot pot: a crusty loaf without kneading.",
        tags: "baking recipe",
        shareable: true
      },
      {
        url: "https://www.seriouseats.com/how-to-bake-sourdough",
        title: "The science of sourdough",
        summary:
          "What yeast and bacteria do in a starter, and how temperature and time change the taste of bread.",
        tags: "baking sourdough science"
      },
      {
        url: "https://breadtopia.com/whole-grain-rye-bread/",
        title: "Whole grain rye bread",
        summary: "A dense rye loaf with a long fermentation, caraway and a wet dough that needs a tin.",
        tags: "baking rye recipe"
      }
    ]
  },
  {
    name: "Maps",
    category: "geography",
    links: [
      {
        url: "https://maplibre.org/maplibre-gl-js/docs/",
        title: "MapLibre GL JS",
        summary: "A library that draws vector maps in the browser, with styles, layers and 3D terrain.",
        tags: "maps javascript open-source",
        shareable: true
      },
      {
        url: "https://www.openstreetmap.org/about",
        title: "OpenStreetMap",
        summary: "The free map of the world, made by a community of mappers and open to everyone's use.",
        tags: "maps open-data",
        shareable: true
      },
      {
        url: "https://ciechanow.ski/cartography/",
        title: "Cartography",
        summary:
          "An illustrated explanation of map projections: every flat map distorts, and you can choose what.",
        tags: "maps geometry visual-explanation",
        favorite: true
      },
      {
        url: "https://protomaps.com/",
        title: "Protomaps",
        summary: "A whole planet's map in a single file that a web server can deliver in ranges.",
        tags: "maps self-hosted"
      }
    ]
  },
  {
    name: "Essays",
    category: "essays",
    links: [
      {
        url: "https://paulgraham.com/greatwork.html",
        title: "How to do great work",
        summary: "A long essay on choosing what to work on, finding its edge, and staying curious for years.",
        tags: "essay work"
      },
      {
        url: "https://www.todepond.com/wikiblogarden/better-computing/for-who/",
        title: "Programming for who?",
        summary:
          "Argues that tools should be built for small groups of known people rather than for markets.",
        tags: "essay software"
      },
      {
        url: "https://craigmod.com/essays/walking_japan/",
        title: "Walking across Japan",
        summary: "Notes from long walks on old roads: rhythm, boredom, and the people one meets at kissaten.",
        tags: "essay walking japan",
        note: "Anna's suggestion.",
        favorite: true,
        shareable: true
      },
      {
        url: "https://www.inkandswitch.com/local-first/",
        title: "Local-first software",
        summary:
          "Seven ideals for software that keeps data on your own devices and still lets people work together.",
        tags: "essay software local-first",
        favorite: true,
        shareable: true
      }
    ]
  }
]

/** In no collection, as new links are that are like nothing else. */
const unfiled: ReadonlyArray<ShownLink> = [
  {
    url: "https://www.inkandswitch.com/local-first/static/local-first.pdf",
    title: "Local-first software",
    summary:
      "Seven ideals for software that keeps data on your own devices and still lets people work together.",
    tags: "essay software",
    note: "The PDF, for the train.",
    canonicalUrl: "https://www.inkandswitch.com/local-first/"
  },
  {
    url: "https://sqlite.org/wal.html?from=newsletter",
    title: "Write-Ahead Logging",
    summary: "How SQLite's write-ahead log works, and when to use it.",
    tags: "sqlite",
    canonicalUrl: "https://www.sqlite.org/wal.html"
  },
  {
    url: "https://www.birdnet.cornell.edu/",
    title: "BirdNET: identify birds by their song",
    summary: "A research project that recognises thousands of bird species from recordings.",
    tags: "birds audio",
    shareable: true
  }
]

/** Hours between two links: the newest are some minutes old, the oldest two years. */
const hoursAgo = (place: number) => 0.2 + place ** 2 * 7

/** The library that the pictures of the documentation show, the oldest link first. */
export const showcase = (pictures: Pictures): ReadonlyArray<DescribedLink> => {
  const all = [
    ...collections.flatMap(({ category, links, name }) =>
      links.map((link) => ({ link, category, collection: name as string | null }))
    ),
    ...unfiled.map((link) => ({ link, category: "unsorted", collection: null as string | null }))
  ]
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
