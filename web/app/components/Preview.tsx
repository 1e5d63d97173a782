/** @jsxImportSource preact */
import { useState } from "preact/hooks"
import { useFailedImage } from "./useFailedImage.ts"

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
