// Short, soft sounds that the browser synthesizes. They are on by default, at a volume that the
// player sets, and begin with the player's first press: before it, a page is silent.

import { settings } from "../app/settings.svelte";

type Sound = "chip" | "card" | "win" | "refused";

/** The loudest that a sound becomes, at full volume. */
const LOUDNESS = 0.3;
const NOISE_SECONDS = 0.2;

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** A gain with an immediate attack that decays to silence. */
function fading(audio: AudioContext, at: number, seconds: number, loudness: number): GainNode {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(loudness * LOUDNESS * heard(settings.volume), at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  gain.connect(audio.destination);
  return gain;
}

function tone(audio: AudioContext, hertz: number, after: number, seconds: number, loudness: number): void {
  const at = audio.currentTime + after;
  const source = audio.createOscillator();
  source.frequency.value = hertz;
  source.connect(fading(audio, at, seconds, loudness));
  source.start(at);
  source.stop(at + seconds);
}

function rustle(audio: AudioContext): AudioBuffer {
  const length = Math.round(audio.sampleRate * NOISE_SECONDS);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < length; at += 1) samples[at] = Math.random() * 2 - 1;
  return buffer;
}

function swish(audio: AudioContext, hertz: number, seconds: number, loudness: number): void {
  noise ??= rustle(audio);
  const source = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  source.buffer = noise;
  filter.type = "bandpass";
  filter.frequency.value = hertz;
  source.connect(filter);
  filter.connect(fading(audio, audio.currentTime, seconds, loudness));
  source.start(audio.currentTime, 0, seconds);
}

const SOUNDS: Record<Sound, (audio: AudioContext) => void> = {
  chip: (audio) => {
    tone(audio, 2400, 0, 0.05, 0.5);
    tone(audio, 3300, 0.035, 0.06, 0.4);
  },
  card: (audio) => swish(audio, 2600, 0.09, 0.8),
  win: (audio) => {
    [523.25, 659.25, 783.99].forEach((hertz, at) => tone(audio, hertz, at * 0.11, 0.45, 0.8));
  },
  // Falling and low, so that a dealer who looks at the felt hears that it is no card.
  refused: (audio) => {
    tone(audio, 311, 0, 0.22, 1);
    tone(audio, 208, 0.2, 0.4, 1);
  },
};

/** The share of the full loudness at a volume of 0 to 100: ears hear ratios, not differences. */
export function heard(volume: number): number {
  return (Math.min(100, Math.max(0, volume)) / 100) ** 2;
}

/** Whether the player has pressed anything on this page, before which browsers keep it silent. */
function touched(): boolean {
  return navigator.userActivation?.hasBeenActive ?? true;
}

/** Switch sounds on or off, and keep it so. */
export function toggleSound(): void {
  settings.sound = !settings.sound;
  play("chip");
}

/** Play a sound, if sounds are switched on, the player has pressed something and there are any. */
export function play(sound: Sound): void {
  if (!settings.sound || settings.volume <= 0 || typeof AudioContext === "undefined") return;
  if (!touched()) return;
  context ??= new AudioContext();
  if (context.state === "suspended") {
    // What was missed meanwhile is not caught up on: it would come all at once.
    void context.resume();
    return;
  }
  SOUNDS[sound](context);
}
