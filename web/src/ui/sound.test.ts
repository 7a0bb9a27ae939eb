import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const made: string[] = [];
const loudness: number[] = [];
let contexts = 0;

/** The part of the Web Audio API that sounds use; it records what was started. */
class FakeAudio {
  currentTime = 0;
  sampleRate = 1000;
  state = "running";
  destination = {};

  constructor() {
    contexts += 1;
  }

  private node(name: string): object {
    const parameter = {
      value: 0,
      setValueAtTime: (value: number) => loudness.push(value),
      exponentialRampToValueAtTime: () => {},
    };
    return {
      gain: parameter,
      frequency: parameter,
      connect: () => {},
      start: () => made.push(name),
      stop: () => {},
    };
  }
  resume = () => Promise.resolve();
  createGain = () => this.node("gain");
  createOscillator = () => this.node("tone");
  createBufferSource = () => this.node("noise");
  createBiquadFilter = () => this.node("filter");
  createBuffer = (_: number, length: number) => ({ getChannelData: () => new Float32Array(length) });
}

/** A page on which the player has pressed something, or nothing yet. */
function page(hasBeenActive: boolean): void {
  vi.stubGlobal("navigator", { language: "en", userActivation: { hasBeenActive } });
}

async function load() {
  const { settings } = await import("../app/settings.svelte");
  return { settings, ...(await import("./sound")) };
}

describe("sounds", () => {
  beforeEach(() => {
    made.length = 0;
    loudness.length = 0;
    contexts = 0;
    vi.resetModules();
    vi.stubGlobal("AudioContext", FakeAudio);
    page(true);
  });
  afterEach(() => vi.unstubAllGlobals());

  it("are on until they are switched off", async () => {
    const { settings, play } = await load();
    play("win");
    expect(made).toEqual(["tone", "tone", "tone"]);
    settings.sound = false;
    play("card");
    expect(made).toHaveLength(3);
  });

  it("are not even prepared before the player's first press", async () => {
    page(false);
    const { play } = await load();
    play("card");
    expect([made, contexts]).toEqual([[], 0]);
    page(true);
    play("card");
    expect([made, contexts]).toEqual([["noise"], 1]);
  });

  it("are not caught up on while the browser keeps the page silent", async () => {
    class Silent extends FakeAudio {
      override state = "suspended";
    }
    vi.stubGlobal("AudioContext", Silent);
    const { play } = await load();
    play("card");
    play("card");
    expect(made).toEqual([]);
  });

  it("are as loud as the player likes, and silent at nothing", async () => {
    const { settings, play, heard } = await load();
    play("card");
    settings.volume = 100;
    play("card");
    expect((loudness[1] ?? 0) / (loudness[0] ?? 1)).toBeCloseTo(1 / heard(60));
    settings.volume = 0;
    play("card");
    expect(made).toHaveLength(2);
    expect([heard(-5), heard(50), heard(200)]).toEqual([0, 0.25, 1]);
  });

  it("are of several kinds, and a refusal is the loudest", async () => {
    const { play } = await load();
    play("chip");
    play("card");
    expect(made).toEqual(["tone", "tone", "noise"]);
    const others = Math.max(...loudness);
    loudness.length = 0;
    play("refused");
    expect(made).toHaveLength(5);
    expect(Math.min(...loudness)).toBeGreaterThan(others);
  });

  it("are missing where the browser makes none", async () => {
    vi.stubGlobal("AudioContext", undefined);
    const { play } = await load();
    expect(() => play("chip")).not.toThrow();
  });
});
