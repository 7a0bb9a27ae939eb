// The cards that stand for a house in the lobby; each of its tables shows different ones.

type Fan = readonly string[];

export const FANS: Readonly<Record<string, readonly Fan[]>> = {
  stadium: [["Ah", "Ad"], ["Ks", "Qs"], ["Jc", "Jd"]],
  washington: [["Ks", "Kh"], ["As", "Qd"]],
  california: [["Qc", "Jc"], ["Ad", "Kd"]],
  online: [["As", "Ks"]],
  draw: [["9s", "Ts", "Js", "Qs", "Ks"], ["Ah", "Ac", "Ad", "Kd", "Ks"]],
};

export const USUAL_FANS: readonly Fan[] = [["As", "Kd"]];
