import { BIN, buildMark } from './build-mark.ts';
import { type EnginePlaces, obstacleTo } from './places.ts';

/** Whether what was started as this build is still that of the program by which a client would answer otherwise. */
export const currentCheck =
  (places: EnginePlaces, build: string) =>
  (bin: string): boolean =>
    bin === BIN && buildMark() === build && obstacleTo(places) === undefined;
