import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const made: string[] = [];

/** The part of the Web Audio API that sounds use; it records what was started. */
class FakeAudio {
  currentTime = 0;
  sampleRate = 1000;
  state = "running";
  destination = {};

  private node(name: string): object {
    const parameter = { value: 0, setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} };
    return {
      gain: parameter,
      frequency: parameter,
      connect: () => {},
      start: () => made.push(name),
      stop: () => {},
    };
  }
  createGain = () => this.node("gain");
  createOscillator = () => this.node("tone");
  createBufferSource = () => this.node("noise");
  createBiquadFilter = () => this.node("filter");
  createBuffer = (_: number, length: number) => ({ getChannelData: () => new Float32Array(length) });
}

describe("sounds", () => {
  beforeEach(() => {
    made.length = 0;
    vi.resetModules();
    vi.stubGlobal("AudioContext", FakeAudio);
  });
  afterEach(() => vi.unstubAllGlobals());

  it("are off until they are switched on", async () => {
    const { settings } = await import("../app/settings.svelte");
    const { play } = await import("./sound");
    play("win");
    expect(made).toEqual([]);
    settings.sound = true;
    play("win");
    expect(made).toEqual(["tone", "tone", "tone"]);
    settings.sound = false;
    play("card");
    expect(made).toHaveLength(3);
  });

  it("are of three kinds", async () => {
    (await import("../app/settings.svelte")).settings.sound = true;
    const { play } = await import("./sound");
    play("chip");
    play("card");
    expect(made).toEqual(["tone", "tone", "noise"]);
  });

  it("are missing where the browser makes none", async () => {
    vi.stubGlobal("AudioContext", undefined);
    (await import("../app/settings.svelte")).settings.sound = true;
    const { play } = await import("./sound");
    expect(() => play("chip")).not.toThrow();
  });
});
