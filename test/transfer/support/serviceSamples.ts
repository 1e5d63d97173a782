/** Samples of bookmark services and reading lists, with odd values beside good ones, in the shape of their sources. */
export const serviceSamples = {
  "readwise-highlights": `Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at,Document tags
"First, passage",A Book,Ann,B00ABCDEFG,why,red,,location,12,2023-05-06 07:08:09+00:00,"history, war"
Second,A Book,Ann,B00ABCDEFG,,,,location,13,2023-05-07 07:08:09+00:00,"history, war"
Third,Other,Ann & Bob,,,,,page,1,?,
Lost,,,,,,,page,1,,
`,
  "readwise-api": {
    count: 3,
    nextPageCursor: null,
    results: [
      {
        user_book_id: 1,
        title: "A page",
        author: "Ann",
        source_url: "https://a.example/",
        asin: null,
        document_note: "About it",
        book_tags: [{ id: 1, name: "one" }],
        highlights: [
          { id: 5, text: "A passage", note: "mine", color: "blue", highlighted_at: "2023-01-02T03:04:05Z" }
        ]
      },
      { user_book_id: 2, title: "A book", author: "Bob", source_url: null, asin: null, highlights: [] },
      { user_book_id: 3, title: "", source_url: null, highlights: [] }
    ]
  },
  kindle: `\ufeffA Story: Part (One) (Lewis, Ann)
- Your Highlight on page 233 | Location 3332-3334 | Added on Sunday, December 18, 2022 3:19:56 PM

“A passage,” said Ann.
==========
A Story: Part (One) (Lewis, Ann)
- Your Note on page 233 | Location 3334 | Added on Sunday, December 18, 2022 3:20:56 PM

my thought
==========
A Story: Part (One) (Lewis, Ann)
- Your Highlight on page 240 | Added on Thursday, 4 June 2020 12:18:46

Another
of two lines
==========
A Story: Part (One) (Lewis, Ann)
- Your Bookmark on page 241 | Location 3400 | Added on Thursday, 4 June 2020 12:19:46


==========
Ohne Autor
- Ihre Markierung bei Position 98-99 | Hinzugefügt am Montag, 3. Februar 2020 um 21:07:12

Eine Stelle
==========
`,
  "instapaper-html": `<!DOCTYPE html>
<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8" /><title>Instapaper: Export</title></head>
<body><h1>Unread</h1>
<ol><li><a href="https://a.example/?x=1&amp;y=2">A &amp; B</a>
<li><a>None</a></ol>
<h1>Recipes &amp; more</h1><ol><li><a href="https://b.example/">B</a></ol>
<h1>Starred</h1><ol></ol><h1>Archive</h1><ol><li><a href="https://c.example/"></a></ol>
</body></html>`,
  medium: `<!DOCTYPE html><html><head><title>Bookmarks</title></head><body><h1>Bookmarks</h1><ul>
<li><a class="h-cite" href="https://medium.com/p/1">Story <b>one</b></a><br><time class="dt-published">2023-07-27 4:50 pm</time></li>
<li><a class="h-cite" href="https://medium.com/p/2">Two</a><br><time class="dt-published">?</time></li>
</ul></body></html>`,
  "wallabag-csv": `Title;URL;Content;Tags;"MIME Type";Language;"Creation date"
"A; title";https://a.example/;"<p>The ""text""</p>";"foo, bar baz";text/html;en;"09/10/2016 03:30:00"
;https://b.example/;;;;;""
"No address";;;;;;""
`,
  readeck: [
    {
      id: "abc",
      href: "https://readeck.example/api/bookmarks/abc",
      created: "2024-03-04T05:06:07.123456Z",
      updated: "2024-03-05T00:00:00Z",
      state: 0,
      loaded: true,
      url: "https://a.example/",
      title: "A &amp; title",
      site_name: "A",
      description: "What it is about",
      is_deleted: false,
      is_marked: true,
      is_archived: false,
      read_progress: 0,
      labels: ["Ünicode", "two words"],
      annotations: [{ text: "a passage", note: "my note" }]
    },
    {
      id: "def",
      url: "https://b.example/",
      title: null,
      created: null,
      is_marked: false,
      is_archived: "true",
      labels: null,
      read_progress: "100"
    },
    { id: "ghi", url: "", title: "None", is_marked: false, labels: [] },
    null
  ],
  "readeck-csv": `url,title,created,labels,is_archived,is_marked,type\r
https://a.example/,"A, title",2024-03-04T05:06:07Z,"[""foo"",""two words""]",false,true,article\r
https://b.example/,,,null,true,false,photo\r
,None,,[],false,false,article\r
`,
  "linkace-csv": `id,user_id,url,title,description,icon,status,check_disabled,created_at,updated_at,deleted_at,thumbnail,visibility,tags,lists
1,1,https://a.example/,"A, title","My, words",link,1,0,2023-01-02T03:04:05.000000Z,2023-01-02T03:04:05.000000Z,,,1,"foo,bar","Reading,Second list"
2,1,https://b.example/,B,,link,1,0,,,,,2,,
3,1,,None,,link,1,0,,,,,2,,
`,
  linkace: {
    data: [
      {
        id: 1,
        url: "https://a.example/",
        title: "A",
        description: "Mine",
        visibility: 1,
        status: 1,
        check_disabled: false,
        created_at: "2023-01-02T03:04:05.000000Z",
        tags: [{ id: 1, name: "foo" }],
        lists: [
          { id: 1, name: "Reading" },
          { id: 2, name: "Second" }
        ]
      },
      { id: 2, url: "https://b.example/", title: null, check_disabled: true, tags: null, lists: null },
      { id: 3, url: null, title: "None", check_disabled: false }
    ],
    links: { first: "https://x.example" },
    meta: { current_page: 1 }
  },
  shaarli: [
    {
      id: 1,
      url: "https://a.example/",
      shorturl: "aBcDeF",
      title: "A",
      description: "My **words**",
      tags: ["foo", "bar-baz"],
      private: true,
      created: "2015-05-05T12:30:00+03:00",
      updated: ""
    },
    {
      id: 2,
      url: "/shaare/XyZ",
      shorturl: "XyZ",
      title: "Note",
      description: "text",
      tags: [],
      private: false
    },
    {
      id: 3,
      url: "https://b.example/",
      shorturl: "q",
      title: null,
      description: null,
      tags: "one two",
      private: false
    }
  ],
  shiori: {
    bookmarks: [
      {
        id: 1,
        url: "https://a.example/",
        title: "A",
        excerpt: "About it",
        author: "",
        public: 1,
        createdAt: "2023-06-07 08:09:10",
        modifiedAt: "2024-01-01 00:00:00",
        imageURL: "",
        hasContent: true,
        tags: [{ id: 1, name: "foo", nBookmarks: 0 }],
        content: "The page's own words"
      },
      {
        id: 2,
        url: "https://b.example/",
        title: "",
        excerpt: null,
        hasContent: false,
        modified: "2020-01-01 00:00:00",
        tags: null
      },
      { id: 3, excerpt: "", hasContent: false }
    ],
    page: 1,
    maxPage: 1
  },
  diigo: [
    {
      title: "A",
      url: "https://a.example/",
      user: "ann",
      desc: "Mine",
      tags: 'one,"two words"',
      shared: "yes",
      created_at: "2012/04/05 06:07:08 +0000",
      updated_at: "2012/04/05 06:07:08 +0000",
      comments: [],
      annotations: [{ user: "ann", content: "A <b>passage</b>", comments: [{ content: "on it" }] }],
      readlater: "yes"
    },
    { title: null, url: "https://b.example/", desc: "", tags: "no_tag", readlater: "no", created_at: "" },
    { title: "None", desc: "", readlater: "no" }
  ],
  "diigo-csv": `title,url,tags,description,comments,annotations,created_at
"A, title",https://a.example/,"one two ""three four""",My words,A comment,"Highlight: a passage",2013-05-15 12:16:54 UTC
B,https://b.example/,no_tag,,,,
None,,no_tag,,,,
`,
  goodlinks: [
    {
      url: "https://a.example/",
      title: "A",
      summary: "About it",
      tags: ["foo", "bar"],
      starred: true,
      addedAt: 1700000000.25,
      readAt: null,
      highlights: [{ content: "a passage", note: "mine" }]
    },
    {
      url: "https://b.example/",
      title: "",
      tags: null,
      starred: false,
      addedAt: "1600000000",
      readAt: 1650000000
    },
    { title: "None", starred: false, addedAt: 1 }
  ],
  matter: `Title,Author,Publisher,URL,Tags,Word Count,In Queue,Favorited,Read,Highlight Count,Last Interaction Date,File Id
"A, title",Ann,Pub,https://a.example/,foo;bar baz,100,True,True,False,2,2023-04-05 06:07:08,1
B,,,https://b.example/,,0,False,False,True,0,2023-04-06T00:00:00Z,2
C,,,https://c.example/,one,0,True,False,True,0,,3
None,,,,,0,True,False,False,0,,4
`,
  mymind: `id,type,title,url,content,note,tags,created
1,Article,A,https://a.example/,"The text, kept",Mine,"foo,bar",2022-03-04T05:06:07.000Z
2,Note,B,,Words of mine,,foo,2022-03-04T05:06:07.000Z
3,WebPage,,https://c.example/,,,,
`,
  unmark: {
    export: {
      export_version: 1,
      export_date: "2016-09-15 07:45:30",
      marks_count: 3,
      marks: [
        {
          mark_id: "1",
          mark_title: null,
          notes: "Mine",
          active: "1",
          created_on: "2016-09-13 20:40:20",
          archived_on: null,
          title: "A",
          url: "https://a.example/",
          embed: null,
          label_id: "7",
          label_name: "Do",
          tags: { "1": { name: "foo" } }
        },
        {
          mark_id: "2",
          mark_title: "Own title",
          notes: null,
          active: "1",
          created_on: "2016-09-13 20:40:20",
          archived_on: "2016-09-14 00:00:00",
          title: "B",
          url: "https://b.example/",
          label_name: "Unlabeled",
          tags: []
        },
        { mark_id: "3", url: null, title: "None" }
      ]
    }
  },
  "raindrop-api": {
    result: true,
    items: [
      {
        _id: 1,
        link: "https://a.example/",
        title: "A",
        excerpt: "About it",
        note: "Mine",
        type: "link",
        tags: ["foo"],
        important: true,
        created: "2021-02-03T04:05:06.000Z",
        lastUpdate: "2022-01-01T00:00:00.000Z",
        highlights: [{ text: "a passage", note: "" }],
        collection: { $ref: "collections", $id: 5 }
      },
      { _id: 2, link: "https://b.example/", title: "", excerpt: "", tags: null, created: "" },
      { _id: 3, excerpt: "", created: "" }
    ]
  },
  "tab-session-manager": [
    {
      windows: {
        "1": {
          "11": { id: 11, windowId: 1, title: "A", url: "https://a.example/", lastAccessed: 1 },
          "12": {
            id: 12,
            title: "B",
            url: "moz-extension://x/replaced/index.html?state=redirect&title=B&url=https%3A%2F%2Fb.example%2F%3Fq%3D1&favIconUrl="
          },
          "13": { id: 13, title: "New tab", url: "about:newtab" }
        }
      },
      windowsNumber: 1,
      tabsNumber: 3,
      name: "Research",
      date: 1600000000000,
      tag: ["work", "regular"],
      sessionStartTime: 1600000000000,
      id: "x"
    },
    null,
    { windows: { "2": { "21": 5 } }, tabsNumber: "1", name: "", date: "1600000000000", tag: null }
  ],
  "session-buddy": {
    format: "nxs.json.v1",
    collections: [
      {
        title: "Project",
        created: 1650000000000,
        folders: [
          { title: "Window", links: [{ url: "https://a.example/", title: "A" }, { title: "None" }] },
          { title: null, links: [{ url: "https://b.example/", title: "B", created: 1660000000000 }, null] }
        ]
      }
    ],
    sessions: [
      { created: "2020-01-02T03:04:05Z", windows: [{ tabs: [{ url: "https://c.example/", title: "C" }] }] }
    ]
  },
  toby: {
    version: 3,
    lists: [
      {
        title: "Read",
        cards: [
          { title: "A", url: "https://a.example/", customTitle: "My A", customDescription: "Mine" },
          { title: "B", url: "https://b.example/", customTitle: "", customDescription: "" },
          { title: "None", url: "" }
        ],
        labels: ["work"]
      }
    ]
  },
  "google-reader": {
    id: "user/-/state/com.google/starred",
    title: "List of starred articles",
    author: "ann",
    items: [
      {
        id: "1",
        crawlTimeMsec: "1400000000000",
        categories: ["user/-/state/com.google/starred", "user/-/label/To keep", "Feed's own word"],
        title: "A &amp; B",
        published: 1390000000,
        canonical: [{ href: "https://a.example/canonical" }],
        alternate: [{ href: "https://a.example/?utm_source=rss", type: "text/html" }],
        summary: { content: "<p>The <b>article</b></p>" },
        annotations: [{ content: "My remark" }],
        origin: { streamId: "feed/1", title: "Feed", htmlUrl: "https://a.example/" }
      },
      {
        id: "2",
        timestampUsec: "1500000000000000",
        categories: ["user/-/state/com.google/unread"],
        title: null,
        alternate: [{ href: "https://b.example/", type: "text/html" }],
        content: { content: "Plain" }
      },
      { id: "3", title: "None", alternate: [], categories: [] },
      5
    ]
  },
  feedbin: [
    {
      id: 1,
      title: "A",
      author: "Ann",
      content: "<p>The article</p>",
      url: "https://a.example/",
      published: "2013-02-03T01:00:00.000000Z",
      created_at: "2013-02-04T01:00:00.000000Z"
    },
    {
      id: 2,
      title: null,
      author: null,
      content: null,
      url: "https://b.example/",
      published: null,
      created_at: null
    },
    { id: 3, title: "None", author: "", content: "", url: null, published: "", created_at: "" }
  ],
  miniflux: {
    total: 3,
    entries: [
      {
        id: 1,
        user_id: 1,
        feed_id: 42,
        title: "A",
        url: "https://a.example/",
        status: "unread",
        starred: true,
        published_at: "2020-01-01T00:00:00Z",
        created_at: "2020-01-02T00:00:00Z",
        content: "<p>The article</p>",
        tags: ["foo"],
        feed: { id: 42, title: "Feed", category: { id: 1, title: "Tech" } }
      },
      {
        id: 2,
        feed_id: 42,
        url: "https://b.example/",
        status: "read",
        starred: false,
        tags: null,
        feed: null
      },
      { id: 3, feed_id: 42, url: "", status: "read" }
    ]
  },
  newsblur: {
    stories: [
      {
        story_permalink: "https://a.example/",
        story_title: "A",
        story_content: "<p>The story</p>",
        starred_date: "2020-03-04 05:06:07",
        user_tags: ["foo"],
        user_notes: "Mine"
      },
      {
        story_permalink: "https://b.example/",
        story_title: null,
        starred_timestamp: "1600000000",
        user_tags: null
      },
      { story_permalink: null, story_title: "None" }
    ]
  }
}
