export const fieldNames = {
  favorite: "favorite mark",
  shareable: "sharing",
  category: "category",
  collection: "collection",
  title: "title",
  summary: "summary",
  note: "note",
  tags: "tags",
  url: "address",
  state: "reading state",
  refused: "refused collections",
  inShared: "sharing of the collection",
  createdAt: "date",
  text: "text of the page"
} as const
