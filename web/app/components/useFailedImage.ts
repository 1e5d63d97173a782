import { useEffect, useRef } from "preact/hooks"

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
