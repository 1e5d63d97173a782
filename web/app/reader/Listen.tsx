import { Icon } from "../components/Icon.tsx"
import {
  changeRate,
  changeVoice,
  chosenVoice,
  listening,
  rate,
  rates,
  stepParagraph,
  stopListening,
  toggleListening,
  voices,
  voicesOf
} from "./listen.ts"
import type { PartProps } from "./parts.ts"

/** The button that reads the article aloud; absent in a browser without voices. */
export const ListenButton = ({ frame }: PartProps) =>
  frame === null || voices.value.length === 0 ? null : (
    <button
      type="button"
      class="icon-button"
      title="Listen (l)"
      aria-pressed={listening.value !== "off"}
      onClick={() => (listening.value === "off" ? toggleListening() : stopListening())}
    >
      <Icon name="listen" />
      <span class="visually-hidden">Listen</span>
    </button>
  )

/** The controls of what is read aloud. */
export const ListenBar = ({ frame }: PartProps) => {
  if (frame === null || listening.value === "off") return null
  const isPlaying = listening.value === "playing"
  const all = voicesOf(frame)
  return (
    <section class="reader-listen" aria-label="Listen">
      <button type="button" class="icon-button" title="Previous paragraph" onClick={() => stepParagraph(-1)}>
        <Icon name="up" />
        <span class="visually-hidden">Previous paragraph</span>
      </button>
      <button
        type="button"
        class="icon-button"
        title={isPlaying ? "Pause (l)" : "Play (l)"}
        onClick={toggleListening}
      >
        <Icon name={isPlaying ? "pause" : "play"} />
        <span class="visually-hidden">{isPlaying ? "Pause" : "Play"}</span>
      </button>
      <button type="button" class="icon-button" title="Next paragraph" onClick={() => stepParagraph(1)}>
        <Icon name="down" />
        <span class="visually-hidden">Next paragraph</span>
      </button>
      <label class="reader-voice">
        <span class="visually-hidden">Voice</span>
        <select
          value={
            all.some(({ voiceURI }) => voiceURI === chosenVoice.value) ? chosenVoice.value : all[0]?.voiceURI
          }
          onChange={({ currentTarget }) => changeVoice(currentTarget.value)}
        >
          {all.map(({ localService, name, voiceURI }) => (
            <option key={voiceURI} value={voiceURI}>
              {localService ? name : `${name} (online)`}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="visually-hidden">Rate</span>
        <select
          value={rate.value}
          onChange={({ currentTarget }) =>
            changeRate(rates.find((one) => one === currentTarget.value) ?? "1")
          }
        >
          {rates.map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </select>
      </label>
      <button type="button" class="icon-button" title="Stop" onClick={stopListening}>
        <Icon name="close" />
        <span class="visually-hidden">Stop listening</span>
      </button>
    </section>
  )
}
