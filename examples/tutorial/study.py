"""The crane of page 6 from Python: what the cut costs, and which gain brings the load home first."""
import seam

model = seam.Model("crane6.yaml")
whole, cut = model.run(), model.cosim()
print(cut.verdict)
print(f"the load is off by {1e6 * abs(cut['load.x'] - whole['load.x']).max():.1f} µm")

for ks in 0, 1000, 2000:
    run = model.varied({"parameters.ks": ks}).run(check="never")
    away = abs(run["load.x"] - 5) > 0.05
    print(f"ks = {ks} N/rad: home for good after {run['time'][away][-1]:.2f} s")

cut.animate(whole).save("moving.svg")
