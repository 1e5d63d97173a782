/** When a link's snapshot was made. */
export interface SnapshotAbout {
  /** The address that the browser showed. */
  readonly url: string
  /** An ISO 8601 time in UTC. */
  readonly savedAt: string
}

/** Elements that run, load, connect, lead elsewhere or change how the rest is read. */
const active =
  /<(?=(?:script|link|meta|base|iframe|frame|frameset|fencedframe|portal|object|embed|applet|noscript|audio|video|source|track)(?![\w-]))/gi

/**
 * Makes the active elements of a document into unknown ones, wherever they stand. It reads no structure: whatever a
 * browser takes for the start of such an element begins like this. It is the second wall; the first one is the policy of
 * its document, which does not stop a browser from connecting to the host of a `link`.
 */
export const withoutActiveElements = (html: string): string => html.replace(active, "<x-")
