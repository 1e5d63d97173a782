import { MAX_TITLE } from "../../../shared/Limits.ts"
import { cleanLine } from "../../../shared/Text.ts"

/** In UTF-16 units. */
const MAX_NAME_SOURCE = 4_096

const percentDecoded = (value: string, charset: string): string | undefined => {
  if (/%(?![0-9a-f]{2})/i.test(value)) return undefined
  const bytes = Buffer.from(
    Buffer.from(value, "utf8")
      .toString("latin1")
      .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1"
  )
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The value of `filename*` (RFC 8187, 3.2.1), which is preferred to `filename` (RFC 6266, 4.3). */
const extendedName = (header: string): string | undefined => {
  const [, charset = "", value = ""] =
    /(?:^|[;\s])filename\*\s*=\s*([\w-]+)'[\w-]*'([^;\s"]+)/i.exec(header) ?? []
  return charset === "" ? undefined : percentDecoded(value, charset)
}

/** The value of `filename`: a quoted string or a token. Servers also send UTF-8 and percent-encoding. */
const plainName = (header: string): string | undefined => {
  const [, quoted, token] = /(?:^|[;\s])filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? []
  // A backslash is an escape, but Windows programs send paths with single ones.
  const name = quoted?.replace(/\\(["\\])/g, "$1") ?? token
  return name === undefined ? undefined : (percentDecoded(name, "utf-8") ?? name)
}

/** A header's text: servers send UTF-8, which `fetch` decodes byte by byte. */
const headerText = (header: string): string => {
  const bytes = Buffer.from(header.slice(0, MAX_NAME_SOURCE), "latin1")
  const text = bytes.toString("utf8")
  return text.includes("\ufffd") ? bytes.toString("latin1") : text
}

const lastStep = (path: string): string =>
  cleanLine(path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1), MAX_TITLE)

/** The `Content-Disposition` header (RFC 6266), or else the address's last step with an extension; may be empty. */
export const fileNameOf = (url: URL, disposition: string | null = null): string => {
  const header = headerText(disposition ?? "")
  const sent = lastStep(extendedName(header) ?? plainName(header) ?? "")
  if (sent !== "") return sent
  const path = url.pathname.slice(-MAX_NAME_SOURCE)
  const name = lastStep(percentDecoded(path, "utf-8") ?? path)
  return extensionOf(name) === "" ? "" : name
}

/** In lower case, without its dot; empty if it has none. */
export const extensionOf = (name: string): string =>
  /[^.]\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ""
