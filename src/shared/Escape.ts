/**
 * Escapes text between tags, for readers that understand only these entities; quotes stay. For web pages and feeds,
 * `Bun.escapeHTML` escapes quotes too.
 */
export const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
