/** @jsxImportSource preact */
import { useState } from "preact/hooks"
import { withoutWww } from "../../../src/shared/WebAddress.ts"
import { useFailedImage } from "./useFailedImage.ts"

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
