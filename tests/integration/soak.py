"""The full length of the fault runs, with figures against their bars; started by tools/soak."""
import argparse
import random
import sys

from storm_runs import restart_run, stop_run, storm_run, told

HEARTBEATS = 2  # Seconds: two heartbeats of the daemon.


def main():
    parser = argparse.ArgumentParser(prog="tools/soak", description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="of the storm (60)")
    parser.add_argument("--restarts", type=int, default=100, help="of the daemon, each by kill -9 (100)")
    parser.add_argument("--stopped", type=int, default=30, help="seconds the daemon is stopped (30)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31), help="of the storm (random)")
    options = parser.parse_args()
    print(f"seed {options.seed} (again: tools/soak --seed {options.seed})", flush=True)
    missed = 0
    for name, run, length, bars in [
            ("storm", storm_run, options.seconds, {"difference": 0, "converged_s": HEARTBEATS}),
            ("restarts", restart_run, options.restarts, {"start_max_s": 1, "converged_max_s": 3, "difference": 0}),
            ("stop", stop_run, options.stopped, {"difference": 0})]:
        if length == 0:
            continue
        figures = run(options.seed, length)
        print(f"{name} ({length}): {told(figures)}", flush=True)
        for figure, bar in bars.items():
            is_met = abs(figures[figure]) <= bar
            missed += not is_met
            print(f"  {'ok    ' if is_met else 'MISSED'} {figure} {figures[figure]:.2f} (bar: at most {bar})", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
