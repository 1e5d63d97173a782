/** Removes the characters that XML 1.0 does not allow, not even escaped. */
export const xmlText = (text: string): string =>
  text.toWellFormed().replace(/[[\p{Cc}\p{Noncharacter_Code_Point}]--[\t\n\r]]/gv, "")

export const escapeXml = (text: string): string =>
  xmlText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
