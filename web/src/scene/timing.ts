// Written by write_messages.py from kumitate/output/timing.py: change that, then `make messages`.

export const CUT = 1.2;
export const STILL = 0.35;
export const LEAST = 0.6;
export const PER_UNIT = 0.15;
export const MOST = 1.6;
export const ARM = 1.5;
export const MOTION = 0.85;
