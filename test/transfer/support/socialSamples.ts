/** Samples of what social sites export, with odd values beside good ones, in the shape of their sources. */
export const socialSamples = {
  "github-stars": [
    {
      starred_at: "2022-03-04T05:06:07Z",
      repo: {
        id: 1,
        full_name: "oven-sh/bun",
        html_url: "https://github.com/oven-sh/bun",
        url: "https://api.github.com/repos/oven-sh/bun",
        description: "Fast 🥟 runtime",
        topics: ["javascript", "runtime"],
        created_at: "2021-04-14T00:48:17Z"
      }
    },
    [
      {
        id: 2,
        full_name: "a/b",
        html_url: "https://github.com/a/b",
        description: null,
        topics: null,
        created_at: "2021-04-14T00:48:17Z"
      }
    ],
    { starred_at: "2022-03-04T05:06:07Z", repo: null }
  ],
  "hacker-news": [
    {
      by: "ann",
      descendants: 5,
      id: 8863,
      kids: [1],
      score: 104,
      time: 1175714200,
      title: "My YC app",
      type: "story",
      url: "https://a.example/"
    },
    {
      by: "bob",
      id: 121003,
      time: 1203647620,
      text: "<i>or</i> HN: the Next",
      title: "Ask HN: Arc",
      type: "story"
    },
    {
      author: "c",
      url: "item?id=42",
      age: "2 days ago",
      title: "Ask HN: This",
      comments_url: "https://news.ycombinator.com/item?id=42"
    },
    { type: "story", by: "d", title: "None", url: null },
    "7"
  ],
  reddit: {
    kind: "Listing",
    data: {
      after: null,
      children: [
        {
          kind: "t3",
          data: {
            title: "A &amp; B",
            url: "https://a.example/page",
            permalink: "/r/rust/comments/abc/a_b/",
            is_self: false,
            selftext: "",
            subreddit: "rust",
            link_flair_text: "news",
            created_utc: 1600000000.0
          }
        },
        {
          kind: "t3",
          data: {
            title: "Text",
            url: "https://www.reddit.com/r/self/comments/def/text/",
            permalink: "/r/self/comments/def/text/",
            is_self: true,
            selftext: "What I say",
            subreddit: "self",
            link_flair_text: null,
            created_utc: "1600000001"
          }
        },
        {
          kind: "t1",
          data: {
            body: "A remark",
            link_title: "Its post",
            permalink: "/r/x/comments/ghi/p/jkl/",
            subreddit: "x",
            created_utc: 1600000002
          }
        },
        { kind: "t3", data: { title: "None", permalink: "", subreddit: "x" } }
      ]
    }
  },
  "reddit-csv": `id,permalink
abc,https://www.reddit.com/r/rust/comments/abc/some_title/
def,/r/x/comments/def/other/
ghi,
`,
  youtube: `Video ID,Playlist Video Creation Timestamp
dQw4w9WgXcQ,2024-03-01T10:00:00+00:00
-_aaaaaaaaa,
short,2024-03-01T10:00:00+00:00
`,
  "x-archive": `window.YTD.like.part0 = [
  { "like": { "tweetId": "20", "fullText": "just setting up &amp; more https://t.co/abc", "expandedUrl": "https://twitter.com/i/web/status/20" } },
  { "like": { "tweetId": "21" } },
  { "like": { "fullText": "none" } },
  7
]`,
  "x-posts": {
    data: [
      {
        id: "20",
        text: "Read https://t.co/abc",
        created_at: "2021-02-03T04:05:06.000Z",
        author_id: "12",
        edit_history_tweet_ids: ["20"],
        entities: { urls: [{ url: "https://t.co/abc", expanded_url: "https://a.example/page" }] }
      },
      { id: 21, text: "Alone", author_id: "99" },
      { text: "None", id: null, author_id: "12" }
    ],
    includes: { users: [{ id: "12", username: "jack" }] }
  },
  "x-csv": `id,created_at,full_text,media,screen_name,name,url
20,2024-01-02 03:04:05 +02:00,"Words, and
more",[],jack,Jack,https://twitter.com/jack/status/20
21,,,[],ann,Ann,
`,
  mastodon: {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: "outbox.json",
    type: "OrderedCollection",
    totalItems: 4,
    orderedItems: [
      {
        id: "https://m.example/users/ann/statuses/1/activity",
        type: "Create",
        published: "2022-11-05T06:07:08Z",
        object: {
          type: "Note",
          url: "https://m.example/@ann/1",
          published: "2022-11-05T06:07:08Z",
          content:
            '<p>Read <a href="https://a.example/page"><span class="invisible">https://</span>a.example/page</a> by <a href="https://m.example/@bob" class="u-url mention">@<span>bob</span></a> <a href="https://m.example/tags/web" class="mention hashtag">#<span>web</span></a></p>',
          tag: [
            { type: "Mention", href: "https://m.example/users/bob", name: "@bob" },
            { type: "Hashtag", href: "https://m.example/tags/web", name: "#web" }
          ]
        }
      },
      { type: "Announce", published: "2022-11-06T00:00:00Z", object: "https://m.example/users/c/statuses/2" },
      "https://m.example/users/d/statuses/3",
      null
    ]
  },
  "mastodon-posts": [
    {
      id: "1",
      created_at: "2022-11-05T06:07:08.000Z",
      visibility: "public",
      url: "https://m.example/@ann/1",
      uri: "https://m.example/users/ann/statuses/1",
      content: "<p>What I <b>say</b></p>",
      favourited: true,
      bookmarked: true,
      account: { acct: "ann", display_name: "Ann" },
      tags: [{ name: "web", url: "https://m.example/tags/web" }]
    },
    { id: "2", visibility: "public", url: null, uri: null, content: null, account: {}, tags: null }
  ]
}
