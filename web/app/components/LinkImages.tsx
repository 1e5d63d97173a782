/** @jsxImportSource preact */

import { useEffect, useRef, useState } from "preact/hooks"
import { readableHost } from "../../../src/shared/HostName.ts"
import { firstCharacters } from "../../../src/shared/Text.ts"
import { withoutWww } from "../../../src/shared/WebAddress.ts"

/** A colour for a host, as a hue in degrees: the same for every page of it. */
const hueOf = (host: string): number => {
  let hash = 0
  for (const character of withoutWww(host)) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0
  return (hash >>> 0) % 360
}

const initialOf = (host: string) => firstCharacters(readableHost(withoutWww(host)), 1)

/** Addresses of images that could not be loaded: not requested again until the page is reloaded. */
const unavailable = new Set<string>()

/** Returns a ref for an image, and calls `fail` if the image that the service rendered failed before hydration. */
const useFailedImage = (fail: () => void) => {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const { current } = image
    // An SVG without an intrinsic size has no width either, but it can be decoded.
    if (current?.complete && current.naturalWidth === 0) current.decode().catch(fail)
  }, [])
  return image
}

/** A site's icon, or the first letter of its host. */
export const Favicon = ({ host, src }: { readonly src: string | null; readonly host: string }) => {
  const [failed, setFailed] = useState(src === null || unavailable.has(src))
  const fail = () => {
    if (src !== null) unavailable.add(src)
    setFailed(true)
  }
  const image = useFailedImage(fail)
  if (src === null || failed)
    return (
      <span class="favicon" aria-hidden="true">
        {initialOf(host)}
      </span>
    )
  return (
    <img
      ref={image}
      class="favicon"
      src={src}
      alt=""
      width="20"
      height="20"
      loading="lazy"
      decoding="async"
      onError={fail}
    />
  )
}

/**
 * A page's picture in a box of fixed size, so that the layout does not shift when it loads or fails: then the box is a
 * made cover. No box if it failed before.
 */
export const Preview = ({ host, src }: { readonly src: string; readonly host: string }) => {
  const [state, setState] = useState<"there" | "gone" | "never">(unavailable.has(src) ? "never" : "there")
  const fail = () => {
    unavailable.add(src)
    setState("gone")
  }
  const image = useFailedImage(fail)
  if (state === "never") return null
  if (state === "gone")
    return (
      <div class="preview cover" data-state="gone" style={{ "--hue": hueOf(host) }} aria-hidden="true">
        {initialOf(host)}
      </div>
    )
  return (
    <div class="preview" data-state="there">
      <img ref={image} src={src} alt="" loading="lazy" decoding="async" onError={fail} />
    </div>
  )
}

interface CoverProps {
  /** The picture's address, if the page has one. */
  readonly src: string | null
  readonly host: string
}

/** A page's picture, or a made cover with the first letter of its host in the host's colour. */
export const Cover = ({ host, src }: CoverProps) => {
  const [failed, setFailed] = useState(src === null || unavailable.has(src))
  const fail = () => {
    if (src !== null) unavailable.add(src)
    setFailed(true)
  }
  return (
    <span class="cover" style={{ "--hue": hueOf(host) }}>
      {initialOf(host)}
      {failed || src === null ? null : (
        <img src={src} alt="" loading="lazy" decoding="async" onError={fail} />
      )}
    </span>
  )
}
