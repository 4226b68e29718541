// The sounds, synthesized with WebAudio: there are no files.  Browsers allow sound only after a first user gesture.

import type { Sound } from "./cues";

const LOUDNESS = 0.3;

let context: AudioContext | null = null;
let out: AudioNode | null = null;
let noise: AudioBuffer | null = null;
let touched = false;

if (typeof window !== "undefined")
  for (const sign of ["pointerup", "keydown"])
    window.addEventListener(sign, () => (touched = true), { capture: true, once: true });

/** There was a user gesture: sound and vibration are allowed from then on. */
export const mayBegin = (): boolean => navigator.userActivation?.hasBeenActive ?? touched;

/** Opens the audio context, if sound is allowed.  The first time takes several frames: best while nothing moves. */
export function prepare(): AudioContext | null {
  if (!mayBegin() || typeof AudioContext === "undefined") return null;
  if (context) return context;
  context = new AudioContext();
  const loudness = context.createGain();
  loudness.gain.value = LOUDNESS;
  loudness.connect(context.destination);
  out = loudness;
  noise = whiteNoise(context);
  return context;
}

/** Plays a sound `after` milliseconds from now; silent before the first gesture, or without WebAudio. */
export function play(sound: Sound, after = 0): void {
  const found = prepare();
  if (found?.state === "suspended") void found.resume();
  if (found) RECIPES[sound](found.currentTime + 0.01 + after / 1000);
}

const RECIPES: Record<Sound, (at: number) => void> = {
  card: (at) => {
    rustle(at, { seconds: 0.07, from: 2600, to: 1500, loud: 0.7 });
    tone(at, { seconds: 0.05, from: 210, to: 120, loud: 0.25 });
  },
  draw: (at) => {
    rustle(at, { seconds: 0.13, from: 700, to: 1500, loud: 0.8 });
    tone(at + 0.05, { seconds: 0.06, from: 140, to: 90, loud: 0.3 });
  },
  "flip-to-light": (at) => turnOver(at, 150, 440),
  "flip-to-dark": (at) => turnOver(at, 330, 82),
  uno: (at) => {
    tone(at, { seconds: 0.16, from: 659, to: 659, loud: 0.5, shape: "triangle" });
    tone(at + 0.13, { seconds: 0.34, from: 988, to: 988, loud: 0.55, shape: "triangle" });
  },
  knock: (at) => {
    for (const later of [0, 0.13]) {
      tone(at + later, { seconds: 0.09, from: 230, to: 110, loud: 0.8 });
      rustle(at + later, { seconds: 0.02, from: 1800, to: 900, loud: 0.3 });
    }
  },
  catch: (at) => {
    tone(at, { seconds: 0.12, from: 740, to: 740, loud: 0.4, shape: "triangle" });
    tone(at + 0.11, { seconds: 0.3, from: 466, to: 392, loud: 0.5, shape: "triangle" });
  },
  win: (at) => {
    [523, 659, 784, 1047].forEach((pitch, n) =>
      tone(at + n * 0.11, { seconds: n === 3 ? 0.7 : 0.22, from: pitch, to: pitch, loud: 0.42, shape: "triangle" }),
    );
  },
};

/** Everything turns over: a low note that rises into the light or falls into the dark, and the air it moves. */
function turnOver(at: number, from: number, to: number): void {
  tone(at, { seconds: 0.85, from, to, loud: 0.5, swell: 0.3 });
  tone(at + 0.04, { seconds: 0.8, from: from * 1.5, to: to * 1.5, loud: 0.18, swell: 0.35, shape: "triangle" });
  rustle(at, { seconds: 0.75, from: from * 4, to: to * 5, loud: 0.35, swell: 0.35 });
}

interface Voice {
  seconds: number;
  /** pitch in hertz, where it begins and where it ends */
  from: number;
  to: number;
  loud: number;
  /** seconds until it is loudest */
  swell?: number;
}

function tone(at: number, { shape = "sine", ...voice }: Voice & { shape?: OscillatorType }): void {
  if (!context) return;
  const source = context.createOscillator();
  source.type = shape;
  glide(source.frequency, at, voice);
  source.connect(envelope(at, voice));
  run(source, at, voice);
}

function rustle(at: number, voice: Voice): void {
  if (!context) return;
  const source = context.createBufferSource();
  source.buffer = noise;
  source.loop = true;
  const band = context.createBiquadFilter();
  band.type = "bandpass";
  band.Q.value = 0.8;
  glide(band.frequency, at, voice);
  source.connect(band).connect(envelope(at, voice));
  run(source, at, voice);
}

function glide(pitch: AudioParam, at: number, { from, to, seconds }: Voice): void {
  pitch.setValueAtTime(from, at);
  pitch.exponentialRampToValueAtTime(to, at + seconds);
}

/** The envelope: silence, up, and away to silence.  Without it every sound would click. */
function envelope(at: number, { seconds, loud, swell = 0.006 }: Voice): AudioNode {
  const gain = context!.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + swell);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  gain.connect(out!);
  return gain;
}

function run(source: AudioScheduledSourceNode, at: number, { seconds }: Voice): void {
  source.start(at);
  source.stop(at + seconds + 0.02);
}

function whiteNoise(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < samples.length; n++) samples[n] = Math.random() * 2 - 1;
  return buffer;
}
