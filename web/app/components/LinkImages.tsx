/** @jsxImportSource preact */
import { useEffect, useRef, useState } from "preact/hooks"
import { withoutWww } from "../../../src/shared/WebAddress.ts"

/**
 * Returns a ref for an image that the service may have rendered, and calls `fail` if the image failed before the app took
 * it over, when nothing listened for its error.
 */
export const useFailedImage = (fail: () => void) => {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const { current } = image
    // An SVG without a size of its own has no width either, but it can be decoded.
    if (current?.complete && current.naturalWidth === 0) current.decode().catch(fail)
  }, [])
  return image
}

/** Icons that could not be had: they are not asked for again while the page lives. */
const missing = new Set<string>()

/** A site's icon, or the first letter of its host. */
export const Favicon = ({ host, src }: { readonly src: string | null; readonly host: string }) => {
  const [failed, setFailed] = useState(src === null || missing.has(src))
  const fail = () => {
    if (src !== null) missing.add(src)
    setFailed(true)
  }
  const image = useFailedImage(fail)
  if (src === null || failed)
    return (
      <span class="favicon" aria-hidden="true">
        {withoutWww(host).charAt(0)}
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

/** Pictures that could not be had: cards drawn later leave no room for them. */
const missing = new Set<string>()

interface Props {
  readonly src: string
  /** Whether the page came with the picture: then it is shown without scripts too, and does not fade in. */
  readonly isDrawn?: boolean
}

/** A page's own picture in a box of fixed size, so that nothing moves when it comes, or does not. */
export const Preview = ({ isDrawn = false, src }: Props) => {
  const [state, setState] = useState<"waiting" | "there" | "gone" | "never">(
    missing.has(src) ? "never" : isDrawn ? "there" : "waiting"
  )
  const fail = () => {
    missing.add(src)
    setState("gone")
  }
  const image = useFailedImage(fail)
  if (state === "never") return null
  return (
    <div class="preview" data-state={state}>
      {state === "gone" ? null : (
        <img
          ref={image}
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          onLoad={() => setState("there")}
          onError={fail}
        />
      )}
    </div>
  )
}
