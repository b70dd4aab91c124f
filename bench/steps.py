"""What `s.advance(1e-3)` from Python costs beyond the same step in C (bench_steps), in CPU time, in turns; with an input
that is set before each step, and with a quantity that is read after it.

usage: PYTHONPATH=build/release/python python3 bench/steps.py build/release/bench/bench_steps [MODEL] [TURNS] [STEPS]
"""
import statistics
import subprocess
import sys
import time

import seam


def of_c(program, model, steps):
    return float(subprocess.run([program, model, "1", str(steps)], stdout=subprocess.PIPE, check=True).stdout)


def of_python(model, steps, act):
    with model.simulation() as s:
        s.advance(1e-3)
        begin = time.process_time()
        for _ in range(steps):
            act(s)
        return 1e6 * (time.process_time() - begin) / steps


def advance(s):
    s.advance(1e-3)


def advance_and_read(s):
    s.advance(1e-3)
    s["time"]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, name, turns, steps = (sys.argv[1:] + ["double_pendulum", "21", "5000"][len(sys.argv) - 2 :])[:4]
    model = seam.Model(name)
    found = {"C": [], "advance": [], "advance and read": []}
    for _ in range(int(turns)):
        found["C"].append(of_c(program, name, steps))
        found["advance"].append(of_python(model, int(steps), advance))
        found["advance and read"].append(of_python(model, int(steps), advance_and_read))
    for label, values in found.items():
        beyond = [value - c for value, c in zip(values, found["C"])]
        print(f"{label:17} µs a step: min {min(values):.2f}, median {statistics.median(values):.2f}, max {max(values):.2f}", end="")
        print("" if label == "C" else f"; beyond C: min {min(beyond):.2f}, median {statistics.median(beyond):.2f}, max {max(beyond):.2f}")


if __name__ == "__main__":
    main()
