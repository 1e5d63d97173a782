/** @jsxImportSource preact */

import { useEffect, useRef, useState } from "preact/hooks"
import { readableHost } from "../../../src/shared/HostName.ts"
import { firstCharacters } from "../../../src/shared/Text.ts"
import { withoutWww } from "../../../src/shared/WebAddress.ts"
import type { Link } from "../api.ts"

const TINTS = ["red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"] as const

/** The colour of a site: the same for every page of it. */
const tintOf = (host: string) => {
  let hash = 0
  for (const character of withoutWww(host)) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0
  return TINTS[(hash >>> 0) % TINTS.length]
}

const initialOf = (host: string) => firstCharacters(readableHost(withoutWww(host)), 1)

/** Addresses of images that could not be loaded: not requested again until the page is reloaded. */
const unavailable = new Set<string>()

/** Whether a picture cannot be shown, and what its element needs to find out. */
const usePicture = (src: string | null) => {
  const [failed, setFailed] = useState(src === null || unavailable.has(src))
  const ref = useRef<HTMLImageElement>(null)
  const onError = () => {
    if (src !== null) unavailable.add(src)
    setFailed(true)
  }
  useEffect(() => {
    const { current } = ref
    // The image that the service rendered may have failed before hydration. An SVG without an intrinsic size has no width
    // either, but it can be decoded.
    if (current?.complete && current.naturalWidth === 0) current.decode().catch(onError)
  }, [])
  return src === null || failed
    ? undefined
    : ({ ref, src, loading: "lazy", decoding: "async", onError } as const)
}

interface Props {
  /** The picture's address, if there is one. */
  readonly src: string | null
  readonly host: string
}

/** A site's icon, or the first letter of its host in the site's colour. */
export const Favicon = ({ host, src }: Props) => {
  const picture = usePicture(src)
  return picture === undefined ? (
    <span class="favicon" data-color={tintOf(host)} aria-hidden="true">
      {initialOf(host)}
    </span>
  ) : (
    <img {...picture} alt="" class="favicon" width="20" height="20" />
  )
}

/** The icon of the site of one of the owner's links. */
export const LinkIcon = ({ link }: { readonly link: Pick<Link, "favicon" | "host" | "id"> }) => (
  <Favicon
    key={link.favicon}
    src={link.favicon && `/dashboard/api/links/${link.id}/favicon`}
    host={link.host}
  />
)

/** A page's picture on a tile with its site's letter and colour, which stays where there is no picture. */
export const Cover = ({ host, src, class: name = "" }: Props & { readonly class?: string }) => {
  const picture = usePicture(src)
  return (
    <span class={`cover ${name}`} data-color={tintOf(host)} aria-hidden="true">
      {initialOf(host)}
      {picture === undefined ? null : <img {...picture} alt="" />}
    </span>
  )
}

/** A page's picture beside its text. */
export const Preview = (props: Props) => <Cover {...props} class="preview" />
